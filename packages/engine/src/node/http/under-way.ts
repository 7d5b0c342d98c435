// Watches the requests in flight: one timer for all deadlines, one listener per abort signal.

import { monotonicMs } from "../monotonic.ts"

export interface Watched {
  readonly signal: AbortSignal
  /** On the clock of `monotonicMs()`. */
  readonly deadline: number
  readonly cancel: () => void
  readonly timeOut: () => void
  /** Index in the list; only `UnderWay` writes it. */
  slot: number
}

/** The longest delay of a timer; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Calls `cancel` if a signal aborts and `timeOut` if a deadline passes before the request is removed. A timer and a
 * listener per request would cost much of a small request's time, and more than ten listeners cause a warning.
 */
export class UnderWay {
  // Not a `Set`: the dead hash tables of one that changes all the time keep its former members from early collection.
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
    // It stays for later requests, but must not keep the process alive.
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
    const delayMs = Math.min(Math.max(at - monotonicMs(), 1), MAX_TIMER_MS)
    this.#timer = setTimeout(() => this.#fire(), delayMs)
  }

  #fire(): void {
    this.#timer = undefined
    this.#firesAt = Infinity
    // A timer may fire a millisecond early.
    const now = monotonicMs() + 1
    this.#items.filter(({ deadline }) => deadline <= now).forEach((item) => item.timeOut())
    const next = this.#items.reduce((least, { deadline }) => Math.min(least, deadline), Infinity)
    if (next < this.#firesAt) this.#arm(next)
  }
}
