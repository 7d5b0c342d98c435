// `prepare()`: a workflow that is read and planned once, and then runs many times, also at once.

import { OpenSession } from "@callsheet/engine"
import type { JsonValue, Listener, RunEvent, SessionStatus } from "@callsheet/format"
import { readAllEnvironments } from "@callsheet/project"
import { guardListener } from "./guard-listener.ts"
import { readOptions } from "./read-options.ts"
import type { RunOptions } from "./run-options.ts"
import { keepAlive, openPorts } from "./with-ports.ts"

export interface PrepareOptions extends Pick<RunOptions, "project" | "timeoutMs" | "concurrency" | "yes"> {
  readonly workflow: string
  /** The environment of every API, or the environments by API: `{ shop: "staging" }`. */
  readonly env?: string | Readonly<Record<string, string>>
  /** Variable values: `{ shop: { apiKey: "…" } }`. */
  readonly vars?: NonNullable<RunOptions["overrides"]>
  /** If false, events leave out the headers and bodies of blocks that passed, which is faster. Default: true. */
  readonly exchanges?: boolean
}

export interface PreparedRunOptions {
  /** Values of inputs. Text is converted to the declared type. Other values must already have it. */
  readonly inputs?: Readonly<Record<string, JsonValue>>
  /** Cancels this run when it aborts. */
  readonly signal?: AbortSignal
  /** Receives every event of this run. If it throws, the run is canceled and the promise rejects. */
  readonly onEvent?: Listener
}

export interface PreparedResult {
  readonly status: SessionStatus
  readonly durationMs: number
  /** Why the run could not start, or the first block that failed. Secrets are masked. */
  readonly error?: {
    readonly code: string
    readonly message: string
    /** The id of the block that failed. */
    readonly block?: string
  }
}

export interface PreparedWorkflow {
  /** Runs the workflow with cookies and results of its own. Runs may overlap. Keeps nothing of a run that ended. */
  readonly run: (options?: PreparedRunOptions) => Promise<PreparedResult>
  /** Closes connections and script processes. Call it when the last run has ended. */
  readonly close: () => Promise<void>
}

/** The number of requests that all runs together send at once, unless the caller or `callsheet.json` sets it. */
const DEFAULT_CONCURRENCY = 1000

/**
 * Reads and plans a workflow. Rejects with a `CallsheetError` if no inputs could make it run.
 *
 * ```ts
 * const checkout = await prepare({ workflow: "checkout", env: "staging" })
 * const { status } = await checkout.run({ inputs: { sku: "A-1" } })
 * await checkout.close()
 * ```
 */
export async function prepare(options: PrepareOptions): Promise<PreparedWorkflow> {
  const { workflow, env, vars, yes, exchanges = true, ...rest } = options
  const { root, asked, ...read } = await readOptions({
    ...rest,
    workflows: [workflow],
    ...(typeof env === "string" ? { environment: env } : env === undefined ? {} : { environments: env }),
    ...(vars === undefined ? {} : { overrides: vars }),
  })
  const concurrency = asked.concurrency ?? DEFAULT_CONCURRENCY
  const { ports, close } = openPorts({
    root,
    concurrency,
    processEnvironment: process.env,
    scriptEntry: new URL("./script-child.js", import.meta.url),
  })
  const base = {
    ...read,
    ports,
    readAllEnvironments: () => readAllEnvironments(read.project),
    options: {
      ...asked,
      concurrency,
      // Each run is one attempt.
      retries: 0,
      // A load test would send a trace per run.
      trace: false,
      confirm: yes === true ? (true as const) : undefined,
      processEnvironment: process.env,
      exchanges,
      coverage: "responses" as const,
    },
  }
  const session = new OpenSession(base)
  try {
    await keepAlive(() => session.check())
  } catch (error) {
    await close()
    throw error
  }
  return {
    run: async ({ inputs, signal, onEvent } = {}) => {
      const guard = guardListener(onEvent)
      const outcome = watchOutcome()
      const status = await keepAlive(() =>
        session.run({
          options: {
            ...base.options,
            inputs,
            signal: signal === undefined ? guard.signal : AbortSignal.any([signal, guard.signal]),
          },
          listen: [outcome.listen, guard.listen],
        }),
      )
      guard.rethrow()
      return { status, ...outcome.found() }
    },
    close,
  }
}

function watchOutcome() {
  const ids = new Map<number, string>()
  let durationMs = 0
  let error: PreparedResult["error"]
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "block.started") ids.set(event.block, event.id)
      else if (event.type === "block.finished") {
        const block = ids.get(event.block)
        ids.delete(event.block)
        if (event.error === undefined || event.error.code === "child-failed") return
        const { code, message } = event.error
        error ??= { code, message, ...(block === undefined ? {} : { block }) }
      } else if (event.type === "run.finished") {
        durationMs = event.durationMs
        if (event.error !== undefined) error ??= { code: event.error.code, message: event.error.message }
      }
    },
    found: (): Omit<PreparedResult, "status"> => ({ durationMs, ...(error === undefined ? {} : { error }) }),
  }
}
