// Calls that change several files. The user sees a preview first.

import { shapes } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { text } from "./names.ts"

const { object, required } = shapes

export const changeSetCalls = {
  /**
   * Makes all changes or none. Answers 409 if a file has changed. A change set is valid for ten minutes. Applying it again
   * has no effect.
   */
  "plans.apply": call(
    object({ plan: required(text, "The id that the preview returned.") }),
    answer<Nothing>(),
  ),
}

export interface ChangePreview {
  readonly plan: string
  /** The files of the changed item, then those that use it. A large preview is cut to what a person can review. */
  readonly files: readonly ChangedFile[]
  readonly fileCount: number
  /** The changed files that `files` leaves out. */
  readonly omitted: readonly string[]
  /** Notes to read before the change. For example, git history keeps a value, or a reference isn't updated. */
  readonly notes: readonly string[]
}

export interface ChangedFile {
  readonly path: string
  readonly from?: string | undefined
  /** Null if the file doesn't exist. Secrets are masked. For a secrets file, only names are shown: `apiKey=***`. */
  readonly before: string | null
  readonly after: string
  /** Set if the file is removed. `after` is then empty. */
  readonly isRemoved?: true | undefined
}
