// The real clock: wall time for people, a monotonic one for durations, and waits that a signal ends.

import type { Clock } from "../ports.ts"

/** The longest delay of a timer; a longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1

/** `sleep` takes any number of milliseconds: what no timer holds is waited in parts. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve()
        return
      }
      let remaining = ms
      let timer: NodeJS.Timeout
      const finish = (): void => {
        clearTimeout(timer)
        signal.removeEventListener("abort", finish)
        resolve()
      }
      const wait = (): void => {
        const part = Math.min(remaining, longestTimerMs)
        remaining -= part
        timer = setTimeout(remaining > 0 ? wait : finish, part)
      }
      signal.addEventListener("abort", finish, { once: true })
      wait()
    }),
}
