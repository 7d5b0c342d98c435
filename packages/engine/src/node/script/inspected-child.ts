// Manages the script process that a debugger attaches to. One process serves all calls, so it attaches only once.

import type { ChildPool } from "./child-pool.ts"
import { ScriptChild, type ChildOptions, type Ending } from "./child-process.ts"
import type { InspectOptions } from "./inspector.ts"

export function createInspectedChild(options: ChildOptions, inspect: InspectOptions) {
  let { port } = inspect
  let child: ScriptChild | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const start = async (signal: AbortSignal | undefined): Promise<ScriptChild | Ending | undefined> => {
    const isOver = (): boolean => isClosed || signal?.aborted === true
    if (isOver()) return undefined
    if (child?.isAlive === true) return child
    const onWaiting = (address: string): void => {
      // Reuse the port for the next process, because the debugger expects it there.
      port = Number(new URL(address).port)
      inspect.onWaiting(address)
    }
    const started = (child = new ScriptChild({ ...options, inspect: { port, onWaiting } }))
    const stop = (): void => started.kill()
    signal?.addEventListener("abort", stop, { once: true })
    const ending = await started.ready
    signal?.removeEventListener("abort", stop)
    if (ending === undefined) return started
    return isOver() ? undefined : ending
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work)
    last = done.catch(() => undefined)
    return done
  }
  const lend: ChildPool["lend"] = (use, signal) =>
    inTurn(async () => {
      const lent = await start(signal)
      if (!(lent instanceof ScriptChild)) return lent
      if (await use(lent, () => undefined)) return undefined
      lent.kill()
      // The port is free only after the process has ended.
      await lent.ended
      return undefined
    })
  return {
    lend,
    /** Starts the process and waits for a debugger. Resolves with an ending if that fails. */
    open: (signal: AbortSignal | undefined): Promise<Ending | undefined> =>
      inTurn(async () => {
        const started = await start(signal)
        return started instanceof ScriptChild ? undefined : started
      }),
    close: async (): Promise<void> => {
      isClosed = true
      child?.kill()
      await child?.ended
    },
  }
}
