// Folds a run's events into its open blocks. Passes a finished block to the run's subscriber and forgets it.

import type { JsonValue } from "../json/value.ts"
import type { Problem } from "../problems.ts"
import { blockKinds, traitsOf } from "../workflow/blocks/index.ts"
import type { BlockKind } from "../workflow/types.ts"
import type {
  Arrival,
  BlockReport,
  BlockStatus,
  EventOf,
  IterationReport,
  MessageView,
  RunEvent,
  RunReport,
  SentSpan,
} from "./types.ts"
import { knownProblems, staleProblems } from "./known.ts"
import { tracedRun } from "./trace-link.ts"
import { isUnchecked } from "./unchecked.ts"

export interface OpenRun<Own> {
  /** The run's fields and counts. Contains blocks only if the subscriber adds them. */
  readonly report: RunReport
  readonly subscriber: RunSubscriber<Own>
  /** The open blocks by number. A container has a lower number than its blocks. */
  readonly blocks: Map<number, OpenBlock<Own>>
  /** Numbers of skipped containers whose blocks may follow. */
  readonly skipped: number[]
}

export interface OpenBlock<Own> {
  readonly block: number
  readonly run: OpenRun<Own>
  readonly parent: OpenBlock<Own> | undefined
  readonly iteration: IterationReport | undefined
  /** The report so far. Contains blocks and iterations only if the subscriber adds them. */
  readonly report: BlockReport
  /** Open iterations of a loop, by index. */
  readonly iterations: Map<number, IterationReport> | undefined
  /** The number of logs that were left out of `report.logs` because of `maxLogs`. */
  moreLogs: number
  /** The number of items of a stream that the block has received so far. */
  streamed: number
  /** When the block's request was sent, in milliseconds since 1970. */
  startMs: number | undefined
  /** The events that the report was folded from. Set only if the subscriber keeps them. */
  readonly events: RunEvent[] | undefined
  readonly own: Own
}

export interface RunSubscriber<Own> {
  /** The maximum number of logs per block. No limit by default. */
  readonly maxLogs?: number
  /** True to keep the events of each block, so that `foldAgain` can fold them again. */
  readonly keepsEvents?: boolean
  /** Creates the subscriber's own data for a block. It is kept while the block is open. */
  readonly own: (report: BlockReport, parent: OpenBlock<Own> | undefined) => Own
  readonly onWarning?: (warning: Problem, block: OpenBlock<Own> | undefined) => void
  readonly onStarted?: (block: OpenBlock<Own>) => void
  /** Called for a skipped block, then for the blocks in a skipped group or condition, but not for those in a skipped loop. */
  readonly onSkipped?: (block: OpenBlock<Own>) => void
  /** Called after the event was added to the block's report. */
  readonly onArrived?: (block: OpenBlock<Own>, event: Arrival) => void
  readonly onIterationStarted?: (loop: OpenBlock<Own>, iteration: IterationReport) => void
  readonly onIterationFinished?: (loop: OpenBlock<Own>, iteration: IterationReport) => void
  readonly onFinished?: (block: OpenBlock<Own>, event: EventOf<"block.finished">) => void
  /** Called for a message of the inbox, which no block has read yet. */
  readonly onMessage?: (message: MessageView, run: RunReport) => void
  readonly onRunFinished?: (event: EventOf<"run.finished">) => void
}

type InnerList = "blocks" | "iterations" | undefined

// Computed once, because every block of every iteration needs it.
const innerLists: ReadonlyMap<BlockKind, InnerList> = new Map(
  blockKinds.map((kind) => {
    const { childFields, iterates } = traitsOf(kind)
    return [kind, iterates ? "iterations" : childFields.length > 0 ? "blocks" : undefined]
  }),
)

/** Returns how a report lists the contents of this kind of block. */
export const innerListOf = (kind: BlockKind): InnerList => innerLists.get(kind)

/** Tracks the open blocks of runs, from their start or from `runs` in progress. Calls `subscribe` once per run. */
export function trackBlocks<Own>(
  subscribe: (run: RunReport) => RunSubscriber<Own>,
  runs: Map<number, OpenRun<Own>> = new Map(),
) {
  /** Hears what belongs to the whole session. */
  let last: RunSubscriber<Own> | undefined
  return {
    runs,
    apply: (event: RunEvent): void => {
      if (event.type === "run.started") {
        const report = newRunReport(event)
        runs.set(event.run, { report, subscriber: subscribe(report), blocks: new Map(), skipped: [] })
        return
      }
      if (event.type === "baseline.compared") {
        for (const problem of staleProblems(event.stale)) last?.onWarning?.(problem, undefined)
        return
      }
      const run = runs.get(event.run)
      if (run === undefined) return
      if (event.type === "run.finished") {
        run.report.status = event.status
        run.report.durationMs = event.durationMs
        if (event.reason !== undefined) run.report.reason = event.reason
        if (event.flaky !== undefined) run.report.flaky = event.flaky
        if (event.differs !== undefined) run.report.differs = event.differs
        if (event.error !== undefined) run.report.error = event.error
        runs.delete(event.run)
        last = run.subscriber
        run.subscriber.onRunFinished?.(event)
        return
      }
      applyInRun(run, event)
    },
  }
}

function newRunReport({ type: _, run: __, recorded: ___, ...event }: EventOf<"run.started">): RunReport {
  const { workflow, startedAt, environments, inputs, trace, ...place } = event
  const counts = { passed: 0, failed: 0, skipped: 0 }
  return {
    workflow,
    ...place,
    status: "passed",
    startedAt,
    durationMs: 0,
    ...(trace === undefined ? {} : tracedRun(trace)),
    environments,
    inputs,
    counts,
    blocks: [],
  }
}

type EventInRun = Exclude<RunEvent, EventOf<"run.started" | "run.finished" | "baseline.compared">>

// Uses a switch because it is faster than a table of functions: every event of every iteration passes here.
function applyInRun<Own>(run: OpenRun<Own>, event: EventInRun): void {
  const { subscriber, blocks } = run
  if (event.type === "block.skipped") return skipBlock(run, event)
  if (run.skipped.length > 0) for (const number of run.skipped.splice(0)) blocks.delete(number)
  if (event.type === "api.documented" || event.type === "leftovers.found") return
  if (event.type === "response.lost" || event.type === "token.requested") return
  if (event.type === "message.received") return subscriber.onMessage?.(event.message, run.report)
  if (event.type === "block.started") {
    const started = enterBlock(run, event, "passed")
    blocks.set(event.block, started)
    return subscriber.onStarted?.(started)
  }
  const block = event.block === undefined ? undefined : blocks.get(event.block)
  if (event.type === "warning.raised") return subscriber.onWarning?.(event.warning, block)
  if (block === undefined) return
  switch (event.type) {
    case "block.finished":
      return finishBlock(block, event)
    case "iteration.started":
      return void startIteration(block, event.index, event.value)
    case "iteration.finished":
      return finishIteration(block, event)
    case "stream.item":
      // Not kept, because the response contains the items again.
      block.streamed = event.index + 1
      return subscriber.onArrived?.(block, event)
    default:
      block.events?.push(event)
      keepArrival(block, event)
      subscriber.onArrived?.(block, event)
  }
}

/** Folds the kept events of a block again, each as `mask` returns it. Updates the report in place. */
export function foldAgain<Own>(block: OpenBlock<Own>, mask: <E extends RunEvent>(event: E) => E): void {
  const { report, events = [] } = block
  const again = events.map(mask)
  if (again.every((event, at) => event === events[at])) return
  if (report.logs !== undefined) report.logs = []
  block.moreLogs = 0
  for (const event of again) {
    if (event.type === "block.started" || event.type === "block.skipped") {
      const { id, description } = event
      Object.assign(report, description === undefined ? { id } : { id, description })
    } else if (event.type === "block.finished") keepEnding(report, event)
    else keepArrival(block, event as KeptArrival)
  }
}

type KeptArrival = Exclude<Arrival, EventOf<"stream.item">>

function keepArrival<Own>(block: OpenBlock<Own>, event: KeptArrival): void {
  const { report } = block
  if (event.type === "request.sent") {
    report.request = event.request
    block.startMs = event.startMs
    if (event.span !== undefined) keepSpan(report, event.span)
  } else if (event.type === "response.received") report.response = event.response
  else if (event.type === "assertions.checked") report.assertions = event.assertions
  else if (event.type === "request.checked") keepChecked(report, event)
  else if (event.type === "request.compared") report.requestDifference = event.differences
  else if (event.type === "contract.checked") report.contract = event.contract
  else if (event.type === "outputs.made") report.outputs = event.outputs
  else if ((report.logs ??= []).length < (block.run.subscriber.maxLogs ?? Infinity))
    report.logs.push(event.text)
  else block.moreLogs++
}

function keepSpan(report: BlockReport, { id, traceId }: SentSpan): void {
  report.spanId = id
  if (traceId !== undefined) report.traceId = traceId
}

function keepChecked(report: BlockReport, { problems, unchecked }: EventOf<"request.checked">): void {
  if (problems.length > 0) report.requestProblems = problems
  if (unchecked !== undefined) report.requestUnchecked = unchecked
}

function enterBlock<Own>(
  run: OpenRun<Own>,
  event: EventOf<"block.started" | "block.skipped">,
  status: BlockStatus,
): OpenBlock<Own> {
  const { id, kind, description, iteration: index } = event
  const parent = event.parent === undefined ? undefined : run.blocks.get(event.parent)
  const inner = innerListOf(kind)
  const list = status === "skipped" && inner === "iterations" ? undefined : inner
  // Avoids a spread, which would slow down every block of every iteration.
  const report: BlockReport =
    description === undefined
      ? { id, type: kind, status, durationMs: 0 }
      : { id, type: kind, description, status, durationMs: 0 }
  if (event.type === "block.started" && event.span !== undefined) report.spanId = event.span.id
  if (list !== undefined) report[list] = []
  return {
    block: event.block,
    run,
    parent,
    iteration: parent === undefined || index === undefined ? undefined : findIteration(parent, index),
    report,
    iterations: list === "iterations" ? new Map() : undefined,
    moreLogs: 0,
    streamed: 0,
    startMs: undefined,
    events: run.subscriber.keepsEvents === true ? [event] : undefined,
    own: run.subscriber.own(report, parent),
  }
}

/** Folds a skipped block. The events of blocks in a skipped container follow directly. */
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

function startIteration<Own>(loop: OpenBlock<Own>, index: number, value: JsonValue = null): IterationReport {
  const iteration: IterationReport = { index, value, status: "passed", blocks: [] }
  loop.iterations?.set(index, iteration)
  loop.run.subscriber.onIterationStarted?.(loop, iteration)
  return iteration
}

function finishIteration<Own>(loop: OpenBlock<Own>, { index, status }: EventOf<"iteration.finished">): void {
  const iteration = findIteration(loop, index)
  iteration.status = status
  loop.iterations?.delete(index)
  loop.run.subscriber.onIterationFinished?.(loop, iteration)
}

const findIteration = <Own>(loop: OpenBlock<Own>, index: number): IterationReport =>
  loop.iterations?.get(index) ?? startIteration(loop, index)

function finishBlock<Own>(block: OpenBlock<Own>, event: EventOf<"block.finished">): void {
  const { report, run } = block
  block.events?.push(event)
  keepEnding(report, event)
  const { counts } = run.report
  counts[event.status]++
  if (isUnchecked(report)) counts.unchecked = (counts.unchecked ?? 0) + 1
  const known = report.contract === undefined ? 0 : knownProblems(report).length
  if (known > 0) counts.known = (counts.known ?? 0) + known
  run.blocks.delete(event.block)
  run.subscriber.onFinished?.(block, event)
}

function keepEnding(report: BlockReport, event: EventOf<"block.finished">): void {
  report.status = event.status
  report.durationMs = event.durationMs
  if (event.reason !== undefined) report.reason = event.reason
  if (event.undecidable !== undefined) report.undecidable = event.undecidable
  if (event.error !== undefined) {
    // Reports have no separate hint.
    const { hint, ...error } = event.error
    report.error = hint === undefined ? error : { ...error, message: `${error.message} (${hint})` }
  }
}

/** Returns the path of a block in its run: `setup`, `poll`, `[2]`, `get`. With `below`, the path starts after that block. */
export function blockPath<Own>(block: OpenBlock<Own>, below?: OpenBlock<Own>): string[] {
  const segments: string[] = []
  for (let at: OpenBlock<Own> | undefined = block; at !== undefined && at !== below; at = at.parent) {
    segments.push(at.report.id)
    if (at.iteration !== undefined) segments.push(`[${at.iteration.index}]`)
  }
  return segments.reverse()
}
