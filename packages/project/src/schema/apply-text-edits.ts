// Writes the texts of several files as one change: all of them, while each is still what the change was made from, or none.

import { throwIfAny } from "../environment/environment-files.ts"
import { GITIGNORE_FILE, ignoreSecrets, withoutIgnoring } from "../environment/ignore-secrets.ts"
import { readForEdit } from "../environment/read-for-edit.ts"
import { changedFile } from "../environment/seen-environment.ts"
import { changeProject, type Changed, type WriteOptions } from "../write/change-project.ts"
import type { ChangeStep } from "../write/ready-step.ts"
import { ensureFolder, type WriteScope } from "../write/write-scope.ts"
import type { TextEdit } from "./schema-change.ts"

export interface TextEditsRequest {
  readonly root: string
  /** For people: the journal says it where the change is interrupted. */
  readonly title: string
  readonly edits: readonly TextEdit[]
}

/** Throws `file-changed` with the files that are others by now, and as `changeProject` does; then no byte is changed. */
export async function applyTextEdits(
  { root, title, edits }: TextEditsRequest,
  options: WriteOptions = {},
): Promise<Changed> {
  let hasIgnored = false
  const folders = [...new Set([".", ...edits.map(({ file }) => folderOf(file))])]
  const plan = (scope: WriteScope) => {
    for (const { file, before } of edits) if (before === null) ensureFolder(scope, folderOf(file))
    const read = edits.map((edit) => ({ edit, ...readForEdit(scope, edit.file) }))
    throwIfAny(
      read.filter(({ edit, text }) => !isSame(edit.before, text)).map(({ file }) => changedFile(file)),
    )
    const steps = read
      .map(({ edit, bytes, text }) => stepOf(edit, { bytes, text }))
      // Of two files that a value moves between, the one that it goes to is first.
      .sort((a, b) => Number(b.isSecret) - Number(a.isSecret))
    if (steps.some(({ isSecret }) => isSecret)) hasIgnored = ignoreSecrets(scope) || hasIgnored
    return { change: { title, steps }, result: {} }
  }
  try {
    const changed = await changeProject({ root, folders, plan }, options)
    return hasIgnored ? { ...changed, files: [GITIGNORE_FILE, ...changed.files] } : changed
  } catch (error) {
    throw hasIgnored ? withoutIgnoring(error) : error
  }
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf("/"))

const MARK = "\ufeff"

const isSame = (before: string | null, text: string | undefined): boolean =>
  before === null ? text === undefined : text !== undefined && withoutMark(text) === before

const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text)

type Replacement = Extract<ChangeStep, { do: "replace" }>

function stepOf(
  { file, after, isSecret }: TextEdit,
  { bytes: before, text }: { readonly bytes: Uint8Array | undefined; readonly text: string | undefined },
): Replacement {
  const mark = text?.startsWith(MARK) === true ? MARK : ""
  return { do: "replace", file, bytes: new TextEncoder().encode(mark + after), before, isSecret }
}
