// A time limit that can be paused and later continues with the time left.

const longestPauseMs = 60_000

/** Starts the time limit and calls `onEnd` at most once. Without `timeoutMs`, the time is unlimited. */
export function startDeadline(timeoutMs: number | undefined, onEnd: () => void) {
  if (timeoutMs === undefined)
    return { pause: () => undefined, resume: () => undefined, clear: () => undefined }
  let leftMs = timeoutMs
  let since = performance.now()
  let timer = setTimeout(onEnd, leftMs)
  let isPaused = false
  return {
    /** Pauses the limit until `resume` is called, but for at most a minute. */
    pause: (): void => {
      if (isPaused) return
      isPaused = true
      clearTimeout(timer)
      leftMs -= performance.now() - since
      timer = setTimeout(onEnd, longestPauseMs)
    },
    resume: (): void => {
      if (!isPaused) return
      isPaused = false
      clearTimeout(timer)
      since = performance.now()
      timer = setTimeout(onEnd, Math.max(leftMs, 0))
    },
    clear: (): void => clearTimeout(timer),
  }
}
