// Limits how many tasks run at once. The others wait in a queue.

export type Limiter = ReturnType<typeof createLimiter>

export function createLimiter(limit: number) {
  let free = limit
  const waiting: (() => void)[] = []
  let first = 0
  return {
    /** Takes a slot, which the caller must release with `leave`. Returns a promise if it has to wait for one. */
    enter: (): Promise<void> | undefined => {
      if (free === 0) return new Promise<void>((resolve) => waiting.push(resolve))
      free--
      return undefined
    },
    leave: (): void => {
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
