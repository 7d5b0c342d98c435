// Writes every event as the log of a session has it. The log masks for all reporters, so none can do better.

import { runSession, SessionLog } from "@callsheet/engine"
import { stringifyJson } from "@callsheet/format"
import { readWorkflows } from "../../packages/cli/src/session/read-workflows.ts"
import { withPorts } from "../../packages/cli/src/session/with-ports.ts"

/** Runs a workflow and returns the lines. */
export async function writeRaw(
  folder: string,
  workflow: string,
  processEnvironment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { project, workflows } = readWorkflows({ root: folder, cwd: folder, wanted: [workflow], named: [] })
  const log = new SessionLog()
  // The built entry, because scripts run in a process with a separate file.
  const scriptEntry = new URL("../../packages/cli/dist/script-child.js", import.meta.url)
  await withPorts({ root: folder, processEnvironment, scriptEntry }, (ports) =>
    runSession({
      project,
      workflows,
      ports,
      listen: [log.append],
      readAllEnvironments: () => [],
      options: { processEnvironment, exchanges: true, coverage: true },
    }),
  )
  const written = [...log].map((event) => `${stringifyJson(event)}\n`).join("")
  // A rejected run writes almost nothing.
  if (!written.includes('"block.finished"')) throw new Error(`the run did not start: ${written}`)
  return written
}
