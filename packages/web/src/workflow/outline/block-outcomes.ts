// The outcomes of blocks in a run, matched to the current blocks. Pure.

import {
  isJsonArray,
  isJsonObject,
  type BlockReport,
  type BlockStatus,
  type IterationReport,
  type JsonPointer,
  type JsonValue,
  ownOf,
  type RunReport,
  uncheckedErrors,
} from "@callsheet/format"
import { keyOf } from "../../blocks/block-place.ts"

export interface BlockOutcome {
  readonly status: BlockStatus | "running" | "unchecked"
  /** The number of iterations of a loop, or the number of runs of a block in a loop. */
  readonly rounds?: number
  readonly failed?: number
  /** The block's reports: one, or one for each iteration of the loop around it. */
  readonly reports: readonly BlockReport[]
}

/** The outcomes by block key. Blocks that didn't run are absent. */
export type BlockOutcomes = ReadonlyMap<string, BlockOutcome>

/** Indexes a report once. The returned function finds the outcomes of a workflow's current blocks. */
export function createOutcomeFinder(
  run: Pick<RunReport, "blocks">,
  isAtWork: (part: BlockReport | IterationReport) => boolean,
): (workflow: JsonValue) => BlockOutcomes {
  const reports = run.blocks
  const byId = reportsById(reports)
  return (workflow) => {
    const unchecked = uncheckedErrors(run, workflow)
    const outcomes = new Map<string, BlockOutcome>()
    const work: Pair[] = [{ list: ["blocks"], blocks: blocksAt(workflow, "blocks"), ran: [reports] }]
    for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
      const { list, blocks, ran } = pair
      blocks.forEach((block, index) => {
        if (!isJsonObject(block) || typeof block["id"] !== "string") return
        const id = block["id"]
        const found = id.includes("{{") ? atPlace(block["type"], index, ran) : (byId.get(id) ?? [])
        const pointer = [...list, index]
        if (found.length > 0)
          outcomes.set(keyOf(pointer), outcomeOf(found, { isAtWork, unchecked, isInLoop: ran.length > 1 }))
        work.push(...innerPairs(block, pointer, found))
      })
    }
    return outcomes
  }
}

/** A list of blocks with its reports: one, or one for each iteration of the loop around it. */
interface Pair {
  readonly list: JsonPointer
  readonly blocks: readonly JsonValue[]
  readonly ran: readonly (readonly BlockReport[])[]
}

const blocksAt = (value: JsonValue, field: string): readonly JsonValue[] => {
  const list = isJsonObject(value) ? ownOf(value, field) : undefined
  return isJsonArray(list) ? list : []
}

/** Indexes by id in the whole workflow, to find a block that has been moved since the run. */
function reportsById(reports: readonly BlockReport[]): ReadonlyMap<string, readonly BlockReport[]> {
  const byId = new Map<string, BlockReport[]>()
  const work: (readonly BlockReport[])[] = [reports]
  for (let list = work.pop(); list !== undefined; list = work.pop())
    for (const report of list) {
      const known = byId.get(report.id)
      if (known === undefined) byId.set(report.id, [report])
      else known.push(report)
      work.push(...listsIn(report))
    }
  return byId
}

const listsIn = ({ blocks, iterations }: BlockReport): readonly (readonly BlockReport[])[] =>
  iterations === undefined ? (blocks === undefined ? [] : [blocks]) : iterations.map((one) => one.blocks)

/** An id with placeholders differs in each iteration, so identify the block by its position in the list. */
const atPlace = (
  type: JsonValue | undefined,
  index: number,
  ran: readonly (readonly BlockReport[])[],
): readonly BlockReport[] =>
  ran.flatMap((reports) => reports.slice(index, index + 1).filter((report) => report.type === type))

interface Facts {
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
  readonly unchecked: ReadonlySet<BlockReport>
  readonly isInLoop: boolean
}

function outcomeOf(reports: readonly BlockReport[], { isAtWork, unchecked, isInLoop }: Facts): BlockOutcome {
  const failed = reports.filter(({ status }) => status === "failed").length
  const [first] = reports
  const status = reports.some(isAtWork)
    ? "running"
    : failed > 0
      ? "failed"
      : reports.some((report) => unchecked.has(report))
        ? "unchecked"
        : (reports.find(({ status: one }) => one === "passed")?.status ?? first?.status ?? "skipped")
  if (isInLoop) return { status, reports, rounds: reports.length, failed }
  const iterations = first?.iterations
  if (iterations === undefined) return { status, reports }
  return {
    status,
    reports,
    rounds: iterations.length,
    failed: iterations.filter((iteration) => iteration.status === "failed").length,
  }
}

function innerPairs(
  block: JsonValue,
  pointer: JsonPointer,
  reports: readonly BlockReport[],
): readonly Pair[] {
  const ran = reports.flatMap(listsIn)
  return (["then", "else", "blocks"] as const).flatMap((field) => {
    const blocks = blocksAt(block, field)
    return blocks.length === 0 ? [] : [{ list: [...pointer, field], blocks, ran }]
  })
}
