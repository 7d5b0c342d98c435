// A reporter that writes every event as received. The session masks for all reporters, so none can do better.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { runSession } from "@callsheet/engine"
import { stringifyJson } from "@callsheet/format"
import { readWorkflows } from "../../packages/cli/src/session/read-workflows.ts"
import { CallerPath } from "@callsheet/project"
import { openReportFile } from "../../packages/cli/src/reporters/report-file.ts"
import { joinReporters } from "../../packages/cli/src/reporters/join.ts"
import { KeptEvents } from "../../packages/cli/src/reporters/kept-text.ts"
import type { CreateReporter } from "../../packages/cli/src/reporters/reporter.ts"
import { withPorts } from "../../packages/cli/src/session/with-ports.ts"

const createRaw: CreateReporter = ({ output }) => ({
  onEvent: (event) => output.write(`${stringifyJson(event)}\n`),
  finish: () => undefined,
})

/** Runs a workflow with the reporter, and returns its file. */
export async function writeRaw(
  folder: string,
  workflow: string,
  processEnvironment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { project, workflows } = readWorkflows({ root: folder, cwd: folder, wanted: [workflow], named: [] })
  const path = join(folder, "raw.jsonl")
  const file = openReportFile(CallerPath.from("", path))
  const clock = { now: () => 0, every: () => () => undefined }
  const reporter = createRaw({ output: file.output, clock, isFile: true, root: ".", processEnvironment: {} })
  const { complete, finish } = joinReporters(
    [{ name: "raw", reporter, receives: "complete", file }],
    (_, error) => {
      throw error
    },
  )
  // The built entry, because scripts run in a process with a separate file.
  const scriptEntry = new URL("../../packages/cli/dist/script-child.js", import.meta.url)
  await withPorts({ root: folder, processEnvironment, scriptEntry }, (ports) =>
    runSession({
      project,
      workflows,
      ports,
      complete: { listeners: complete, kept: new KeptEvents() },
      readAllEnvironments: () => [],
      options: { processEnvironment, exchanges: true, coverage: true },
    }),
  )
  finish()
  const written = readFileSync(path, "utf8")
  // A rejected run writes almost nothing.
  if (!written.includes('"block.finished"')) throw new Error(`the run did not start: ${written}`)
  return written
}
