// How a call between the page and the server is declared, and how one that fails is answered.

import type { Problem, shapes } from "@callsheet/format"
import type { CurrentFile } from "./files.ts"

/** A call: `POST /api/<name>` with an input of the shape as JSON, answered with `O`. */
export interface Call<I, O> {
  readonly input: shapes.ObjectShapeOf<I>
  /** Only its type counts. */
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

export interface CallFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  /** With 422: what is wrong with the text, by place. */
  readonly problems?: readonly Problem[] | undefined
  /** With 409: what is on the disk now. Absent where it may not be shown. */
  readonly current?: CurrentFile | undefined
}
