// An open file as components see it.

import type { JsonValue, Problem } from "@callsheet/format"
import type { CallFailure, CurrentFile, FileName } from "@callsheet/server/calls"

export interface OpenFile {
  readonly name: FileName
  /** `missing`: the file doesn't exist and nothing was typed. `failed`: it can't be read for the reason in `failure`. */
  readonly state: "loading" | "ready" | "missing" | "failed"
  readonly path: string
  /** The edited text, including unsaved changes. */
  readonly text: string
  /** The parsed text. Undefined for scripts, and if the text can't be parsed. */
  readonly value: JsonValue | undefined
  /** Format problems at first, then those of `validate`. Sorted by position. */
  readonly problems: readonly Problem[]
  readonly isDirty: boolean
  readonly isSaving: boolean
  /** Set if the file on disk has changed since editing began. */
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
  /** The version on disk, or null if the file was deleted. */
  readonly theirs: CurrentFile
  /** The version that the edits are based on. Undefined if unknown. */
  readonly base: string | undefined
}

export interface EditOptions {
  /** Steps with the same key within a second are undone as one. */
  readonly merge?: string | undefined
}
