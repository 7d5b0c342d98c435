// At most so many things at once; who comes later waits in line.

export interface Limiter {
  /** Takes a place: at once where it returns nothing, else when what it returns resolves. Each is given back by `leave`. */
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
