// Changes of several files that are shown before they are made.

import { shapes } from "@callsheet/format"
import { answer, call, type Nothing } from "./call.ts"
import { text } from "./names.ts"

const { object, required } = shapes

export const planCalls = {
  /** All or nothing; 409 if one of its files has changed. Works once, for ten minutes; a second call repeats the answer. */
  "plans.apply": call(
    object({ plan: required(text, "The id that the plan was answered with.") }),
    answer<Nothing>(),
  ),
}

export interface ChangePlan {
  readonly plan: string
  /** What is changed itself first, then what reads it. Of many and large files those that can be looked at. */
  readonly files: readonly PlannedFile[]
  readonly fileCount: number
  readonly unshown: readonly string[]
  /** What is to be known before: values that stay in the history, places that are not fixed. Whole sentences. */
  readonly notes: readonly string[]
}

export interface PlannedFile {
  readonly path: string
  readonly from?: string | undefined
  /** Null where there is no such file. Secrets are masked; of a secrets file it has the names alone: `apiKey=***`. */
  readonly before: string | null
  readonly after: string
}
