// Ends a process that was started with `detached`, and everything that it started.

import { attempt } from "@callsheet/format"
import type { ChildProcess } from "node:child_process"

export function killGroup(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  // Ignore errors: the process is already gone.
  attempt(() => (process.platform === "win32" ? child.kill("SIGKILL") : process.kill(-pid, "SIGKILL")))
}
