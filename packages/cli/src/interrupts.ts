// Handles Ctrl-C and similar signals, and unexpected errors. The first cancels the work, the second ends the process.

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Signal = keyof typeof exitCodes
const signals = Object.keys(exitCodes) as readonly Signal[]

export interface Interrupts {
  readonly signal: AbortSignal
  /** Resolves at the first signal. */
  readonly ended: Promise<void>
  /** Returns the exit code for the first signal. Undefined if none arrived. */
  readonly exitCode: () => number | undefined
}

/** Cancels the work in progress because of an unexpected error. */
let cancelWork: ((exitCode: number) => void) | undefined

/** The time for canceled work to run its cleanup and write its reports, although a part of it may never end. */
const MAX_ENDING_MS = 60_000

/**
 * Cancels the work in progress, as Ctrl-C does, so that it writes its reports. Returns false if there is none, or if it
 * was canceled for this reason before.
 */
export function interruptWork(exitCode: number): boolean {
  const cancel = cancelWork
  cancelWork = undefined
  cancel?.(exitCode)
  return cancel !== undefined
}

/** Handles signals during `work`. At the second one, calls `exit` at once. */
export async function withInterrupts<T>(
  exit: (code: number) => never,
  work: (interrupts: Interrupts) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  let exitCode: number | undefined
  const hear = (name: Signal) => {
    if (exitCode !== undefined) exit(exitCodes[name])
    exitCode = exitCodes[name]
    controller.abort()
  }
  let timer: NodeJS.Timeout | undefined
  const outer = cancelWork
  cancelWork = (code) => {
    exitCode ??= code
    controller.abort()
    timer = setTimeout(() => exit(code), MAX_ENDING_MS)
  }
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
  for (const name of signals) process.on(name, hear)
  try {
    return await work({ signal, ended, exitCode: () => exitCode })
  } finally {
    cancelWork = outer
    clearTimeout(timer)
    for (const name of signals) process.off(name, hear)
  }
}
