// Makes git ignore secrets files before the first secret is written.

import { CallsheetError } from "@callsheet/format"
import { NOTHING_CHANGED, writeHints } from "../messages.ts"
import { applyChange } from "../write/apply-change.ts"
import {
  changeProject,
  type Changed,
  type ChangeSet,
  type ProjectChange,
  type WriteOptions,
} from "../write/change-project.ts"
import { replaceStep } from "../write/ready-step.ts"
import { readForEdit, type WriteScope } from "../write/write-scope.ts"

export const GITIGNORE_FILE = ".gitignore"

// Matches only the usual lines. Another line may have the same effect, but then an extra line does no harm.
const coverage = /^(?:\*\*\/)?\*(?:\.secrets)?\.env$/

/** Makes git ignore secrets files before writing the first one. If the change fails, `.gitignore` stays changed. */
export async function changeIgnoringSecrets<T>(
  change: ProjectChange<T>,
  options: WriteOptions,
): Promise<T & Changed> {
  let hasIgnored = false
  const makeChanges = (scope: WriteScope): ChangeSet<T> => {
    const changeSet = change.makeChanges(scope)
    if (changeSet.change.steps.some((step) => step.do === "replace" && step.isSecret))
      hasIgnored = ignoreSecrets(scope) || hasIgnored
    return changeSet
  }
  try {
    const changed = await changeProject({ ...change, makeChanges }, options)
    return hasIgnored ? { ...changed, files: [GITIGNORE_FILE, ...changed.files] } : changed
  } catch (error) {
    throw hasIgnored ? withoutIgnoring(error) : error
  }
}

/**
 * Appends `*.secrets.env` to the root's `.gitignore`, unless it already ignores secrets files. Returns true if it
 * changed the file.
 */
function ignoreSecrets(scope: WriteScope): boolean {
  const before = readForEdit(scope, GITIGNORE_FILE)
  const ignoring = ignoringSecrets(before.text ?? "")
  if (ignoring === (before.text ?? "")) return false
  applyChange(scope, { title: "let git ignore secrets files", steps: [replaceStep(before, ignoring)] })
  return true
}

/** Corrects the hint of a failed change: `.gitignore` was changed, although no secret was written. */
function withoutIgnoring(error: unknown): unknown {
  if (!(error instanceof CallsheetError) || error.hint !== NOTHING_CHANGED) return error
  const { code, message, cause } = error
  return new CallsheetError({ code, message, hint: writeHints.ignored(GITIGNORE_FILE) }, { cause })
}

/** Returns a `.gitignore` that ignores secrets files. Returns the same text if it already does. */
export const ignoringSecrets = (text: string): string => (isIgnored(text) ? text : withLine(text, SECRETS))

const SECRETS = "*.secrets.env"

/** The files that callsheet writes for one machine or one run: records, reports, files of an unfinished change, and types. */
const localFiles = [
  "*.callsheet",
  ".callsheet/",
  ".callsheet-*",
  "reports/",
  "allure-results/",
  "node_modules/",
]

/** Returns a `.gitignore` for everything that callsheet writes and nobody should commit. */
export function ignoringLocalFiles(text: string): string {
  const known = new Set(linesOf(text).map((line) => line.replace(/^\/|\/$/g, "")))
  const missing = localFiles.filter((line) => !known.has(line.replace(/\/$/, "")))
  return missing.reduce(withLine, ignoringSecrets(text))
}

function withLine(text: string, line: string): string {
  const eol = /\r\n|\n/.exec(text)?.[0] ?? "\n"
  const isLineOpen = text !== "" && !text.endsWith("\n")
  return `${text}${isLineOpen ? eol : ""}${line}${eol}`
}

const linesOf = (text: string): readonly string[] =>
  text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trimEnd())

/** Returns whether the last line about all secrets files ignores them. In gitignore(5), the last match decides. */
function isIgnored(text: string): boolean {
  const last = linesOf(text).findLast((line) => coverage.test(line.replace(/^!/, "")))
  return last !== undefined && !last.startsWith("!")
}
