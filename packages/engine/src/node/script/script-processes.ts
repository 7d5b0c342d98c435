// The processes that run scripts: a pool, whose only process a debugger may attach to.

import type { ScriptDescription } from "@callsheet/language"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../../messages.ts"
import type { ScriptCall, ScriptOutcome } from "../../ports.ts"
import { callInChild, describeInChild } from "./call-in-child.ts"
import { ChildPool } from "./child-pool.ts"
import { ScriptChild, type ChildOptions } from "./child-process.ts"
import type { InspectOptions } from "./inspector.ts"

/** No process is started before the first call. */
export function createScriptProcesses(
  options: ChildOptions,
  { concurrency, inspect }: { readonly concurrency: number; readonly inspect: InspectOptions | undefined },
) {
  const pool = new ChildPool(() => new ScriptChild(options), concurrency)
  // One process serves all calls, so that the debugger attaches only once.
  const calls = inspect === undefined ? pool : new ChildPool(createInspected(options, inspect), 1)
  return {
    describe: async (file: string, source: string): Promise<ScriptDescription> => {
      const child = await pool.borrow()
      if (!(child instanceof ScriptChild)) return { ok: false, message: child.message }
      const description = await describeInChild(child, { file, source })
      pool.giveBack(child, true)
      return description
    },
    call: async (call: ScriptCall): Promise<ScriptOutcome> => {
      const child = await calls.borrow(call.signal)
      if (!(child instanceof ScriptChild)) return { ok: false, ...child }
      const { outcome, isReusable } = await callInChild(child, call, inspect === undefined)
      calls.giveBack(child, isReusable)
      return outcome
    },
    /** Starts the process for a debugger and waits until one is attached. */
    warmUp: async (signal: AbortSignal | undefined): Promise<void> => {
      const child = await calls.borrow(signal)
      if (child instanceof ScriptChild) calls.giveBack(child, true)
      else if (child.code === "script-error") throw new CallsheetError(messages.usage.debugger(child.message))
    },
    close: async (): Promise<void> => {
      await Promise.all([pool.close(), calls.close()])
    },
  }
}

/** Returns a function that starts a process for a debugger, which expects the next one on the same port. */
function createInspected(options: ChildOptions, inspect: InspectOptions): () => ScriptChild {
  let { port } = inspect
  const onWaiting = (address: string): void => {
    port = Number(new URL(address).port)
    inspect.onWaiting(address)
  }
  return () => new ScriptChild({ ...options, inspect: { port, onWaiting } })
}
