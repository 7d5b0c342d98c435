// One open file as a value, and what can happen to it: each step makes the next value. Pure.

import { parseEdited, type JsonValue } from "@callsheet/format"
import type { CallFailure, CurrentFile, FileName } from "@callsheet/server/calls"
import {
  noHistory,
  onOneBase,
  redoStep,
  undoStep,
  withStep,
  type EditBase,
  type EditHistory,
  type StepOptions,
} from "./edit-history.ts"
import { languageOf } from "./file-key.ts"
import { changeBetween } from "./text-change.ts"

export interface FileState {
  readonly name: FileName
  /** From the root of the project, for showing. */
  readonly path: string
  /** As it is edited; empty where there is no file. */
  readonly text: string
  /** Its parse; absent where it does not parse, and of a script. */
  readonly value: JsonValue | undefined
  /** What stands on the disk, as far as it was heard of. */
  readonly disk: CurrentFile
  /** What the edits were begun from. */
  readonly base: EditBase
  readonly history: EditHistory
  /** ISO 8601: when the draft was kept that the file was opened with. */
  readonly draftFrom: string | undefined
  readonly isSaving: boolean
  /** Of the last save, until the text changes or is saved. */
  readonly failure: CallFailure | undefined
}

export interface Opened {
  readonly path: string
  readonly disk: CurrentFile
  readonly draft?:
    | { readonly text: string; readonly etag: string | null; readonly keptAt: string }
    | undefined
}

export function openedFile(name: FileName, { path, disk, draft }: Opened): FileState {
  const text = disk?.text ?? ""
  const file: FileState = {
    name,
    path,
    text,
    value: parsed(name, text),
    disk,
    base: baseOf(disk),
    history: noHistory,
    draftFrom: undefined,
    isSaving: false,
    failure: undefined,
  }
  if (draft === undefined) return file
  // One undo leads back to what is on the disk.
  const edited = editedFile(file, draft.text, { now: 0 })
  if (edited === file) return file
  const base = draft.etag === file.base.etag ? file.base : { etag: draft.etag, text: undefined }
  return { ...edited, base, draftFrom: draft.keptAt }
}

export const isDirty = ({ text, disk }: FileState): boolean => text !== (disk?.text ?? "")

export const isMissing = ({ text, disk }: FileState): boolean => disk === null && text === ""

/** Whether the file is another by now than the one that the edits were begun from. */
export const isInConflict = (file: FileState): boolean =>
  isDirty(file) && file.base.etag !== (file.disk?.etag ?? null)

/** The text is another: one step that can be undone. */
export function editedFile(file: FileState, text: string, step: StepOptions): FileState {
  const change = changeBetween(file.text, text)
  if (change === undefined) return file
  return withText(file, text, withStep(file.history, change, step))
}

export function undoneFile(file: FileState): FileState {
  const undone = undoStep(file.history, file.text)
  return undone === undefined ? file : stepped(file, undone)
}

export function redoneFile(file: FileState): FileState {
  const redone = redoStep(file.history, file.text)
  return redone === undefined ? file : stepped(file, redone)
}

/** Behind a step that took what is on the disk into the text, it is written over by nobody who was not asked. */
const stepped = (
  file: FileState,
  { text, history, base = file.base }: NonNullable<ReturnType<typeof undoStep>>,
): FileState => withText({ ...file, base }, text, history)

/** The file on the disk is another. Where nothing was unsaved the new text is shown, and can be undone like any edit. */
export function changedOnDisk(file: FileState, disk: CurrentFile, now: number): FileState {
  if ((disk?.etag ?? null) === (file.disk?.etag ?? null)) return file
  if (isDirty(file)) return settled({ ...file, disk })
  return withDisk({ ...file, disk }, disk?.text ?? "", now)
}

/** It was written with this text, which may not be the last any more. */
export const savedFile = (
  file: FileState,
  saved: { readonly text: string; readonly etag: string },
): FileState =>
  settled({
    ...file,
    disk: saved,
    base: saved,
    history: onOneBase(file.history),
    isSaving: false,
    failure: undefined,
    draftFrom: undefined,
  })

/** What is on the disk is taken note of, and will be written over by the next save. */
export const keptMine = (file: FileState): FileState => ({
  ...file,
  base: baseOf(file.disk),
  failure: undefined,
})

/** The text of the disk in place of what was unsaved, which one undo brings back. */
export const tookTheirs = (file: FileState, now: number): FileState =>
  withDisk({ ...file, draftFrom: undefined }, file.disk?.text ?? "", now)

/** A text that was made of both: it is saved over what is on the disk, which is in it. */
export const mergedFile = (file: FileState, text: string, now: number): FileState => withDisk(file, text, now)

/** What is on the disk has become a part of the text: one step, and where it is taken back the two are apart again. */
function withDisk(file: FileState, text: string, now: number): FileState {
  const step = { before: file.base, after: baseOf(file.disk) }
  const base = step.before.etag === step.after.etag ? undefined : step
  return editedFile(keptMine(file), text, { now, base })
}

function withText(file: FileState, text: string, history: EditHistory): FileState {
  return settled({
    ...file,
    text,
    value: parsed(file.name, text),
    history,
    failure: undefined,
    draftFrom: undefined,
  })
}

/** Where the text is that of the disk, nothing is unsaved, and the next edit begins from there. */
function settled(file: FileState): FileState {
  return isDirty(file) ? file : { ...file, base: baseOf(file.disk), draftFrom: undefined }
}

const baseOf = (disk: CurrentFile): FileState["base"] =>
  disk === null ? { etag: null, text: "" } : { etag: disk.etag, text: disk.text }

function parsed(name: FileName, text: string): JsonValue | undefined {
  if (languageOf(name) !== "json" || text === "") return undefined
  const result = parseEdited(text)
  return result.ok ? result.value : undefined
}
