// Writes several files as one change. If one of them has changed since the change was made, writes none.

import { dirname } from "node:path"
import { changedFile, throwIfAny, withoutMark } from "../environment/environment-files.ts"
import { changeIgnoringSecrets } from "../environment/ignore-secrets.ts"
import type { Changed, WriteOptions } from "../write/change-project.ts"
import { replaceStep, type Step } from "../write/ready-step.ts"
import { ensureFolders, readForEdit, removeIfEmpty, type WriteScope } from "../write/write-scope.ts"

/** The contents of a file before and after the change, without byte order marks. */
export interface TextEdit {
  readonly file: string
  readonly before: string | null
  readonly after: string
  readonly isSecret: boolean
}

interface TextEditsRequest {
  readonly root: string
  /** A description of the change for people. The journal keeps it in case the change is interrupted. */
  readonly title: string
  readonly edits: readonly TextEdit[]
  /** Files to remove, with their contents. A directory that is then empty is removed, too. */
  readonly removed?: readonly Pick<TextEdit, "file" | "before">[]
}

/**
 * Applies edits. Throws `file-changed`, which lists the changed files, or an error of `changeProject`. In either case,
 * writes nothing.
 */
export function applyTextEdits(
  { root, title, edits, removed = [] }: TextEditsRequest,
  options: WriteOptions = {},
): Promise<Changed> {
  const folders = [...new Set([".", ...[...edits, ...removed].map(({ file }) => dirname(file))])]
  const makeChanges = (scope: WriteScope) => {
    for (const { file, before } of edits)
      if (before === null && dirname(file) !== ".") ensureFolders(scope, file)
    // A value may move into a secrets file. Write it there first, so that it is never lost.
    const steps = editSteps(scope, edits).toSorted((a, b) => Number(b.isSecret) - Number(a.isSecret))
    requireUnchanged(removed.map((edit) => ({ edit, text: readForEdit(scope, edit.file).text })))
    const removals = removed.map(({ file }) => ({ do: "remove", file }) as const)
    return { change: { title, steps: [...steps, ...removals] }, result: {} }
  }
  const afterwards = (scope: WriteScope) => {
    for (const { file } of removed) removeIfEmpty(scope, dirname(file))
  }
  return changeIgnoringSecrets({ root, folders, makeChanges, afterwards }, options)
}

interface ReadEdit {
  readonly edit: Pick<TextEdit, "file" | "before">
  readonly text: string | undefined
}

function requireUnchanged(read: readonly ReadEdit[]): void {
  const changed = read.filter(
    ({ edit, text }) => edit.before !== (text === undefined ? null : withoutMark(text)),
  )
  throwIfAny(changed.map(({ edit: { file } }) => changedFile(file)))
}

/**
 * Returns the steps in the order of the edits. Keeps byte order marks. Throws `file-changed`, which lists the changed
 * files.
 */
export function editSteps(scope: WriteScope, edits: readonly TextEdit[]): readonly Step<"replace">[] {
  const read = edits.map((edit) => ({ edit, ...readForEdit(scope, edit.file) }))
  requireUnchanged(read)
  return read.map(({ edit: { file, after, isSecret }, bytes, text }) => {
    const [mark = ""] = /^\ufeff/.exec(text ?? "") ?? []
    return replaceStep({ file, bytes, text }, mark + after, isSecret)
  })
}
