// Calls for changes to several files, which are previewed before they are applied.

import { shapes } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { text } from "./names.ts"

const { object, required } = shapes

export const planCalls = {
  /** Applies all changes or none. Answers 409 if a file has changed. Valid for ten minutes. Repeating it has no effect. */
  "plans.apply": call(
    object({ plan: required(text, "The id that the plan was answered with.") }),
    answer<Nothing>(),
  ),
}

export interface ChangePlan {
  readonly plan: string
  /** The changed item's own files, then the files that use it. Large plans are cut to what a person can review. */
  readonly files: readonly PlannedFile[]
  readonly fileCount: number
  /** The names of changed files that are missing from `files`. */
  readonly omitted: readonly string[]
  /** Notes that the user should read first, such as values that stay in git history, or references that aren't updated. */
  readonly notes: readonly string[]
}

export interface PlannedFile {
  readonly path: string
  readonly from?: string | undefined
  /** Null if the file doesn't exist. Secrets are masked. Of a secrets file, only names are shown: `apiKey=***`. */
  readonly before: string | null
  readonly after: string
}
