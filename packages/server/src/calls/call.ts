// Declares calls from the page to the server, and the answer to a failed call.

import type { Problem, shapes } from "@callsheet/format"

/** A call: `POST /api/<name>` with JSON of the given shape. `O` is the type of the answer. */
export interface Call<I, O> {
  readonly input: shapes.ObjectShapeOf<I>
  /** Exists only as a type. It has no value at run time. */
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
  /** The problems of the text, with their positions. Sent with 422. */
  readonly problems?: readonly Problem[] | undefined
  /** The contents on disk. Sent with 409, unless the page must not see them. */
  readonly current?: CurrentFile | undefined
}

export type CurrentFile = { readonly text: string; readonly etag: string } | null
