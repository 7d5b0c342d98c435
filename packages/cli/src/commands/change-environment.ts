// `callsheet env rename` and `callsheet env delete`, and how every change of environments waits for signals and is told.

import { setImmediate as nextTurn } from "node:timers/promises"
import { deleteEnvironment, renameEnvironment, type Changed, type WriteOptions } from "@callsheet/project"
import type { Command, CommandCall } from "../command.ts"
import { watchInterrupts } from "../interrupts.ts"
import { openRoot, tellRecovery } from "../open-root.ts"

/** A write is whole before a signal ends the command. What only waits for another process ends at the first Ctrl-C. */
export async function changeEnvironment<T extends Changed>(
  call: CommandCall,
  change: (root: string, options: WriteOptions) => Promise<T>,
  tell: (changed: T) => readonly string[],
): Promise<number> {
  const { err } = call.screen
  const root = await openRoot(call)
  const interrupts = watchInterrupts(call.exit)
  const { signal } = interrupts
  try {
    const changed = await change(root, { lock: { signal } })
    tellRecovery(changed.recovery, err)
    const lines = tell(changed)
    err.write((lines.length === 0 ? ["nothing to change"] : lines).map((line) => `${line}\n`).join(""))
    // A write does not let go of the thread, so a signal that came meanwhile is not heard yet.
    await nextTurn()
    await nextTurn()
    return interrupts.exitCode() ?? 0
  } catch (error) {
    const code = interrupts.exitCode()
    if (code === undefined || error !== signal.reason) throw error
    err.write("interrupted: nothing was changed\n")
    return code
  } finally {
    interrupts.stop()
  }
}

export const envRename: Command = async (call) => {
  const [api = "", environment = "", to = ""] = call.words
  return changeEnvironment(
    call,
    (root, options) => renameEnvironment({ root, api, environment, to }, options),
    ({ mended }) => [`renamed ${environment} to ${to}`, ...mended.map((name) => `${name} now extends ${to}`)],
  )
}

export const envDelete: Command = async (call) => {
  const [api = "", environment = ""] = call.words
  return changeEnvironment(
    call,
    (root, options) => deleteEnvironment({ root, api, environment }, options),
    ({ files }) => files.map((file) => `deleted ${file}`),
  )
}
