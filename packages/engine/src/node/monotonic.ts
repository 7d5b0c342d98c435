// The monotonic clock and the limit of timers. Doesn't use `performance`, which takes half a millisecond to load.

/** The longest delay of a timer in milliseconds. With a longer delay, a timer fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns milliseconds since an arbitrary point in time. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
