// Answers that are kept as long as they are of the latest revision, and made once for all who ask at the same time.

import type { Dated } from "./moments.ts"

/** The answer of that name, of a revision of at least `atLeast`. */
export type Kept<T> = (atLeast: number, name: string) => Promise<T>

/** `make` gives an answer of the revision at which it was called, or of a later one. What it throws is not kept. */
export function createKept<T>(make: (name: string) => Promise<Dated<T>>): Kept<T> {
  const made = new Map<string, Promise<Dated<T>>>()
  const start = (name: string): Promise<Dated<T>> => {
    const promise = make(name)
    made.set(name, promise)
    return promise
  }
  return async (atLeast, name) => {
    for (;;) {
      const promise = made.get(name) ?? start(name)
      const { revision, value } = await promise.catch((error: unknown) => {
        if (made.get(name) === promise) made.delete(name)
        throw error
      })
      if (revision >= atLeast) return value
      if (made.get(name) === promise) made.delete(name)
    }
  }
}
