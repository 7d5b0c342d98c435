// One listener for each abort signal, however many requests hang on it.

export interface Cancellable {
  readonly cancel: () => void
  /** Where it stands in its list; kept by `Cancelling` alone. */
  slot: number
}

export interface Cancelling {
  /** `cancel` is called when the signal aborts, unless it is removed before. */
  readonly add: (signal: AbortSignal, item: Cancellable) => void
  readonly remove: (signal: AbortSignal, item: Cancellable) => void
}

/**
 * A listener per request would be slow, and a warning past ten. The list is an array and no `Set`: the dead hash
 * tables of one that changes all the time keep what they held from being collected while it is young.
 */
export function createCancelling(): Cancelling {
  const waiting = new WeakMap<AbortSignal, Cancellable[]>()
  return {
    add: (signal, item) => {
      let items = waiting.get(signal)
      if (items === undefined) {
        const fresh: Cancellable[] = (items = [])
        waiting.set(signal, fresh)
        signal.addEventListener("abort", () => [...fresh].forEach((each) => each.cancel()), { once: true })
      }
      item.slot = items.length
      items.push(item)
    },
    remove: (signal, item) => {
      const items = waiting.get(signal)
      if (items?.[item.slot] !== item) return
      const last = items.pop()!
      if (last === item) return
      last.slot = item.slot
      items[item.slot] = last
    },
  }
}
