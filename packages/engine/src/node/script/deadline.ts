// A time limit that can be paused and later continues with the time left.

export interface Deadline {
  /** Pauses the time until `resume`, but for at most a minute. */
  readonly pause: () => void
  readonly resume: () => void
  readonly clear: () => void
}

/** A longer timer fires at once: Node counts milliseconds in 31 bits. */
const MAX_TIMER_MS = 2 ** 31 - 1
const longestPauseMs = 60_000

/** Starts at once and calls `onEnd` at most once. Without `timeoutMs` it never ends. */
export function startDeadline(timeoutMs: number | undefined, onEnd: () => void): Deadline {
  if (timeoutMs === undefined)
    return { pause: () => undefined, resume: () => undefined, clear: () => undefined }
  let leftMs = Math.min(timeoutMs, MAX_TIMER_MS)
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
