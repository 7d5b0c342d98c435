// What the writing commands of `env` share: a signal waits for the end of the write, and the user is told what changed.

import type { Changed } from "@callsheet/project"
import type { CommandCall } from "../command.ts"
import { findRoot } from "../find-root.ts"
import { watchInterrupts } from "../interrupts.ts"
import { tellRecovery } from "../open-root.ts"

/**
 * Changes the project and tells what came of it. What was asked for is whole before a signal ends the command: its first
 * Ctrl-C sets the exit code, its second one ends at once, and the next command finishes what is left.
 */
export async function changeEnvironment<T extends Changed>(
  call: CommandCall,
  change: (root: string) => Promise<T>,
  tell: (changed: T) => readonly string[],
): Promise<number> {
  const root = findRoot({ cwd: call.cwd, project: call.options.value("project") })
  const interrupts = watchInterrupts(call.exit)
  try {
    const changed = await change(root)
    tellRecovery(changed.recovery, call.screen.err)
    call.screen.err.write(
      tell(changed)
        .map((line) => `${line}\n`)
        .join(""),
    )
    return interrupts.exitCode() ?? 0
  } finally {
    interrupts.stop()
  }
}
