// The monotonic clock and the limit of timers. `performance` offers a clock too, but loading it takes half a millisecond.

/** The longest delay of a timer. With a longer one, the timer would fire immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns milliseconds since an arbitrary moment. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
