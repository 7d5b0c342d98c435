// Ctrl-C and similar signals: the first cancels the work, the second ends the process.

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Signal = keyof typeof exitCodes
const signals = Object.keys(exitCodes) as readonly Signal[]

export type Interrupts = ReturnType<typeof watchInterrupts>

/** Starts listening. At the second signal, `exit` ends the process immediately. */
export function watchInterrupts(exit: (code: number) => never) {
  const controller = new AbortController()
  let exitCode: number | undefined
  const hear = (signal: Signal) => {
    if (exitCode !== undefined) exit(exitCodes[signal])
    exitCode = exitCodes[signal]
    controller.abort()
  }
  for (const signal of signals) process.on(signal, hear)
  return {
    signal: controller.signal,
    /** Fulfilled at the first signal. */
    ended: new Promise<void>((resolve) => controller.signal.addEventListener("abort", () => resolve())),
    /** The exit code of the first signal; undefined without one. */
    exitCode: (): number | undefined => exitCode,
    stop: (): void => {
      for (const signal of signals) process.off(signal, hear)
    },
  }
}
