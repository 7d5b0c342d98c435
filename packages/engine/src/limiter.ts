// Limits how many tasks run at once; the others wait in a queue.

export interface Limiter {
  /**
   * Takes a slot. Returns undefined if one is free, else a promise that resolves when it is. Release each slot with
   * `leave`.
   */
  readonly enter: () => Promise<void> | undefined
  readonly leave: () => void
}

export function createLimiter(limit: number): Limiter {
  let free = limit
  const waiting: (() => void)[] = []
  let first = 0
  return {
    enter: () => {
      if (free === 0) return new Promise<void>((resolve) => waiting.push(resolve))
      free--
      return undefined
    },
    leave: () => {
      const next = waiting[first]
      if (next === undefined) {
        free++
        return
      }
      first++
      if (first === waiting.length) {
        waiting.length = 0
        first = 0
      }
      next()
    },
  }
}
