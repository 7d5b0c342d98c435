// `import { run } from "callsheet"`: runs workflows from a program. Never prints and never exits.

import { runSession, type Latest } from "@callsheet/engine"
import { createReportFold, type Report } from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import { guardListener } from "./guard-listener.ts"
import { readOptions } from "./read-options.ts"
import type { RunOptions } from "./run-options.ts"
import { withPorts } from "./with-ports.ts"

/**
 * Runs workflows and returns the report, which is the same as the JSON of `--reporter json`. The report includes failed
 * runs, and runs that can't start because of errors in files. Misuse, such as an unknown workflow, rejects with a
 * `CallsheetError`.
 *
 * ```ts
 * const report = await run({ workflows: ["checkout"], environment: "local" })
 * if (report.status !== "passed") console.error(report.runs[0])
 * ```
 */
export async function run(options: RunOptions): Promise<Report> {
  const { onEvent, verifyNoLeak } = options
  const { root, asked, ...read } = await readOptions(options)
  const fold = createReportFold()
  let latest: Latest | undefined
  const guard = guardListener(onEvent)
  const verifier =
    verifyNoLeak === true ? (await import("./leaks/verify-events.ts")).createEventVerifier() : undefined
  const world = {
    root,
    concurrency: asked.concurrency,
    processEnvironment: process.env,
    scriptEntry: new URL("./script-child.js", import.meta.url),
  }
  await withPorts(world, (ports) =>
    runSession({
      ...read,
      ports,
      readAllEnvironments: () => readAllEnvironments(read.project),
      listen: (event, now) => {
        latest = now
        fold.apply(event)
        verifier?.hear(event, onEvent !== undefined)
        guard.listen(event)
      },
      options: {
        ...asked,
        confirm: options.yes === true ? true : undefined,
        onSecrets: verifier?.onSecrets,
        processEnvironment: process.env,
        exchanges: true,
        coverage: options.leftovers === true,
        signal: options.signal === undefined ? guard.signal : AbortSignal.any([options.signal, guard.signal]),
      },
    }),
  )
  guard.rethrow()
  latest?.report(fold.report)
  verifier?.verify(fold.report)
  return fold.report
}

export {
  prepare,
  type PreparedResult,
  type PreparedRunOptions,
  type PreparedWorkflow,
  type PrepareOptions,
} from "./prepare.ts"
export type { RunOptions } from "./run-options.ts"
export {
  CallsheetError,
  createReportFold,
  type AssertionView,
  type BlockError,
  type BlockReport,
  type BlockStatus,
  type BoundEnvironment,
  type ContractProblem,
  type ContractView,
  type Exchange,
  type IterationReport,
  type Listener,
  type Problem,
  type RedirectView,
  type Report,
  type RequestView,
  type ResponseView,
  type RunEvent,
  type RunReport,
  type RunStatus,
} from "@callsheet/format"
