// Numbers the states of the project's files, so that no result mixes two states.

export interface Dated<T> {
  readonly revision: number
  readonly value: T
}

export type Revisions = ReturnType<typeof createRevisions>

const ATTEMPTS = 4
/** The maximum wait for a change to be reported. A report usually takes half a second, but longer in a busy process. */
const MAX_WAIT_MS = 2000

/** Creates the revisions. `isPending` returns whether a change was detected but not reported yet. */
export function createRevisions(isPending: () => boolean) {
  let revision = 1
  let isClosed = false
  const waiting = new Set<() => void>()
  const wake = (): void => {
    for (const go of waiting) go()
  }
  const untilReported = (): Promise<void> =>
    new Promise((resolve) => {
      const go = (): void => {
        clearTimeout(timer)
        waiting.delete(go)
        resolve()
      }
      const timer = setTimeout(go, MAX_WAIT_MS).unref()
      waiting.add(go)
    })
  return {
    current: (): number => revision,
    /** Starts a new revision after files have changed. Returns its number. */
    advance: (): number => {
      revision++
      wake()
      return revision
    },
    /** Reads files again if they change during the read. If they keep changing, returns the last result. */
    read: async <T>(read: () => T): Promise<Dated<T>> => {
      for (let attempt = 1; ; attempt++) {
        const before = revision
        const value = read()
        // Node looks for file events between two turns of the event loop.
        await turn()
        await turn()
        const isConsistent = revision === before && !isPending()
        if (isConsistent || attempt === ATTEMPTS || isClosed) return { revision: before, value }
        if (revision === before) await untilReported()
      }
    },
    isClosed: (): boolean => isClosed,
    close: (): void => {
      isClosed = true
      wake()
    },
  }
}

export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/** Caches results for the latest revision, and shares those in progress. Doesn't cache errors. */
export function createRevisionCache<T>(make: (name: string) => Promise<Dated<T>>) {
  const made = new Map<string, Promise<Dated<T>>>()
  const start = (name: string): Promise<Dated<T>> => {
    const promise = make(name)
    made.set(name, promise)
    return promise
  }
  return async (atLeast: number, name: string): Promise<T> => {
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
