// One listener for each abort signal, however many requests hang on it.

export interface Cancelling {
  /** Calls `cancel` when the signal aborts, unless it is removed before. */
  readonly add: (signal: AbortSignal, cancel: () => void) => void
  readonly remove: (signal: AbortSignal, cancel: () => void) => void
}

/** A listener per request would be slow, and a warning past ten. */
export function createCancelling(): Cancelling {
  const waiting = new WeakMap<AbortSignal, Set<() => void>>()
  return {
    add: (signal, cancel) => {
      let cancels = waiting.get(signal)
      if (cancels === undefined) {
        const fresh = (cancels = new Set())
        waiting.set(signal, fresh)
        signal.addEventListener("abort", () => [...fresh].forEach((each) => each()), { once: true })
      }
      cancels.add(cancel)
    },
    remove: (signal, cancel) => waiting.get(signal)?.delete(cancel),
  }
}
