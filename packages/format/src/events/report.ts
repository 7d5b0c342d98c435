// Events folded into the report: exactly the shape of `--reporter json`.

import type { JsonObject, JsonValue } from "../json/value.ts"
import type { BlockKind } from "../workflow/types.ts"
import type {
  AssertionView,
  BlockEntered,
  BlockError,
  BlockStatus,
  BoundEnvironment,
  ContractProblem,
  ContractView,
  RequestView,
  ResponseView,
  RunError,
  RunEvent,
  RunStatus,
  SkipReason,
} from "./types.ts"

export interface Report {
  readonly version: 1
  status: RunStatus
  durationMs: number
  readonly runs: RunReport[]
}

export interface RunReport {
  readonly workflow: string
  status: RunStatus
  readonly startedAt: string
  durationMs: number
  readonly environments: Readonly<Record<string, BoundEnvironment>>
  readonly inputs: JsonObject
  readonly counts: { passed: number; failed: number; skipped: number }
  error?: RunError
  readonly blocks: BlockReport[]
}

export interface BlockReport {
  readonly id: string
  readonly type: BlockKind
  readonly description?: string
  status: BlockStatus
  reason?: SkipReason
  durationMs: number
  request?: RequestView
  /** What the request breaks of its operation's contract; it fails nothing. */
  requestProblems?: readonly ContractProblem[]
  response?: ResponseView
  contract?: ContractView
  assertions?: readonly AssertionView[]
  outputs?: JsonObject
  logs?: string[]
  error?: BlockError
  blocks?: BlockReport[]
  iterations?: IterationReport[]
}

export interface IterationReport {
  readonly index: number
  readonly value: JsonValue
  status: BlockStatus
  readonly blocks: BlockReport[]
}

/** Takes events and keeps the report that they make. */
export interface ReportFold {
  readonly report: Report
  readonly apply: (event: RunEvent) => void
}

interface OpenRun {
  readonly run: RunReport
  /** Blocks that have started and not finished: only these can still change. */
  readonly open: Map<number, BlockReport>
}

/** Starts an empty report; `apply` folds one event into it. */
export function createReportFold(): ReportFold {
  const report: Report = { version: 1, status: "passed", durationMs: 0, runs: [] }
  const runs = new Map<number, OpenRun>()
  return {
    report,
    apply: (event) => {
      if (event.type === "run.started") {
        const run = startRun(event)
        report.runs.push(run)
        runs.set(event.run, { run, open: new Map() })
        return
      }
      const current = runs.get(event.run)
      if (current === undefined) return
      if (event.type === "run.finished") {
        finishRun(report, current.run, event)
        runs.delete(event.run)
      } else applyToRun(current, event)
    },
  }
}

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>

const startRun = (event: EventOf<"run.started">): RunReport => ({
  workflow: event.workflow,
  status: "passed",
  startedAt: event.startedAt,
  durationMs: 0,
  environments: event.environments,
  inputs: event.inputs,
  counts: { passed: 0, failed: 0, skipped: 0 },
  blocks: [],
})

const severity: { readonly [S in RunStatus]: number } = { passed: 0, failed: 1, error: 2 }

function finishRun(report: Report, run: RunReport, event: EventOf<"run.finished">): void {
  run.status = event.status
  run.durationMs = event.durationMs
  if (event.error !== undefined) run.error = event.error
  if (severity[event.status] > severity[report.status]) report.status = event.status
  report.durationMs += event.durationMs
}

function applyToRun(
  { run, open }: OpenRun,
  event: Exclude<RunEvent, EventOf<"run.started"> | EventOf<"run.finished">>,
): void {
  switch (event.type) {
    case "warning.raised":
    case "api.documented":
      return
    case "block.started": {
      open.set(event.block, enter(run, open, event, "passed"))
      return
    }
    case "block.skipped": {
      const block = enter(run, open, event, "skipped")
      block.reason = event.reason
      run.counts.skipped++
      // A skipped container lists its blocks; what a skipped block holds arrives right after it.
      if (event.kind === "group" || event.kind === "condition") open.set(event.block, block)
      return
    }
  }
  const block = open.get(event.block)
  if (block === undefined) return
  switch (event.type) {
    case "request.checked":
      block.requestProblems = event.problems
      return
    case "request.sent":
      block.request = event.request
      return
    case "response.received":
      block.response = event.response
      return
    case "contract.checked":
      block.contract = event.contract
      return
    case "assertions.checked":
      block.assertions = event.assertions
      return
    case "outputs.made":
      block.outputs = event.outputs
      return
    case "log.written":
      ;(block.logs ??= []).push(event.text)
      return
    case "iteration.started":
      iterationAt(block, event.index, event.value ?? null)
      return
    case "iteration.finished":
      iterationAt(block, event.index, null).status = event.status
      return
    case "block.finished":
      block.status = event.status
      block.durationMs = event.durationMs
      if (event.reason !== undefined) block.reason = event.reason
      if (event.error !== undefined) block.error = withoutHint(event.error)
      run.counts[event.status]++
      open.delete(event.block)
  }
}

/** The report says what to do in the message itself. */
function withoutHint({ code, message, hint }: BlockError): BlockError {
  return { code, message: hint === undefined ? message : `${message} (${hint})` }
}

function enter(
  run: RunReport,
  open: ReadonlyMap<number, BlockReport>,
  event: BlockEntered,
  status: BlockStatus,
): BlockReport {
  const block: BlockReport = {
    id: event.id,
    type: event.kind,
    ...(event.description === undefined ? {} : { description: event.description }),
    status,
    durationMs: 0,
    ...(event.kind === "group" || event.kind === "condition" ? { blocks: [] } : {}),
    ...(event.kind === "loop" && status !== "skipped" ? { iterations: [] } : {}),
  }
  const parent = event.parent === undefined ? undefined : open.get(event.parent)
  if (parent === undefined) run.blocks.push(block)
  else if (event.iteration === undefined) (parent.blocks ??= []).push(block)
  else iterationAt(parent, event.iteration, null).blocks.push(block)
  return block
}

function iterationAt(loop: BlockReport, index: number, value: JsonValue): IterationReport {
  const iterations = (loop.iterations ??= [])
  // Parallel iterations start in order, so an index is never far from its place.
  const known =
    iterations[index]?.index === index ? iterations[index] : iterations.find((item) => item.index === index)
  if (known !== undefined) return known
  const iteration: IterationReport = { index, value, status: "passed", blocks: [] }
  iterations.push(iteration)
  return iteration
}
