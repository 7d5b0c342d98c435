// Open files on Windows. Repeats a call on a file while another program has the file open. Only Windows then refuses to
// replace or remove it: virus scanners, indexers and editors open new files for a moment.

/** What Windows answers. A missing permission has the same codes, so the wait is short. */
const busyCodes: ReadonlySet<unknown> = new Set(["EPERM", "EACCES", "EBUSY"])
const LIMIT_MS = 1_000
const FIRST_PAUSE_MS = 5

/** A flag for opening a file on Windows, which Node passes on: the system deletes the file when it is closed. */
export const O_TEMPORARY = 0x40

interface Patience {
  readonly isWindows: boolean
  /** Blocks for a time in milliseconds. */
  readonly pause?: (ms: number) => void
}

/** Creates a function that performs a call, and on Windows repeats it while the file is busy, for a second at most. */
export const retryWhileBusy =
  ({ isWindows, pause = block }: Patience) =>
  <T>(call: () => T): T => {
    for (let pauseMs = FIRST_PAUSE_MS, waitedMs = 0; ; pauseMs *= 2) {
      try {
        return call()
      } catch (error) {
        const isBusy = error instanceof Error && "code" in error && busyCodes.has(error.code)
        if (!isWindows || !isBusy || waitedMs + pauseMs > LIMIT_MS) throw error
        pause(pauseMs)
        waitedMs += pauseMs
      }
    }
  }

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
