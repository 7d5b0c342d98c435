// The requests under way: one timer for all of their deadlines, one listener for each abort signal.

export interface Watched {
  readonly signal: AbortSignal
  /** When it must have ended, on the clock of `performance.now()`. */
  readonly deadline: number
  readonly cancel: () => void
  readonly timeOut: () => void
  /** Where it stands in the list; kept by `UnderWay` alone. */
  slot: number
}

/** The longest delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Calls `cancel` when a signal aborts and `timeOut` when a deadline passes, unless the request is removed before. A timer
 * and a listener for each request would be a large part of what a small one costs, and the listeners a warning past ten.
 */
export class UnderWay {
  // No `Set`: the dead hash tables of one that changes all the time keep what they held from being collected while young.
  readonly #items: Watched[] = []
  readonly #heard = new WeakSet<AbortSignal>()
  #timer: NodeJS.Timeout | undefined
  #firesAt = Infinity

  add(item: Watched): void {
    item.slot = this.#items.length
    this.#items.push(item)
    if (!this.#heard.has(item.signal)) this.#hear(item.signal)
    if (item.deadline < this.#firesAt) this.#arm(item.deadline)
    else if (item.slot === 0) this.#timer?.ref()
  }

  remove(item: Watched): void {
    const items = this.#items
    if (items[item.slot] !== item) return
    const last = items.pop()
    if (last !== undefined && last !== item) {
      last.slot = item.slot
      items[item.slot] = last
    }
    // It stays, for the requests to come, but must not hold the process.
    if (items.length === 0) this.#timer?.unref()
  }

  #hear(signal: AbortSignal): void {
    this.#heard.add(signal)
    const cancelAll = (): void => {
      this.#items.filter((item) => item.signal === signal).forEach((item) => item.cancel())
    }
    signal.addEventListener("abort", cancelAll, { once: true })
  }

  #arm(at: number): void {
    clearTimeout(this.#timer)
    this.#firesAt = at
    const delayMs = Math.min(Math.max(at - performance.now(), 1), longestTimerMs)
    this.#timer = setTimeout(() => this.#fire(), delayMs)
  }

  #fire(): void {
    this.#timer = undefined
    this.#firesAt = Infinity
    // A timer may come a millisecond early.
    const now = performance.now() + 1
    this.#items.filter(({ deadline }) => deadline <= now).forEach((item) => item.timeOut())
    const next = this.#items.reduce((least, { deadline }) => Math.min(least, deadline), Infinity)
    if (next < this.#firesAt) this.#arm(next)
  }
}
