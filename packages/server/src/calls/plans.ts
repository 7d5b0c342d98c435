// Calls for multi-file changes that are previewed before they are made.

import { shapes } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { text } from "./names.ts"

const { object, required } = shapes

export const planCalls = {
  /** Applies everything or nothing; 409 if a file has changed. Works for ten minutes; a second call repeats the answer. */
  "plans.apply": call(
    object({ plan: required(text, "The id that the plan was answered with.") }),
    answer<Nothing>(),
  ),
}

export interface ChangePlan {
  readonly plan: string
  /** The changed item's own files first, then those that use it. Large plans are cut to what a person can review. */
  readonly files: readonly PlannedFile[]
  readonly fileCount: number
  /** Names of the changed files that are not in `files`. */
  readonly omitted: readonly string[]
  /** Sentences to read first: values that stay in git history, references that are not updated. */
  readonly notes: readonly string[]
}

export interface PlannedFile {
  readonly path: string
  readonly from?: string | undefined
  /** Null if the file doesn't exist. Secrets are masked; for a secrets file only names are shown: `apiKey=***`. */
  readonly before: string | null
  readonly after: string
}
