// Repeats a slow read, one at a time. The longer a read takes, the longer is the pause after it.

interface PacedReads {
  /** `later` waits for the pause. All requests that arrive during a read share the next read. */
  readonly ask: (when: "now" | "later") => void
}

const shortestPauseMs = 300

/** `read` must never reject. */
export function createPacedReads(read: () => Promise<void>): PacedReads {
  let isReading = false
  let asked: "now" | "later" | undefined
  let pause: ReturnType<typeof setTimeout> | undefined
  const begin = async (): Promise<void> => {
    clearTimeout(pause)
    isReading = true
    asked = undefined
    const began = performance.now()
    await read()
    isReading = false
    rest(Math.max(shortestPauseMs, 4 * (performance.now() - began)))
  }
  const rest = (timeMs: number): void => {
    if (asked === "now") void begin()
    else pause = setTimeout(wake, timeMs)
  }
  const wake = (): void => {
    pause = undefined
    if (asked !== undefined) void begin()
  }
  return {
    ask: (when) => {
      if (asked !== "now") asked = when
      if (!isReading && (when === "now" || pause === undefined)) void begin()
    },
  }
}
