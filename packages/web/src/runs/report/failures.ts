// What failed in a run, each in a sentence, and which exchange a failed assertion read. Pure.

import {
  newProblems,
  parsePath,
  wordsOf,
  type AssertionView,
  type BlockReport,
  type JsonValue,
  type RunReport,
} from "@callsheet/format"
import { jsonPrefix } from "../response/json-prefix.ts"
import { partsIn } from "./report-rows.ts"

export interface RunFailure {
  readonly message: string
  /** Absent if the workflow didn't start, or no block failed. The id is that in the report. */
  readonly block?: { readonly workflow: string; readonly id: string } | undefined
  /** The entry of the suite. */
  readonly entry?: string | undefined
}

const MAX_FAILURES = 20

/** Returns one failure for each failed block without failed blocks inside, 20 at most. */
export function failuresIn(run: RunReport): readonly RunFailure[] {
  const { status, workflow, entry, error } = run
  if (status === "passed" || status === "skipped") return []
  const found: RunFailure[] = error === undefined ? [] : [{ entry, message: error.message }]
  for (const block of failedBlocks(run)) {
    if (found.length >= MAX_FAILURES) break
    found.push({ entry, block: { workflow, id: block.id }, message: failureText(block) })
  }
  return found.length > 0 ? found : [{ entry, message: "The run failed." }]
}

/** The failed blocks in order. A container that only contains a failed block isn't one. */
export function* failedBlocks({ blocks }: RunReport): Generator<BlockReport, void> {
  for (const { block } of partsIn(blocks, ({ part }) => part.status === "failed")) {
    if (block?.status !== "failed") continue
    const inner = block.iterations?.flatMap((iteration) => iteration.blocks) ?? block.blocks ?? []
    if (!inner.some(({ status }) => status === "failed")) yield block
  }
}

/** Counts the blocks of a finished run. A container that only contains a failed block doesn't count as failed. */
export const blockCounts = (run: RunReport): RunReport["counts"] => ({
  ...run.counts,
  failed: run.counts.failed === 0 ? 0 : [...failedBlocks(run)].length,
})

/** Says why a block failed: `order.response.body.status is "open", expected "closed"`. */
export function failureText({ error, assertions = [], contract }: BlockReport): string {
  const failed = assertions.find(({ status }) => status === "failed")
  if (failed !== undefined) return assertionText(failed)
  const [problem] = contract?.status === "failed" ? newProblems({ contract }) : []
  if (problem !== undefined) return `response ${problem.path.replace(/^\//, "")}: ${problem.message}`
  return error?.message ?? "failed"
}

function assertionText({ source, operator, expected, actual, message }: AssertionView): string {
  const { lead, takesValue } = wordsOf(operator)
  const wanted = `${lead}${takesValue && expected !== undefined ? shortText(expected) : ""}`.trim()
  if (actual !== undefined) return `${source} is ${shortText(actual)}, expected ${wanted}`
  return `${source}: ${message ?? `expected ${wanted}`}`
}

const SHORT = 60

/** A value as JSON, cut. */
function shortText(value: JsonValue): string {
  const text = jsonPrefix(value, SHORT + 1)
  return text.length > SHORT ? `${text.slice(0, SHORT)}…` : text
}

/** What an assertion read: a part of the exchange of an earlier block. */
export interface ReadPart {
  readonly block: BlockReport
  /** The steps in the response: `["body", "items", "0"]`. */
  readonly steps: readonly string[]
}

/**
 * Returns what the first failed assertion of a block read from a response: that of the last block before it with the
 * id, which is in the same iteration if the block is in one.
 */
export function readPart(blocks: readonly BlockReport[], reader: BlockReport): ReadPart | undefined {
  const failed = reader.assertions?.find(({ status }) => status === "failed")
  const path = failed === undefined ? undefined : parsePath(failed.source)
  if (path?.ok !== true || path.segments[1] !== "response") return undefined
  const [id, , ...steps] = path.segments
  let found: BlockReport | undefined
  for (const { block } of partsIn(blocks)) {
    if (block === reader) return found && { block: found, steps }
    if (block?.id === id && block.response !== undefined) found = block
  }
  return undefined
}
