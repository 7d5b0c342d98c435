// The line of a finished block.

import type { BlockKind, BlockStatus, SkipReason } from "@callsheet/format"
import type { Style } from "../../screen.ts"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { printable } from "../../text/printable.ts"
import type { OpenBlock, Row, Tally } from "./tracker.ts"

export interface FinishedBlock {
  readonly status: BlockStatus
  readonly reason?: SkipReason | undefined
  readonly durationMs?: number | undefined
  readonly code?: string | undefined
}

/** Marks of the three statuses. */
export function mark(status: BlockStatus, style: Style): string {
  if (status === "passed") return style("green", "✓")
  return status === "failed" ? style("red", "✗") : style("dim", "−")
}

/** `✓ create  POST /orders  201  12 ms`, with the remarks and logs of the block below it. */
export function finishedRow(block: OpenBlock, finished: FinishedBlock, style: Style): Row {
  const { status } = finished
  const name = shorten(block.id, 80)
  const words = [
    ...(status === "skipped"
      ? [style("dim", `skipped (${finished.reason ?? "halted"})`)]
      : details[block.kind](block, style)),
    ...(status === "failed" && finished.code !== undefined ? [style("red", finished.code)] : []),
    ...duration(block, finished, style),
  ]
  return {
    head: `${mark(status, style)} ${named[status](name, style)}`,
    headWidth: name.length + 2,
    tail: words.join("  "),
    below: [...remarks(block, status, style), ...(block.rows ?? [])],
  }
}

const named: { readonly [S in BlockStatus]: (name: string, style: Style) => string } = {
  passed: (name) => name,
  failed: (name, style) => style("red", name),
  skipped: (name, style) => style("dim", name),
}

/** A line that is no block: a remark, a note of what is left out. */
export const plainRow = (line: string): Row => ({ head: line, headWidth: 0, below: [] })

function duration(block: OpenBlock, { durationMs, status }: FinishedBlock, style: Style): string[] {
  if (durationMs === undefined || status === "skipped") return []
  const always = block.kind === "request" || block.kind === "loop"
  return always || durationMs >= 50 ? [style("dim", formatDuration(durationMs))] : []
}

type Details = (block: OpenBlock, style: Style) => string[]
const nothing: Details = () => []

const details: { readonly [K in BlockKind]: Details } = {
  request: requestDetails,
  assert: ({ assertions }, style) =>
    assertions === undefined ? [] : [style("dim", plural(assertions.length, "assertion"))],
  transform: ({ outputs }, style) =>
    outputs === undefined || outputs.length === 0 ? [] : [style("dim", shorten(outputs.join(", "), 60))],
  condition: nothing,
  loop: ({ tally }, style) => (tally === undefined ? [] : loopDetails(tally, style)),
  group: nothing,
  script: nothing,
}

function requestDetails({ request, response, contract }: OpenBlock, style: Style): string[] {
  if (request === undefined) return []
  const words = [style("dim", `${printable(request.method)} ${shorten(placeOf(request.url), 100)}`)]
  if (response !== undefined) words.push(statusText(response.status, style))
  const hops = response?.redirects?.length ?? 0
  if (hops > 0) words.push(style("dim", plural(hops, "redirect")))
  if (contract?.status === "unavailable") words.push(style("yellow", "contract unavailable"))
  return words
}

/** Statuses from 400 on stand out, though they fail no block by themselves. */
const statusText = (status: number, style: Style): string =>
  status >= 400 ? style("yellow", `${status} !`) : String(status)

// Path and query alone: the origin is the same line after line, and stands in the exchange of a failure.
function placeOf(url: string): string {
  const from = url.indexOf("/", url.indexOf("://") + 3)
  return from === -1 ? url : url.slice(from)
}

function loopDetails(tally: Tally, style: Style): string[] {
  const words = [style("dim", plural(tally.iterations, "iteration"))]
  if (tally.failedIterations > 0) words.push(style("red", `${tally.failedIterations} failed`))
  if (tally.requests > 0) words.push(style("dim", plural(tally.requests, "request")))
  const refused = [...tally.refused].sort(([a], [b]) => a - b)
  if (refused.length > 0) {
    words.push(style("yellow", refused.map(([status, count]) => `${count} × ${status} !`).join(", ")))
  }
  if (tally.unchecked > 0) words.push(style("yellow", `${tally.unchecked} × contract unavailable`))
  return words
}

function remarks(block: OpenBlock, status: BlockStatus, style: Style): Row[] {
  const rows = [...(block.notes?.texts ?? [])].map((text) => `${style("yellow", "!")} ${text}`)
  if (block.notes !== undefined && block.notes.more > 0) {
    rows.push(`${style("yellow", "!")} … ${block.notes.more} more warnings`)
  }
  // A failed block's logs stand in its failure.
  if (status !== "failed" && block.logs !== undefined) {
    const { first, more } = block.logs
    for (const text of first.slice(0, MOST_LOGS)) rows.push(style("dim", `│ ${shorten(text, 200)}`))
    const left = first.length - MOST_LOGS + more
    if (left > 0) rows.push(style("dim", `│ … ${left} more`))
  }
  return rows.map(plainRow)
}

const MOST_LOGS = 10
const MOST_INDENT = 20
/** Where the column of details starts. */
const DETAILS_AT = 32

/** A row and all below it as lines; iterative, since blocks nest without bound. */
export function flatten(row: Row): string[] {
  const lines: string[] = []
  const work: { row: Row; depth: number }[] = [{ row, depth: 0 }]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { head, headWidth, tail = "", below } = item.row
    const indent = 2 * (Math.min(item.depth, MOST_INDENT) + 1)
    const gap = Math.max(2, DETAILS_AT - indent - headWidth)
    lines.push(`${" ".repeat(indent)}${head}${tail === "" ? "" : `${" ".repeat(gap)}${tail}`}`)
    for (let at = below.length - 1; at >= 0; at--) work.push({ row: below[at]!, depth: item.depth + 1 })
  }
  return lines
}
