// `import { run } from "callsheet"`: runs workflows from a program. Never prints and never exits.

import type { Report } from "@callsheet/format"
import type { RunOptions } from "./session/run-options.ts"
import { runProgram } from "./session/run-program.ts"

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
export const run = (options: RunOptions): Promise<Report> =>
  runProgram(options, {
    processEnvironment: process.env,
    scriptEntry: new URL("./script-child.js", import.meta.url),
  })

export {
  prepare,
  type PreparedResult,
  type PreparedRunOptions,
  type PreparedWorkflow,
  type PrepareOptions,
} from "./session/prepare.ts"
export type { RunOptions } from "./session/run-options.ts"
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
