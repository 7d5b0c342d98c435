// Handles Ctrl-C and similar signals. The first cancels the work, the second ends the process.

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
  const ended = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()))
  for (const name of signals) process.on(name, hear)
  try {
    return await work({ signal, ended, exitCode: () => exitCode })
  } finally {
    for (const name of signals) process.off(name, hear)
  }
}
