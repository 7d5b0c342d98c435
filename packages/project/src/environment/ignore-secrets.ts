// Makes git ignore secrets files before the first secret is written.

import { CallsheetError } from "@callsheet/format"
import { NOTHING_CHANGED, writeHints } from "../messages.ts"
import { applyChange } from "../write/apply-change.ts"
import {
  changeProject,
  type Changed,
  type PlannedChange,
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
  const plan = (scope: WriteScope): PlannedChange<T> => {
    const planned = change.plan(scope)
    if (planned.change.steps.some((step) => step.do === "replace" && step.isSecret))
      hasIgnored = ignoreSecrets(scope) || hasIgnored
    return planned
  }
  try {
    const changed = await changeProject({ ...change, plan }, options)
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
export function ignoringSecrets(text: string): string {
  if (isIgnored(text)) return text
  const eol = /\r\n|\n/.exec(text)?.[0] ?? "\n"
  const isLineOpen = text !== "" && !text.endsWith("\n")
  return `${text}${isLineOpen ? eol : ""}*.secrets.env${eol}`
}

/** Returns whether the last line about all secrets files ignores them. In gitignore(5), the last match decides. */
function isIgnored(text: string): boolean {
  const last = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .findLast((line) => coverage.test(line.replace(/^!/, "")))
  return last !== undefined && !last.startsWith("!")
}
