// The processes that run scripts: a pool, or one process that a debugger attaches to.

import type { ScriptDescription } from "@callsheet/language"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { ScriptCall, ScriptOutcome } from "../../ports.ts"
import { callInChild, cancelled, describeInChild } from "./call-in-child.ts"
import { ChildPool } from "./child-pool.ts"
import { ScriptChild, type ChildOptions, type Ending } from "./child-process.ts"
import type { InspectOptions } from "./inspector.ts"

export type ScriptProcesses = ReturnType<typeof createScriptProcesses>

/** No process is started before the first call. */
export function createScriptProcesses(
  options: ChildOptions,
  { concurrency, inspect }: { readonly concurrency: number; readonly inspect: InspectOptions | undefined },
) {
  const pool = new ChildPool(options, concurrency)
  const inspected = inspect === undefined ? undefined : createInspectedChild(options, inspect)
  return {
    describe: async (file: string, source: string): Promise<ScriptDescription> => {
      let description: ScriptDescription = { ok: false, message: messages.cancelled.run().message }
      const ending = await pool.lend(async (child) => {
        description = await describeInChild(child, { file, source })
        return true
      })
      return ending === undefined ? description : { ok: false, message: ending.message }
    },
    call: (call: ScriptCall): Promise<ScriptOutcome> =>
      callInLent(inspected ?? pool, call, inspected === undefined),
    prepare: async (signal: AbortSignal | undefined): Promise<void> => {
      const ending = await inspected?.open(signal)
      if (ending !== undefined) throw new CallsheetError(messages.usage.debugger(ending.message))
    },
    close: async (): Promise<void> => {
      await Promise.all([pool.close(), inspected?.close()])
    },
  }
}

/**
 * Calls a script in a child of the pool. Resolves with the outcome, even if the child is still checking for leftovers.
 */
function callInLent(
  pool: Pick<ChildPool, "lend">,
  call: ScriptCall,
  limited: boolean,
): Promise<ScriptOutcome> {
  return new Promise((resolve, reject) => {
    const lent = pool.lend(async (child, onServed) => {
      const { outcome, reusable } = await callInChild(child, call, limited)
      onServed()
      resolve(outcome)
      return reusable
    }, call.signal)
    // If the pool has no child to lend, this settles the call. Otherwise, it has no effect.
    const onEnding = (ending: Ending | undefined): void =>
      resolve(ending === undefined ? cancelled : { ok: false, ...ending })
    lent.then(onEnding, reject)
  })
}

/** Manages the process to which a debugger attaches. It serves all calls, so that the debugger attaches only once. */
function createInspectedChild(options: ChildOptions, inspect: InspectOptions) {
  let { port } = inspect
  let child: ScriptChild | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()

  const start = async (signal: AbortSignal | undefined): Promise<ScriptChild | Ending | undefined> => {
    const isOver = (): boolean => isClosed || signal?.aborted === true
    if (isOver()) return undefined
    if (child?.isAlive === true) return child
    const onWaiting = (address: string): void => {
      // The debugger expects the next process on the same port.
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
