// An open file as components see it.

import type { JsonValue, Problem } from "@callsheet/format"
import type { CallFailure, CurrentFile, FileName } from "@callsheet/server/calls"

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
