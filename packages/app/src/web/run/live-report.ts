// The report of a run while it goes: the events folded, and which of its blocks are still at work.

import {
  createReportFold,
  type BlockReport,
  type IterationReport,
  type RunEvent,
  type RunReport,
} from "@callsheet/format"

/** A report as the page shows it. It changes in place; `version` rises with each change. */
export interface ShownReport {
  readonly version: number
  readonly run: RunReport | undefined
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
}

export interface LiveReport {
  readonly apply: (event: RunEvent) => void
  readonly shown: () => ShownReport
}

export function createLiveReport(): LiveReport {
  const fold = createReportFold()
  const open = new Map<number, BlockReport>()
  const atWork = new Set<BlockReport | IterationReport>()
  const isAtWork = (part: BlockReport | IterationReport): boolean => atWork.has(part)
  let version = 0
  const enter = (event: Extract<RunEvent, { type: "block.started" | "block.skipped" }>): void => {
    const block = lastBlock(fold.report.runs[0], open, event)
    if (block === undefined) return
    open.set(event.block, block)
    if (event.type === "block.started") atWork.add(block)
  }
  const leave = (number: number): void => {
    const block = open.get(number)
    if (block !== undefined) atWork.delete(block)
    open.delete(number)
  }
  return {
    apply: (event) => {
      version++
      fold.apply(event)
      if (event.type === "block.started" || event.type === "block.skipped") enter(event)
      else if (event.type === "block.finished") leave(event.block)
      else if (event.type === "iteration.started") markIteration(open, event, (part) => atWork.add(part))
      else if (event.type === "iteration.finished") markIteration(open, event, (part) => atWork.delete(part))
      else if (event.type === "run.finished") atWork.clear()
    },
    shown: () => ({ version, run: fold.report.runs[0], isAtWork }),
  }
}

/** A report that is whole. */
export const finishedReport = (run: RunReport): ShownReport => ({ version: 0, run, isAtWork: () => false })

/** A report as it was at one moment of a run: at work is what stands last, on each level. */
export function snapshotReport(run: RunReport): ShownReport {
  const atWork = new Set<BlockReport | IterationReport>()
  let last: BlockReport | IterationReport | undefined = run.blocks.at(-1)
  while (last !== undefined) {
    atWork.add(last)
    const inner: readonly (BlockReport | IterationReport)[] | undefined =
      "index" in last ? last.blocks : (last.iterations ?? last.blocks)
    last = inner?.at(-1)
  }
  return { version: 0, run, isAtWork: (part) => atWork.has(part) }
}

/** The block that the fold has just put there. */
function lastBlock(
  run: RunReport | undefined,
  open: ReadonlyMap<number, BlockReport>,
  { parent, iteration }: { readonly parent?: number; readonly iteration?: number },
): BlockReport | undefined {
  const container = parent === undefined ? undefined : open.get(parent)
  if (container === undefined) return run?.blocks.at(-1)
  const blocks = iteration === undefined ? container.blocks : iterationOf(container, iteration)?.blocks
  return blocks?.at(-1)
}

function markIteration(
  open: ReadonlyMap<number, BlockReport>,
  { block, index }: { readonly block: number; readonly index: number },
  mark: (part: IterationReport) => void,
): void {
  const loop = open.get(block)
  const iteration = loop === undefined ? undefined : iterationOf(loop, index)
  if (iteration !== undefined) mark(iteration)
}

function iterationOf({ iterations = [] }: BlockReport, index: number): IterationReport | undefined {
  const likely = iterations[index]
  return likely?.index === index ? likely : iterations.find((item) => item.index === index)
}
