// Sees to it that git ignores secrets files, before the first secret is written.

import { CallsheetError } from "@callsheet/format"
import { applyChange } from "../write/apply-change.ts"
import { NOTHING_CHANGED } from "../write/write-failed.ts"
import { readForEdit } from "./read-for-edit.ts"
import type { WriteScope } from "../write/write-scope.ts"

export const GITIGNORE_FILE = ".gitignore"

// Other lines may ignore them too; one line more than needed does no harm, one too few does.
const coverage = /^(?:\*\*\/)?\*(?:\.secrets)?\.env$/

/**
 * Appends `*.secrets.env` to the root's `.gitignore` unless it is ignored there; true where the file was changed. Throws as
 * `applyChange` does.
 */
export function ignoreSecrets(scope: WriteScope): boolean {
  const { text = "", bytes: before } = readForEdit(scope, GITIGNORE_FILE)
  const ignoring = ignoringSecrets(text)
  if (ignoring === text) return false
  const bytes = new TextEncoder().encode(ignoring)
  applyChange(scope, {
    title: "let git ignore secrets files",
    steps: [{ do: "replace", file: GITIGNORE_FILE, bytes, before, isSecret: false }],
  })
  return true
}

/** A refusal that says truly what was changed: git ignores secrets files now, though none was written. */
export function withoutIgnoring(error: unknown): unknown {
  if (!(error instanceof CallsheetError) || error.hint !== NOTHING_CHANGED) return error
  const hint = `${NOTHING_CHANGED} but ${GITIGNORE_FILE}, which ignores secrets files now`
  return new CallsheetError(error.code, error.message, { hint, cause: error.cause })
}

/** The text of a `.gitignore` that ignores secrets files: this one, where it does already. */
export function ignoringSecrets(text: string): string {
  if (isIgnored(text)) return text
  const eol = /\r\n|\n/.exec(text)?.[0] ?? "\n"
  const isLineOpen = text !== "" && !text.endsWith("\n")
  return `${text}${isLineOpen ? eol : ""}*.secrets.env${eol}`
}

/** Whether the last line that speaks of all secrets files ignores them (gitignore(5): the last match decides). */
function isIgnored(text: string): boolean {
  const last = text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .findLast((line) => coverage.test(line.replace(/^!/, "")))
  return last !== undefined && !last.startsWith("!")
}
