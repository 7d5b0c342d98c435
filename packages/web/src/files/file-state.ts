// An open file as a value, and as components see it. Each change returns a new value. Pure.

import { parseEdited, type JsonValue, type Problem } from "@callsheet/format"
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
import { changeBetween } from "./text/text-change.ts"

export interface FileState {
  readonly name: FileName
  readonly path: string
  /** The edited text. Empty if the file doesn't exist. */
  readonly text: string
  /** Absent for scripts, and if the text can't be parsed. */
  readonly value: JsonValue | undefined
  /** The last known version on disk. */
  readonly disk: CurrentFile
  readonly base: EditBase
  readonly history: EditHistory
  /** The time of the draft with which the file was opened, in ISO 8601. */
  readonly draftFrom: string | undefined
  readonly isSaving: boolean
  /** The error of the last save. Cleared when the text changes or is saved. */
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
  // One undo goes back to the version on disk.
  const edited = editedFile(file, draft.text, { now: 0 })
  if (edited === file) return file
  const base = draft.etag === file.base.etag ? file.base : { etag: draft.etag, text: undefined }
  return { ...edited, base, draftFrom: draft.keptAt }
}

export const isDirty = ({ text, disk }: FileState): boolean => text !== (disk?.text ?? "")

export const isMissing = ({ text, disk }: FileState): boolean => disk === null && text === ""

/** Returns whether the file on disk differs from the version on which the edits are based. */
export const isInConflict = (file: FileState): boolean =>
  isDirty(file) && file.base.etag !== (file.disk?.etag ?? null)

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

/**
 * Applies a step of the history. If the step merged the version on disk, undo also restores the base. The next save
 * then asks again before it overwrites the file on disk.
 */
const stepped = (
  file: FileState,
  { text, history, base = file.base }: NonNullable<ReturnType<typeof undoStep>>,
): FileState => withText({ ...file, base }, text, history)

/** Records a new version on disk. If nothing is unsaved, shows it as an edit that can be undone. */
export function changedOnDisk(file: FileState, disk: CurrentFile, now: number): FileState {
  if ((disk?.etag ?? null) === (file.disk?.etag ?? null)) return file
  if (isDirty(file)) return settled({ ...file, disk })
  return withDisk({ ...file, disk }, disk?.text ?? "", now)
}

/** Records that this text was saved. The user may have continued to edit. */
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

/** Keeps the user's text. The next save overwrites the version on disk. */
export const keptMine = (file: FileState): FileState => ({
  ...file,
  base: baseOf(file.disk),
  failure: undefined,
})

/** Replaces unsaved text with the version on disk. One undo restores it. */
export const tookTheirs = (file: FileState, now: number): FileState =>
  withDisk({ ...file, draftFrom: undefined }, file.disk?.text ?? "", now)

/** Continues with a merged text. A save may overwrite the version on disk, because the text includes it. */
export const mergedFile = (file: FileState, text: string, now: number): FileState => withDisk(file, text, now)

/** Applies the version on disk in one step. Undo restores the conflict. */
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

/** If the text equals the version on disk, nothing is unsaved. The next edit is based on that version. */
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

/** An open file as components see it. */
export interface OpenFile {
  readonly name: FileName
  /** `missing`: the file doesn't exist, and nothing was typed. `failed`: it can't be read, see `failure`. */
  readonly state: "loading" | "ready" | "missing" | "failed"
  readonly path: string
  /** The edited text, including unsaved changes. */
  readonly text: string
  /** Undefined for scripts, and if the text can't be parsed. */
  readonly value: JsonValue | undefined
  /** The problems of the format, replaced by those of `validate` when these arrive. Sorted by position. */
  readonly problems: readonly Problem[]
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Set if the file on disk has changed during editing. */
  readonly conflict: Conflict | undefined
  readonly canUndo: boolean
  readonly canRedo: boolean
  readonly failure: CallFailure | undefined
  /** The time of the restored draft, in ISO 8601. Cleared by the next edit. */
  readonly draftFrom: string | undefined
  /** True if the draft is lost when the app stops, because it contains a secret or couldn't be written to disk. */
  readonly isDraftInMemory: boolean
}

export interface Conflict {
  /** The version on disk. Null if the file was deleted. */
  readonly theirs: CurrentFile
  /** The version on which the edits are based. Undefined if it is unknown. */
  readonly base: string | undefined
}

export interface EditOptions {
  /** Steps with the same key within a second become one. */
  readonly merge?: string | undefined
}
