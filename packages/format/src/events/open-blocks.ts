// The one fold of a run's events: which blocks are open, where each is, and what has arrived for it. A block that
// finishes goes to the subscriber of its run and is forgotten.

import type { JsonValue } from "../json/value.ts"
import type { Problem } from "../problems.ts"
import { traitsOf } from "../workflow/blocks/index.ts"
import type { BlockKind } from "../workflow/types.ts"
import type { BlockReport, IterationReport, RunReport } from "./report.ts"
import type { BlockEntered, BlockError, BlockStatus, RunEvent } from "./types.ts"

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>

/** A run that has started and not finished. */
export interface OpenRun<Own> {
  /** Its own fields and its counts. It lists blocks only if the subscriber puts them there. */
  readonly report: RunReport
  readonly subscriber: RunSubscriber<Own>
  /** By number. Containers are before their blocks. */
  readonly blocks: Map<number, OpenBlock<Own>>
  /** Numbers of skipped containers, whose blocks may follow. */
  skipped: number[]
}

export interface OpenBlock<Own> {
  readonly block: number
  readonly run: OpenRun<Own>
  /** The container around it; undefined at the top level. */
  readonly parent: OpenBlock<Own> | undefined
  /** The iteration of the parent, if the parent is a loop. */
  readonly iteration: IterationReport | undefined
  /** What has arrived so far. It lists blocks and iterations only if the subscriber puts them there. */
  readonly report: BlockReport
  /** The iterations of a loop that have not finished, by index. */
  readonly iterations: Map<number, IterationReport> | undefined
  /** How many texts `report.logs` does not have, because of `maxLogs`. */
  moreLogs: number
  /** What the subscriber keeps for the block. */
  readonly own: Own
}

/** What a block has arrived for it while it is open. */
export type Arrival = Exclude<
  RunEvent,
  EventOf<
    | "run.started"
    | "run.finished"
    | "api.documented"
    | "warning.raised"
    | "block.started"
    | "block.skipped"
    | "block.finished"
    | "iteration.started"
    | "iteration.finished"
  >
>

/** What hears of the blocks of one run. */
export interface RunSubscriber<Own> {
  /** How many logs of one block it reads; by default all. */
  readonly maxLogs?: number
  /** Makes what the subscriber keeps for a block as long as the block is open. */
  readonly own: (report: BlockReport, parent: OpenBlock<Own> | undefined) => Own
  readonly onWarning?: (warning: Problem, block: OpenBlock<Own> | undefined) => void
  readonly onStarted?: (block: OpenBlock<Own>) => void
  /** The blocks of a skipped group or condition follow; a skipped loop has none. */
  readonly onSkipped?: (block: OpenBlock<Own>) => void
  /** Called when the block's report has it. */
  readonly onArrived?: (block: OpenBlock<Own>, event: Arrival) => void
  readonly onIterationStarted?: (loop: OpenBlock<Own>, iteration: IterationReport) => void
  readonly onIterationFinished?: (loop: OpenBlock<Own>, iteration: IterationReport) => void
  readonly onFinished?: (block: OpenBlock<Own>, event: EventOf<"block.finished">) => void
  readonly onRunFinished?: (event: EventOf<"run.finished">) => void
}

interface OpenBlocks<Own> {
  /** By number. */
  readonly runs: ReadonlyMap<number, OpenRun<Own>>
  readonly apply: (event: RunEvent) => void
}

/** How a kind of block lists what it contains. */
export const innerListOf = (kind: BlockKind): "blocks" | "iterations" | undefined => {
  const { childFields, iterates } = traitsOf(kind)
  return iterates ? "iterations" : childFields.length > 0 ? "blocks" : undefined
}

/** Tracks the blocks of runs for the subscriber that `subscribe` makes for each, from their starts or from the middle of `runs`. */
export function trackBlocks<Own>(
  subscribe: (run: RunReport) => RunSubscriber<Own>,
  runs: Map<number, OpenRun<Own>> = new Map(),
): OpenBlocks<Own> {
  return {
    runs,
    apply: (event) => {
      if (event.type === "run.started") {
        const report = newRunReport(event)
        runs.set(event.run, { report, subscriber: subscribe(report), blocks: new Map(), skipped: [] })
        return
      }
      const run = runs.get(event.run)
      if (run === undefined) return
      if (event.type === "run.finished") {
        finishRun(run.report, event)
        runs.delete(event.run)
        run.subscriber.onRunFinished?.(event)
      } else applyToRun(run, event)
    },
  }
}

const newRunReport = (event: EventOf<"run.started">): RunReport => ({
  workflow: event.workflow,
  status: "passed",
  startedAt: event.startedAt,
  durationMs: 0,
  environments: event.environments,
  inputs: event.inputs,
  counts: { passed: 0, failed: 0, skipped: 0 },
  blocks: [],
})

function finishRun(report: RunReport, { status, durationMs, error }: EventOf<"run.finished">): void {
  report.status = status
  report.durationMs = durationMs
  if (error !== undefined) report.error = error
}

type EventInRun = Exclude<RunEvent, EventOf<"run.started" | "run.finished">>

function applyToRun<Own>(run: OpenRun<Own>, event: EventInRun): void {
  if (event.type === "block.skipped") return skipBlock(run, event)
  if (run.skipped.length > 0) {
    for (const number of run.skipped) run.blocks.delete(number)
    run.skipped = []
  }
  const { subscriber, blocks } = run
  if (event.type === "api.documented") return
  if (event.type === "warning.raised") {
    const block = event.block === undefined ? undefined : blocks.get(event.block)
    return subscriber.onWarning?.(event.warning, block)
  }
  if (event.type === "block.started") {
    const block = enterBlock(run, event, "passed")
    blocks.set(event.block, block)
    return subscriber.onStarted?.(block)
  }
  const block = blocks.get(event.block)
  if (block === undefined) return
  switch (event.type) {
    case "block.finished":
      return finishBlock(block, event)
    case "iteration.started":
      startIteration(block, event)
      return
    case "iteration.finished": {
      const iteration = findIteration(block, event.index)
      iteration.status = event.status
      block.iterations?.delete(event.index)
      return subscriber.onIterationFinished?.(block, iteration)
    }
    default:
      arrive(block, event, subscriber.maxLogs)
      subscriber.onArrived?.(block, event)
  }
}

function enterBlock<Own>(run: OpenRun<Own>, event: BlockEntered, status: BlockStatus): OpenBlock<Own> {
  const { id, kind, description, iteration: index } = event
  const parent = event.parent === undefined ? undefined : run.blocks.get(event.parent)
  const inner = innerListOf(kind)
  const list = status === "skipped" && inner === "iterations" ? undefined : inner
  const report: BlockReport = {
    id,
    type: kind,
    ...(description === undefined ? {} : { description }),
    status,
    durationMs: 0,
  }
  if (list !== undefined) report[list] = []
  return {
    block: event.block,
    run,
    parent,
    iteration: parent === undefined || index === undefined ? undefined : findIteration(parent, index),
    report,
    iterations: list === "iterations" ? new Map() : undefined,
    moreLogs: 0,
    own: run.subscriber.own(report, parent),
  }
}

/** The blocks of a skipped container arrive right after it. */
function skipBlock<Own>(run: OpenRun<Own>, event: EventOf<"block.skipped">): void {
  const block = enterBlock(run, event, "skipped")
  block.report.reason = event.reason
  run.report.counts.skipped++
  if (block.report.blocks !== undefined) {
    run.blocks.set(event.block, block)
    run.skipped.push(event.block)
  }
  run.subscriber.onSkipped?.(block)
}

interface IterationStart {
  readonly index: number
  readonly value?: JsonValue
}

function startIteration<Own>(loop: OpenBlock<Own>, { index, value = null }: IterationStart): IterationReport {
  const iteration: IterationReport = { index, value, status: "passed", blocks: [] }
  loop.iterations?.set(index, iteration)
  loop.run.subscriber.onIterationStarted?.(loop, iteration)
  return iteration
}

const findIteration = <Own>(loop: OpenBlock<Own>, index: number): IterationReport =>
  loop.iterations?.get(index) ?? startIteration(loop, { index })

function arrive<Own>(block: OpenBlock<Own>, event: Arrival, maxLogs = Infinity): void {
  const { report } = block
  switch (event.type) {
    case "request.checked":
      report.requestProblems = event.problems
      return
    case "request.sent":
      report.request = event.request
      return
    case "response.received":
      report.response = event.response
      return
    case "contract.checked":
      report.contract = event.contract
      return
    case "assertions.checked":
      report.assertions = event.assertions
      return
    case "outputs.made":
      report.outputs = event.outputs
      return
    case "log.written":
      if ((report.logs ??= []).length < maxLogs) report.logs.push(event.text)
      else block.moreLogs++
  }
}

function finishBlock<Own>(block: OpenBlock<Own>, event: EventOf<"block.finished">): void {
  const { report, run } = block
  report.status = event.status
  report.durationMs = event.durationMs
  if (event.reason !== undefined) report.reason = event.reason
  if (event.error !== undefined) report.error = withoutHint(event.error)
  run.report.counts[event.status]++
  run.blocks.delete(event.block)
  run.subscriber.onFinished?.(block, event)
}

/** The report says what to do in the message itself. */
function withoutHint({ code, message, hint }: BlockError): BlockError {
  return { code, message: hint === undefined ? message : `${message} (${hint})` }
}

/** The way to a block in its run: `setup`, `poll`, `[2]`, `get`; or from the block `below`, which is not included. */
export function blockPath<Own>(block: OpenBlock<Own>, below?: OpenBlock<Own>): string[] {
  const segments: string[] = []
  for (let at: OpenBlock<Own> | undefined = block; at !== undefined && at !== below; at = at.parent) {
    segments.push(at.report.id)
    if (at.iteration !== undefined) segments.push(`[${at.iteration.index}]`)
  }
  return segments.reverse()
}
