// Events folded into the report, from the first one or from where another fold has come to.

import {
  enterBlock,
  findOpenRun,
  iterationAt,
  openRun,
  runSoFar,
  startIteration,
  type OpenRun,
  type RunSoFar,
} from "./open-run.ts"
import type { BlockReport, IterationReport, Report, RunReport } from "./report.ts"
import type { BlockError, RunEvent, RunStatus } from "./types.ts"

/** Takes events and keeps the report that they make. */
export interface ReportFold {
  readonly report: Report
  readonly apply: (event: RunEvent) => void
  /** Whether it has started and not finished. */
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
  /** What can still change: with the report it is all that another fold needs to go on from here. */
  readonly soFar: () => readonly RunSoFar[]
}

/** A report in the middle of its events. */
export interface ReportSoFar {
  readonly report: Report
  readonly runs: readonly RunSoFar[]
}

/** Starts an empty report, or goes on with one, which it changes; `apply` folds one event into it. */
export function createReportFold(soFar?: ReportSoFar): ReportFold {
  const report = soFar?.report ?? { version: 1, status: "passed", durationMs: 0, runs: [] }
  const runs = new Map<number, OpenRun>()
  for (const known of soFar?.runs ?? []) {
    const run = report.runs[known.position]
    if (run !== undefined) runs.set(known.run, findOpenRun(run, known))
  }
  return {
    report,
    isAtWork: (part) => {
      for (const { atWork } of runs.values()) if (atWork.has(part)) return true
      return false
    },
    soFar: () => [...runs].map(([number, run]) => runSoFar(number, run)),
    apply: (event) => {
      if (event.type === "run.started") {
        const run = startRun(event)
        runs.set(event.run, openRun(run, report.runs.push(run) - 1))
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

type EventInRun = Exclude<RunEvent, EventOf<"run.started"> | EventOf<"run.finished">>

function applyToRun(current: OpenRun, event: EventInRun): void {
  const { run, open, atWork } = current
  if (event.type === "block.skipped") return skip(current, event)
  for (const number of current.skipped.splice(0)) open.delete(number)
  if (event.type === "warning.raised" || event.type === "api.documented") return
  if (event.type === "block.started") {
    const entered = enterBlock(current, event, "passed")
    open.set(event.block, entered)
    atWork.add(entered.block)
    return
  }
  const block = open.get(event.block)?.block
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
      atWork.add(startIteration(block, event.index, event.value ?? null))
      return
    case "iteration.finished": {
      const iteration = iterationAt(block, event.index)
      iteration.status = event.status
      atWork.delete(iteration)
      return
    }
    case "block.finished":
      block.status = event.status
      block.durationMs = event.durationMs
      if (event.reason !== undefined) block.reason = event.reason
      if (event.error !== undefined) block.error = withoutHint(event.error)
      run.counts[event.status]++
      open.delete(event.block)
      atWork.delete(block)
  }
}

/** A skipped container lists its blocks; what it holds arrives right after it. */
function skip(current: OpenRun, event: EventOf<"block.skipped">): void {
  const entered = enterBlock(current, event, "skipped")
  entered.block.reason = event.reason
  current.run.counts.skipped++
  if (event.kind !== "group" && event.kind !== "condition") return
  current.open.set(event.block, entered)
  current.skipped.push(event.block)
}

/** The report says what to do in the message itself. */
function withoutHint({ code, message, hint }: BlockError): BlockError {
  return { code, message: hint === undefined ? message : `${message} (${hint})` }
}
