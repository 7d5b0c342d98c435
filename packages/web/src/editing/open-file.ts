// What a component sees of an open file.

import type { JsonValue, Problem } from "@callsheet/format"
import type { CallFailure, CurrentFile, FileName } from "@callsheet/server/calls"

export interface OpenFile {
  readonly name: FileName
  /** `missing`: there is no such file, and nothing was typed. `failed`: it could not be read; `failure` says why. */
  readonly state: "loading" | "ready" | "missing" | "failed"
  /** From the root of the project, for showing. */
  readonly path: string
  /** As it is edited, with what is not saved. */
  readonly text: string
  /** Its parse; undefined where it does not parse, and of a script. */
  readonly value: JsonValue | undefined
  /** The format's own at once, then what `validate` would say of it. By place. */
  readonly problems: readonly Problem[]
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** The file has changed on the disk since the edits were begun. */
  readonly conflict: Conflict | undefined
  readonly canUndo: boolean
  readonly canRedo: boolean
  /** Why it could not be read, or was not saved. */
  readonly failure: CallFailure | undefined
  /** ISO 8601: the unsaved text is a draft that was kept then. Until the next edit. */
  readonly draftFrom: string | undefined
  /** The draft is lost when the application ends: it holds the value of a secret, or the disk refused it. */
  readonly isDraftInMemory: boolean
}

export interface Conflict {
  /** What stands on the disk now; null: the file was deleted. */
  readonly theirs: CurrentFile
  /** What the edits were begun from; undefined where nobody knows any more. */
  readonly base: string | undefined
}

export interface EditOptions {
  /** Steps of the same key within a second are undone as one. */
  readonly merge?: string | undefined
}
