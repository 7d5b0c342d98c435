// `import { run } from "callsheet"`: runs workflows from a program. Never prints and never exits.

import { runSession, type Latest, type SessionOptions } from "@callsheet/engine"
import {
  CallsheetError,
  createReportFold,
  type JsonValue,
  type Listener,
  type Report,
} from "@callsheet/format"
import { readAllEnvironments, recoverProject } from "@callsheet/project"
import { messages } from "./messages.ts"
import { findRoot } from "./open-root.ts"
import { readRun } from "./read-workflows.ts"
import { withPorts } from "./with-ports.ts"

export interface RunOptions {
  /** The names or files of workflows, in the order to run them. Set one of `workflows`, `all` and `suite`. */
  readonly workflows?: readonly string[]
  readonly all?: boolean
  /** The name of a suite in `callsheet.json`. */
  readonly suite?: string
  /** The project's directory. By default, the nearest one with `apis/`, from the working directory upward. */
  readonly project?: string
  /** The environment of every API that `environments` doesn't name. */
  readonly environment?: string
  /** The environments by API: `{ shop: "staging" }`. */
  readonly environments?: Readonly<Record<string, string>>
  /** Values of inputs. Text is converted to the declared type. Other values must already have it. */
  readonly inputs?: Readonly<Record<string, JsonValue>>
  /** Variable values for this run: `{ shop: { apiKey: "…" } }`. */
  readonly overrides?: Readonly<Record<string, Readonly<Record<string, string | number | bigint | boolean>>>>
  readonly concurrency?: number
  /** The maximum number of workflows, rows and repetitions that run at once. Default: 1. */
  readonly jobs?: number
  readonly onFailure?: "halt" | "continue"
  /** Time limit per request, in milliseconds. */
  readonly timeoutMs?: number
  /** The maximum size of a decoded response in bytes. */
  readonly maxResponseBytes?: number
  readonly seed?: number
  /** A file whose rows are inputs, relative to the working directory. Runs the only workflow once per row. */
  readonly data?: string
  /** How often to repeat a failed run whose requests are idempotent, or that has its own cleanup. */
  readonly retries?: number
  /** How often to run each workflow. */
  readonly repeat?: number
  /** The number of failed runs after which no more start. */
  readonly bail?: number
  /** The time in milliseconds that cleanup has after `signal` aborts. Default: 30,000. */
  readonly cleanupTimeoutMs?: number
  /** Lists in `leftovers` of the report what the run created and did not delete. */
  readonly leftovers?: boolean
  /** Allows production environments. Without it, runs that use one are refused. */
  readonly yes?: boolean
  /**
   * Searches every event and the report for secrets. If one is found, the promise rejects with the code
   * `secret-leaked`.
   */
  readonly verifyNoLeak?: boolean
  /** Cancels the run when it aborts. The report is still returned. */
  readonly signal?: AbortSignal
  /** Receives every event. If it throws, the run is canceled and the promise rejects. */
  readonly onEvent?: Listener
}

/**
 * Runs workflows and returns the report, which is the same as the JSON of `--reporter json`. The report includes failed
 * runs, and runs that can't start because of errors in files. Misuse, such as an unknown workflow, rejects with a
 * `CallsheetError`.
 *
 * const report = await run({ workflows: ["checkout"], environment: "local" })
 * if (report.status !== "passed") console.error(report.runs[0])
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

/** Reads the project, and applies the defaults of `callsheet.json`. Throws misuse. */
async function readOptions(options: RunOptions) {
  const { workflows: wanted = [], all = false, suite, project: folder, data: path } = options
  const { overrides = {}, ...asked } = options
  if ([wanted.length > 0, all, suite !== undefined].filter(Boolean).length !== 1)
    throw new CallsheetError(messages.usage.namesOrAll())
  if (path !== undefined && suite !== undefined)
    throw new CallsheetError(messages.usage.contradiction('"data"', '"suite"'))
  const cwd = process.cwd()
  const root = findRoot(cwd, folder)
  await recoverProject(root)
  const data = path === undefined ? undefined : { path, cwd }
  const named = [...Object.keys(asked.environments ?? {}), ...Object.keys(overrides)]
  const read = await readRun({ root, cwd, wanted: all ? "all" : wanted, suite, named, data })
  const session: SessionOptions = {
    ...asked,
    data,
    overrides: Object.entries(overrides).flatMap(([api, variables]) =>
      Object.entries(variables).map(([name, value]) => ({ api, name, value: String(value) })),
    ),
  }
  const { settingsFile } = read.project
  if (settingsFile === undefined) return { root, ...read, asked: session }
  const { withDefaults } = await import("./read-settings.ts")
  return { root, ...read, asked: withDefaults(session, read.project) }
}

/** Wraps the caller's listener. Its errors must not interrupt the engine, but they must not get lost either. */
function guardListener(listener: Listener | undefined) {
  const controller = new AbortController()
  let thrown: { readonly error: unknown } | undefined
  return {
    listen: (event: Parameters<Listener>[0]): void => {
      if (listener === undefined || thrown !== undefined) return
      try {
        listener(event)
      } catch (error) {
        thrown = { error }
        controller.abort()
      }
    },
    signal: controller.signal,
    rethrow: (): void => {
      if (thrown !== undefined) throw thrown.error
    },
  }
}

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
