// A time limit that can be stopped and goes on with what was left.

export interface Deadline {
  /** Until `resume`, the time does not count; it ends all the same after a minute of that. */
  readonly pause: () => void
  readonly resume: () => void
  readonly clear: () => void
}

/** A longer timer fires at once: Node counts milliseconds in 31 bits. */
const longestTimerMs = 2 ** 31 - 1
const longestPauseMs = 60_000

/** Starts at once; `onEnd` is called at most once. Without `timeoutMs` it never ends. */
export function startDeadline(timeoutMs: number | undefined, onEnd: () => void): Deadline {
  if (timeoutMs === undefined)
    return { pause: () => undefined, resume: () => undefined, clear: () => undefined }
  let leftMs = Math.min(timeoutMs, longestTimerMs)
  let since = performance.now()
  let timer = setTimeout(onEnd, leftMs)
  let isPaused = false
  return {
    pause: () => {
      if (isPaused) return
      isPaused = true
      clearTimeout(timer)
      leftMs -= performance.now() - since
      timer = setTimeout(onEnd, longestPauseMs)
    },
    resume: () => {
      if (!isPaused) return
      isPaused = false
      clearTimeout(timer)
      since = performance.now()
      timer = setTimeout(onEnd, Math.max(leftMs, 0))
    },
    clear: () => clearTimeout(timer),
  }
}
