// At most so many things at once; who comes later waits in line.

export interface Limiter {
  /** Runs `work` once there is room for it. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

export function createLimiter(limit: number): Limiter {
  let free = limit
  const waiting: (() => void)[] = []
  let first = 0
  const release = () => {
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
  }
  return {
    run: async (work) => {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
