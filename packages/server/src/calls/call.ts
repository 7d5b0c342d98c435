// Declares calls from the page to the server, and the answers to failed calls.

import type { Problem, shapes } from "@callsheet/format"
import type { CurrentFile } from "./files.ts"

/** A call: `POST /api/<name>` with JSON input of the given shape, answered with `O`. */
export interface Call<I, O> {
  readonly input: shapes.ObjectShapeOf<I>
  /** The type of the answer. Has no value at run time. */
  readonly answer: Answer<O>
}

interface Answer<O> {
  readonly "~type"?: O
}

export const answer = <O>(): Answer<O> => ({})

export const call = <I, O>(input: shapes.ObjectShapeOf<I>, answers: Answer<O>): Call<I, O> => ({
  input,
  answer: answers,
})

export const callPath = (name: string): string => `/api/${name}`

export type Nothing = Readonly<Record<string, never>>

export interface Saved {
  readonly etag: string
}

export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  /** Sent with 422: the problems of the text, including their positions. */
  readonly problems?: readonly Problem[] | undefined
  /** Sent with 409: the contents now on disk. Absent if the page must not see them. */
  readonly current?: CurrentFile | undefined
}
