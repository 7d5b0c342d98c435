// The project of a command: found, and with what a killed process has left half done put right.

import { recoverProject, type Recovery } from "@callsheet/project"
import type { CommandCall } from "./command.ts"
import { findRoot } from "./find-root.ts"
import { printProblems } from "./report-error.ts"
import type { Output } from "./screen.ts"
import { printable } from "./text/printable.ts"

/** The absolute path of the project's root. Throws `project-missing`, and what `recoverProject` throws. */
export async function openRoot({ cwd, options, screen }: CommandCall): Promise<string> {
  const root = findRoot({ cwd, project: options.value("project") })
  tellRecovery(await recoverProject(root), screen.err)
  return root
}

/** Says what was put right, where something was. */
export function tellRecovery(recovery: Recovery | undefined, output: Output): void {
  if (recovery === undefined) return
  output.write(`finished what an earlier command had left half done: ${printable(recovery.title)}\n`)
  printProblems(recovery.problems, output)
}
