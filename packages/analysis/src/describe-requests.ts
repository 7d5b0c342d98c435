// How many requests are sent at least, in words.

import { mayWrite, type MethodCount, type RequestCount } from "./count-requests.ts"

export interface MethodWords {
  readonly name: string
  /** `POST 2`, or `perhaps DELETE`. */
  readonly text: string
  readonly mayWrite: boolean
}

/** `at least 1,000 requests`. */
export const requestWords = ({ atLeast }: RequestCount): string =>
  `at least ${atLeast.toLocaleString("en-US")} request${atLeast === 1 ? "" : "s"}`

/** A word or two for each method that may be sent; those that are sent for certain come first. */
export function methodWords({ methods }: RequestCount): readonly MethodWords[] {
  const certain = methods.filter(({ atLeast }) => atLeast > 0)
  return [...certain, ...methods.filter(({ atLeast }) => atLeast === 0)].map((count) => ({
    name: count.method ?? "methods known only at run time",
    text: wordsOf(count),
    mayWrite: mayWrite(count.method),
  }))
}

function wordsOf({ method, atLeast }: MethodCount): string {
  const least = atLeast.toLocaleString("en-US")
  if (method !== undefined) return atLeast === 0 ? `perhaps ${method}` : `${method} ${least}`
  return `${atLeast === 0 ? "perhaps some" : least} whose method is known only at run time`
}
