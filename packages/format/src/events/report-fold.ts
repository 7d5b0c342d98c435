// Builds the report of runs from their open blocks, from the first event or from another fold's state.

import { trackBlocks, type OpenBlock, type OpenRun, type RunSubscriber } from "./open-blocks.ts"
import type {
  BlockReport,
  IterationReport,
  Report,
  RunEvent,
  RunReport,
  RunStatus,
  SessionStatus,
} from "./types.ts"
import { Warnings } from "./warnings.ts"

export interface ReportFold {
  readonly report: Report
  readonly apply: (event: RunEvent) => void
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
  /** Returns the state that can still change. Together with the report, it lets another fold continue. */
  readonly soFar: () => readonly RunSoFar[]
}

export interface ReportSoFar {
  readonly report: Report
  readonly runs: readonly RunSoFar[]
}

export interface RunSoFar {
  readonly run: number
  readonly position: number
  /** Containers come before their blocks. */
  readonly blocks: readonly BlockSoFar[]
}

interface BlockSoFar {
  readonly block: number
  /** The number of the block's container, which is also open. Absent at the top level. */
  readonly parent?: number | undefined
  readonly iteration?: number | undefined
  readonly position: number
  readonly iterations?: readonly number[] | undefined
}

type Run = OpenRun<undefined>
type Block = OpenBlock<undefined>

/** Callbacks that run after the event was added to the report. */
type FoldWatch = Pick<
  RunSubscriber<undefined>,
  "onArrived" | "onIterationStarted" | "onIterationFinished" | "onMessage"
>

/** The number of items of a stream that the app keeps while it goes on: as many as a stream has by default. */
const MAX_LATEST = 1000

/** The same for the messages of the inbox. */
const MAX_LATEST_MESSAGES = 100

function keepLatest<T>(latest: T[], one: T, max: number): void {
  latest.push(one)
  if (latest.length > max) latest.shift()
}

/** Adds what only the app shows: when a request was sent, and the items of a stream and the messages so far. */
export const keepProgress: FoldWatch = {
  onArrived: ({ report }, event) => {
    if (event.type === "request.sent") report.startMs = event.startMs
    else if (event.type === "response.received") delete report.streamed
    else if (event.type === "stream.item" && event.item !== undefined) {
      const streamed = (report.streamed ??= { items: 0, latest: [] })
      streamed.items = event.index + 1
      keepLatest(streamed.latest, event.item, MAX_LATEST)
    }
  },
  onMessage: (message, run) => {
    const arrived = (run.arrived ??= { messages: 0, latest: [] })
    arrived.messages++
    keepLatest(arrived.latest, message, MAX_LATEST_MESSAGES)
  },
}

/** Starts an empty report, or continues `soFar` in place. `apply` folds one event into it. */
export function createReportFold(soFar?: ReportSoFar, watch?: FoldWatch): ReportFold {
  const report = soFar?.report ?? { version: 1, status: "passed", durationMs: 0, runs: [] }
  const lister = createLister(report, watch)
  const { runs, apply } = trackBlocks<undefined>(
    (run) => {
      report.runs.push(run)
      return lister
    },
    soFar === undefined ? new Map() : findOpenRuns(soFar, lister),
  )
  let atWork: ReadonlySet<BlockReport | IterationReport> | undefined
  return {
    report,
    isAtWork: (part) => (atWork ??= new Set(partsAtWork(runs.values()))).has(part),
    soFar: () =>
      [...runs].map(([number, run]) => ({
        run: number,
        position: report.runs.lastIndexOf(run.report),
        blocks: Array.from(run.blocks.values(), blockSoFar),
      })),
    apply: (event) => {
      atWork = undefined
      if (event.type === "leftovers.found") report.leftovers = event.leftovers
      else apply(event)
    },
  }
}

function createLister(report: Report, watch: FoldWatch = {}): RunSubscriber<undefined> {
  let warnings: Warnings | undefined
  const list = (block: Block): void => void listAround(block.run, block).push(block.report)
  return {
    own: () => undefined,
    onWarning: (warning) => void (warnings ??= new Warnings((report.warnings ??= []))).add(warning),
    onStarted: list,
    onSkipped: list,
    onIterationStarted: (loop, iteration) => {
      ;(loop.report.iterations ??= []).push(iteration)
      watch.onIterationStarted?.(loop, iteration)
    },
    ...(watch.onArrived && { onArrived: watch.onArrived }),
    ...(watch.onMessage && { onMessage: watch.onMessage }),
    ...(watch.onIterationFinished && { onIterationFinished: watch.onIterationFinished }),
    onRunFinished: (event) => {
      report.status = worstStatus(report.status, event)
      report.durationMs += event.durationMs
    },
  }
}

/** Orders statuses from best to worst. */
const statusSeverity: { readonly [S in SessionStatus]: number } = { passed: 0, failed: 1, error: 2 }

/** Returns the status of a session after a run. Skipped runs and failed attempts that are repeated don't count. */
export const worstStatus = (
  status: SessionStatus,
  run: { readonly status: RunStatus; readonly isRetried?: boolean | undefined },
): SessionStatus =>
  run.status !== "skipped" && run.isRetried !== true && statusSeverity[run.status] > statusSeverity[status]
    ? run.status
    : status

function listAround(run: Run, { parent, iteration }: Pick<Block, "parent" | "iteration">): BlockReport[] {
  return iteration?.blocks ?? (parent === undefined ? run.report.blocks : (parent.report.blocks ??= []))
}

function* partsAtWork(runs: Iterable<Run>): Generator<BlockReport | IterationReport, void> {
  for (const { blocks } of runs) {
    for (const { report, iterations } of blocks.values()) {
      if (report.status !== "skipped") yield report
      yield* iterations?.values() ?? []
    }
  }
}

function blockSoFar(open: Block): BlockSoFar {
  const { block, run, parent, iteration, iterations, report } = open
  return {
    block,
    parent: parent?.block,
    iteration: iteration?.index,
    position: listAround(run, open).lastIndexOf(report),
    iterations: iterations && [...iterations.keys()],
  }
}

function findOpenRuns({ report, runs }: ReportSoFar, subscriber: RunSubscriber<undefined>) {
  const found = new Map<number, Run>()
  for (const { run, position, blocks } of runs) {
    const known = report.runs[position]
    if (known !== undefined) found.set(run, findOpenRun(known, blocks, subscriber))
  }
  return found
}

function findOpenRun(report: RunReport, blocks: readonly BlockSoFar[], subscriber: RunSubscriber<undefined>) {
  const run: Run = { report, subscriber, blocks: new Map(), skipped: [] }
  for (const { block, parent: parentNumber, iteration: index, position, iterations } of blocks) {
    const parent = parentNumber === undefined ? undefined : run.blocks.get(parentNumber)
    const iteration = index === undefined ? undefined : parent?.iterations?.get(index)
    const found = listAround(run, { parent, iteration })[position]
    if (found === undefined) continue
    run.blocks.set(block, {
      block,
      run,
      parent,
      iteration,
      report: found,
      iterations: iterations === undefined ? undefined : findIterations(found, iterations),
      moreLogs: 0,
      streamed: 0,
      startMs: undefined,
      events: undefined,
      own: undefined,
    })
    if (found.status === "skipped") run.skipped.push(block)
  }
  return run
}

function findIterations({ iterations = [] }: BlockReport, indexes: readonly number[]) {
  const open = new Set(indexes)
  const found = new Map<number, IterationReport>()
  for (const iteration of iterations) if (open.has(iteration.index)) found.set(iteration.index, iteration)
  return found
}
