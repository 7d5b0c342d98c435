// How each block came out in a run: the report of the run held against the blocks as they are now. Pure.

import {
  isJsonArray,
  isJsonObject,
  type BlockReport,
  type BlockStatus,
  type IterationReport,
  type JsonPointer,
  type JsonValue,
} from "@callsheet/format"
import { keyOf } from "./block-place.ts"

export interface BlockOutcome {
  readonly status: BlockStatus | "running"
  /** Of a loop: how often it went round. Of a block in one: how often it ran. */
  readonly rounds?: number
  readonly failed?: number
}

/** By the key of the block. Blocks that were not there in the run have none. */
export function blockOutcomes(
  workflow: JsonValue,
  reports: readonly BlockReport[],
  isAtWork: (part: BlockReport | IterationReport) => boolean,
): ReadonlyMap<string, BlockOutcome> {
  const outcomes = new Map<string, BlockOutcome>()
  const work: Pair[] = [{ list: ["blocks"], blocks: blocksAt(workflow, "blocks"), ran: [reports] }]
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const { list, blocks, ran } = pair
    blocks.forEach((block, index) => {
      if (!isJsonObject(block) || typeof block["id"] !== "string") return
      const found = reportsOf(block["id"], block["type"], index, ran)
      if (found.length === 0) return
      const pointer = [...list, index]
      outcomes.set(keyOf(pointer), outcomeOf(found, isAtWork, ran.length > 1))
      work.push(...innerPairs(block, pointer, found))
    })
  }
  return outcomes
}

/** A list of blocks, and what was reported of it: once, or for each round of the loop around it. */
interface Pair {
  readonly list: JsonPointer
  readonly blocks: readonly JsonValue[]
  readonly ran: readonly (readonly BlockReport[])[]
}

const blocksAt = (value: JsonValue, field: string): readonly JsonValue[] => {
  const list = isJsonObject(value) ? value[field] : undefined
  return isJsonArray(list) ? list : []
}

/** An id with tokens has another text in each round: there the place in the list tells. */
function reportsOf(
  id: string,
  type: JsonValue | undefined,
  index: number,
  ran: readonly (readonly BlockReport[])[],
): readonly BlockReport[] {
  const hasTokens = id.includes("{{")
  return ran.flatMap((reports) => {
    const likely = reports[index]
    if (likely?.id === id || (hasTokens && likely?.type === type && likely !== undefined)) return [likely]
    return hasTokens ? [] : reports.filter((report) => report.id === id).slice(0, 1)
  })
}

function outcomeOf(
  reports: readonly BlockReport[],
  isAtWork: (part: BlockReport | IterationReport) => boolean,
  isInLoop: boolean,
): BlockOutcome {
  const failed = reports.filter(({ status }) => status === "failed").length
  const [first] = reports
  const status = reports.some(isAtWork)
    ? "running"
    : failed > 0
      ? "failed"
      : (reports.find(({ status: one }) => one === "passed")?.status ?? first?.status ?? "skipped")
  if (isInLoop) return { status, rounds: reports.length, failed }
  const iterations = first?.iterations
  if (iterations === undefined) return { status }
  return {
    status,
    rounds: iterations.length,
    failed: iterations.filter((iteration) => iteration.status === "failed").length,
  }
}

function innerPairs(
  block: JsonValue,
  pointer: JsonPointer,
  reports: readonly BlockReport[],
): readonly Pair[] {
  const ran = reports.flatMap(({ blocks, iterations }) =>
    iterations === undefined ? (blocks === undefined ? [] : [blocks]) : iterations.map((one) => one.blocks),
  )
  if (ran.length === 0) return []
  return (["then", "else", "blocks"] as const).flatMap((field) => {
    const blocks = blocksAt(block, field)
    return blocks.length === 0 ? [] : [{ list: [...pointer, field], blocks, ran }]
  })
}
