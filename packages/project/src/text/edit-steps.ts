// The steps that put new texts in the place of those that a change was made from.

import { throwIfAny } from "../environment/environment-files.ts"
import { readForEdit } from "../environment/read-for-edit.ts"
import { changedFile } from "../environment/seen-environment.ts"
import type { TextEdit } from "../schema/schema-change.ts"
import type { ChangeStep } from "../write/ready-step.ts"
import type { WriteScope } from "../write/write-scope.ts"

const MARK = "\ufeff"

type Replacement = Extract<ChangeStep, { do: "replace" }>

/** In the order of the edits. Throws `file-changed` with the files that are others by now. A file's byte order mark stays. */
export function editSteps(scope: WriteScope, edits: readonly TextEdit[]): readonly Replacement[] {
  const read = edits.map((edit) => ({ edit, ...readForEdit(scope, edit.file) }))
  throwIfAny(read.filter(({ edit, text }) => !isSame(edit.before, text)).map(({ file }) => changedFile(file)))
  return read.map(({ edit: { file, after, isSecret }, bytes, text }) => {
    const mark = text?.startsWith(MARK) === true ? MARK : ""
    return { do: "replace", file, bytes: new TextEncoder().encode(mark + after), before: bytes, isSecret }
  })
}

const isSame = (before: string | null, text: string | undefined): boolean =>
  before === null ? text === undefined : text !== undefined && withoutMark(text) === before

const withoutMark = (text: string): string => (text.startsWith(MARK) ? text.slice(1) : text)
