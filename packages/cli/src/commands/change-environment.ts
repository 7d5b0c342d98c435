// `callsheet env rename` and `callsheet env delete`. Also handles signals and output for all commands that change
// environments.

import { setImmediate as nextTurn } from "node:timers/promises"
import { deleteEnvironment, renameEnvironment, type Changed, type WriteOptions } from "@callsheet/project"
import type { Command, CommandCall } from "../args/command.ts"
import { withInterrupts } from "../interrupts.ts"
import { notices } from "../messages.ts"
import { openRoot, reportRecovery } from "../open-root.ts"

/**
 * Completes a change before a signal ends the command. If the change waits for another process, the first Ctrl-C ends
 * the wait.
 */
export async function changeEnvironment<T extends Changed>(
  call: CommandCall,
  change: (root: string, options: WriteOptions) => Promise<T>,
  describe: (changed: T, root: string) => readonly string[] | Promise<readonly string[]>,
): Promise<number> {
  const { err } = call.screen
  const root = await openRoot(call)
  return withInterrupts(call.exit, async ({ signal, exitCode }) => {
    try {
      const changed = await change(root, { lock: { signal } })
      reportRecovery(changed.recovery, err)
      const lines = await describe(changed, root)
      err.write(
        (lines.length === 0 ? [notices.nothingToChange()] : lines).map((line) => `${line}\n`).join(""),
      )
      // A write blocks the thread, so a signal that arrived meanwhile isn't handled yet.
      await nextTurn()
      await nextTurn()
      return exitCode() ?? 0
    } catch (error) {
      const code = exitCode()
      if (code === undefined || error !== signal.reason) throw error
      err.write(`${notices.interruptedUnchanged()}\n`)
      return code
    }
  })
}

export const envRename: Command = async (call) => {
  const [api = "", environment = "", to = ""] = call.words
  return changeEnvironment(
    call,
    (root, options) => renameEnvironment({ root, api, environment, to }, options),
    ({ fixed }) => [notices.renamed(environment, to), ...fixed.map((name) => notices.extends(name, to))],
  )
}

export const envDelete: Command = async (call) => {
  const [api = "", environment = ""] = call.words
  return changeEnvironment(
    call,
    (root, options) => deleteEnvironment({ root, api, environment }, options),
    ({ files }) => files.map(notices.deleted),
  )
}
