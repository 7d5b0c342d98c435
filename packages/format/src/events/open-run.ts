// A run of a report that still goes on: which of its blocks can change, and where they stand.

import type { JsonValue } from "../json/value.ts"
import type { BlockReport, IterationReport, RunReport } from "./report.ts"
import type { BlockEntered, BlockStatus } from "./types.ts"

/** A block that can still change. */
export interface OpenBlock {
  /** Its number. */
  readonly block: number
  /** The container around it, which is open as well; absent at the top level. */
  readonly parent?: number
  /** The iteration of the parent, where the parent is a loop. */
  readonly iteration?: number
  /** Which of the blocks there it is, from 0. */
  readonly position: number
  /** Of a loop: the indexes of iterations that go on. */
  readonly iterations?: readonly number[]
}

/** What can still change of a run. */
export interface RunSoFar {
  readonly run: number
  /** Which of the report's runs it is, from 0. */
  readonly position: number
  /** Containers before what they hold. */
  readonly blocks: readonly OpenBlock[]
}

export interface OpenRun {
  readonly run: RunReport
  readonly position: number
  readonly open: Map<number, { readonly block: BlockReport; readonly place: Omit<OpenBlock, "iterations"> }>
  readonly atWork: Set<BlockReport | IterationReport>
  /** Skipped containers whose blocks may follow. */
  readonly skipped: number[]
}

export const openRun = (run: RunReport, position: number): OpenRun => ({
  run,
  position,
  open: new Map(),
  atWork: new Set(),
  skipped: [],
})

/** Puts a block at the end of where it stands; it is not open by that. */
export function enterBlock({ run, open }: OpenRun, event: BlockEntered, status: BlockStatus) {
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
  const position = blocksAt(run, parent?.block, event.iteration).push(block) - 1
  const place = {
    block: event.block,
    ...(parent === undefined ? {} : { parent: parent.place.block }),
    ...(parent === undefined || event.iteration === undefined ? {} : { iteration: event.iteration }),
    position,
  }
  return { block, place }
}

function blocksAt(
  run: RunReport,
  parent: BlockReport | undefined,
  iteration: number | undefined,
): BlockReport[] {
  if (parent === undefined) return run.blocks
  return iteration === undefined ? (parent.blocks ??= []) : iterationAt(parent, iteration).blocks
}

export function startIteration(loop: BlockReport, index: number, value: JsonValue): IterationReport {
  const iteration: IterationReport = { index, value, status: "passed", blocks: [] }
  ;(loop.iterations ??= []).push(iteration)
  return iteration
}

/** An iteration that has started. */
export function iterationAt(loop: BlockReport, index: number): IterationReport {
  const { iterations = [] } = loop
  const likely = iterations[index]
  if (likely?.index === index) return likely
  // Parallel iterations start nearly in order, and those that go on are near the end.
  return iterations.findLast((item) => item.index === index) ?? startIteration(loop, index, null)
}

/** What `findOpenRun` needs to find an open run again in a copy of its report. */
export function runSoFar(number: number, { position, open, atWork }: OpenRun): RunSoFar {
  const blocks = [...open.values()].map(({ block: { iterations }, place }): OpenBlock => {
    if (iterations === undefined) return place
    const going = iterations.filter((iteration) => atWork.has(iteration))
    return { ...place, iterations: going.map(({ index }) => index) }
  })
  return { run: number, position, blocks }
}

export function findOpenRun(run: RunReport, { position, blocks }: RunSoFar): OpenRun {
  const found = openRun(run, position)
  for (const { iterations = [], ...place } of blocks) {
    const parent = place.parent === undefined ? undefined : found.open.get(place.parent)?.block
    const block = blocksAt(run, parent, place.iteration)[place.position]
    if (block === undefined) continue
    found.open.set(place.block, { block, place })
    if (block.status === "skipped") found.skipped.push(place.block)
    else found.atWork.add(block)
    for (const index of iterations) found.atWork.add(iterationAt(block, index))
  }
  return found
}
