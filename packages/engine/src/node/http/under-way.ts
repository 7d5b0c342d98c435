// Watches the requests in flight with one timer for all deadlines and one listener per abort signal.

import { MAX_TIMER_MS, monotonicMs } from "../monotonic.ts"

export interface Watched {
  readonly signal: AbortSignal
  /** The deadline in milliseconds of `monotonicMs()`. */
  readonly deadline: number
  readonly cancel: () => void
  readonly timeOut: () => void
  /** The index in the list. Only `UnderWay` changes it. */
  slot: number
}

/**
 * Calls `cancel` if a signal aborts, and `timeOut` if a deadline passes. A timer and a listener for each request would
 * be slow, and Node warns about more than ten listeners.
 */
export class UnderWay {
  // Not a `Set`, because V8 keeps removed members of one that changes constantly in old hash tables.
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
    // Keep the timer for later requests, but don't let it keep the process alive.
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
