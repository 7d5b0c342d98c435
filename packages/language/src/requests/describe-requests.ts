// How many requests are sent at least, in words.

import { mayWrite, type MethodCount, type RequestCount } from "./count-requests.ts"

export interface MethodWords {
  /** Of the method. */
  readonly name: string
  /** `POST 2`, or `perhaps DELETE`. */
  readonly text: string
  readonly mayWrite: boolean
}

/** `at least 1,000 requests`. */
export const requestWords = ({ atLeast }: RequestCount): string =>
  `at least ${inDigits(atLeast)} request${atLeast === 1 ? "" : "s"}`

/** A word or two for each method that may be sent; those that are sent for certain come first. */
export function methodWords({ atLeast, methods }: RequestCount): readonly MethodWords[] {
  const certain = methods.filter((method) => method.atLeast > 0)
  const words = [...certain, ...methods.filter((method) => method.atLeast === 0)].map((count) => ({
    name: count.method ?? "methods known only at run time",
    text: wordsOf(count),
    mayWrite: mayWrite(count.method),
  }))
  // Of two branches one is taken, and nobody knows which: what both send is of neither's method.
  const more = atLeast - certain.reduce((sum, method) => sum + method.atLeast, 0)
  return more > 0 ? [...words, { name: "", text: `${inDigits(more)} more of these`, mayWrite: false }] : words
}

function wordsOf({ method, atLeast }: MethodCount): string {
  const least = inDigits(atLeast)
  if (method !== undefined) return atLeast === 0 ? `perhaps ${method}` : `${method} ${least}`
  return `${atLeast === 0 ? "perhaps some" : least} whose method is known only at run time`
}

const inDigits = (count: number): string => count.toLocaleString("en-US")
