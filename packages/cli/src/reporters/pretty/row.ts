// The line of a block. It has data while the block is open, and text when the block has finished.

import {
  innerListOf,
  knownProblems,
  pathAndQuery,
  traitsOf,
  type BlockKind,
  type BlockReport,
  type BlockStatus,
  type OpenBlock,
  streamSummary,
} from "@callsheet/format"
import type { Style } from "../../screen.ts"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { printable } from "../../text/printable.ts"
import { knownTexts } from "../known-text.ts"
import { uncheckedTexts } from "../unchecked-text.ts"

export type LinedBlock = OpenBlock<Line>

/** The rows below a line, and their totals. */
export interface Line {
  readonly isLoop: boolean
  readonly rows: Later<Row>[]
  /** The distinct warnings, by original text. */
  readonly notes: Map<string, Later<string>>
  moreNotes: number
  iterations: number
  failedIterations: number
  requests: number
  /** The number of responses for each status of 400 and above. */
  readonly refused: Map<number, number>
  /** The number of requests that the document doesn't describe, if contracts are validated. */
  unavailable: number
  /** The number of blocks with a body that wasn't checked against its schema. */
  unchecked: number
  /** The number of violations that the baseline lists. */
  known: number
  hiddenFailures: number
}

export type Later<T> = () => T

export interface Row {
  /** The block's mark and name. The details are in a column after it. */
  readonly head: string
  readonly headWidth: number
  readonly tail?: string
  readonly below: readonly Later<Row>[]
}

export function lineOf({ type }: BlockReport, parent: LinedBlock | undefined): Line {
  if (parent?.own.isLoop === true) return parent.own
  return {
    isLoop: innerListOf(type) === "iterations",
    rows: [],
    notes: new Map(),
    moreNotes: 0,
    iterations: 0,
    failedIterations: 0,
    requests: 0,
    refused: new Map(),
    unavailable: 0,
    unchecked: 0,
    known: 0,
    hiddenFailures: 0,
  }
}

/** Returns whether a loop repeats the block, so that the block is part of the loop's line. */
export const isRepeated = ({ parent, own }: LinedBlock): boolean => parent?.own === own

const MAX_NOTES = 20

export function addNote(line: Line, note: Later<string>): void {
  const text = note()
  if (line.notes.has(text)) return
  if (line.notes.size < MAX_NOTES) line.notes.set(text, note)
  else line.moreNotes++
}

const colors = { passed: "green", failed: "red", skipped: "dim" } as const
const marks = { passed: "✓", failed: "✗", skipped: "−" } as const

export const mark = (status: BlockStatus, style: Style): string => style(colors[status], marks[status])

/** Returns the code of a failure. Undefined if a container failed only because of its blocks. */
export const ownCode = ({ error }: Pick<BlockReport, "error">): string | undefined =>
  error?.code === "child-failed" ? undefined : error?.code

/** Formats a row such as `✓ create  POST /orders  201  12 ms`, with remarks and logs below it. */
export function finishedRow(block: LinedBlock, style: Style): Row {
  const { report, own } = block
  const { status, reason = "halted" } = report
  const name = shorten(report.id, 80)
  const code = ownCode(report)
  const words = [
    ...(status === "skipped" ? [style("dim", `skipped (${reason})`)] : details[report.type](block, style)),
    ...(status === "failed" && code !== undefined ? [style("red", code)] : []),
    ...duration(report, style),
  ]
  return {
    head: `${mark(status, style)} ${status === "passed" ? name : style(colors[status], name)}`,
    headWidth: name.length + 2,
    tail: words.join("  "),
    below: [...remarks(block, style), ...own.rows],
  }
}

/** Creates a row that isn't a block: a remark, or a note about omitted rows. */
export const plainRow =
  (line: string): Later<Row> =>
  () => ({ head: line, headWidth: 0, below: [] })

function duration({ type, durationMs, status }: BlockReport, style: Style): string[] {
  if (status === "skipped") return []
  const { result, iterates } = traitsOf(type)
  const always = result === "response" || iterates
  return always || durationMs >= 50 ? [style("dim", formatDuration(durationMs))] : []
}

type Details = (block: LinedBlock, style: Style) => string[]
const nothing: Details = () => []

const details: { readonly [K in BlockKind]: Details } = {
  request: requestDetails,
  assert: ({ report: { assertions } }, style) =>
    assertions === undefined ? [] : [style("dim", plural(assertions.length, "assertion"))],
  transform: ({ report: { outputs = {} } }, style) => {
    const names = Object.keys(outputs)
    return names.length === 0 ? [] : [style("dim", shorten(names.join(", "), 60))]
  },
  condition: nothing,
  loop: loopDetails,
  group: nothing,
  script: nothing,
}

function requestDetails({ report }: LinedBlock, style: Style): string[] {
  const { request, response, contract } = report
  if (request === undefined) return []
  // The origin is the same on every line, and failures show it.
  const words = [style("dim", `${printable(request.method)} ${shorten(pathAndQuery(request.url), 100)}`)]
  const status = response?.status ?? 0
  // Statuses of 400 and above don't fail a block but stand out.
  if (status >= 400) words.push(style("yellow", `${status} !`))
  else if (status > 0) words.push(String(status))
  const stream = response && streamSummary(response)
  if (stream !== undefined) words.push(style("dim", stream))
  const { redirects = [] } = response ?? {}
  const method = redirects.findLast((redirect) => redirect.method !== undefined)?.method
  const then = method === undefined ? "" : ` to ${printable(method)}`
  if (redirects.length > 0) words.push(style("dim", plural(redirects.length, "redirect") + then))
  if (contract?.status === "unavailable") words.push(style("yellow", "contract unavailable"))
  const known = knownProblems(report).length
  if (known > 0) words.push(style("yellow", plural(known, "known violation")))
  return [...words, ...uncheckedTexts(report).map((text) => style("dim", text))]
}

function loopDetails({ own }: LinedBlock, style: Style): string[] {
  const words = [style("dim", plural(own.iterations, "iteration"))]
  if (own.failedIterations > 0) words.push(style("red", `${own.failedIterations} failed`))
  if (own.requests > 0) words.push(style("dim", plural(own.requests, "request")))
  const refused = [...own.refused].sort(([a], [b]) => a - b)
  if (refused.length > 0) {
    words.push(style("yellow", refused.map(([status, count]) => `${count} × ${status} !`).join(", ")))
  }
  if (own.unavailable > 0) words.push(style("yellow", `${own.unavailable} × contract unavailable`))
  if (own.known > 0) words.push(style("yellow", plural(own.known, "known violation")))
  if (own.unchecked > 0) words.push(style("dim", `${own.unchecked} × unchecked`))
  return words
}

function remarks({ report, own, moreLogs }: LinedBlock, style: Style): Later<Row>[] {
  const rows = [...own.notes.values()].map((note) => `${style("yellow", "!")} ${note()}`)
  if (own.moreNotes > 0) rows.push(`${style("yellow", "!")} … ${own.moreNotes} more warnings`)
  // Those of a failed block are shown with its failure, as are its logs.
  if (report.status !== "failed") for (const text of knownTexts(report)) rows.push(style("dim", `~ ${text}`))
  if (report.status !== "failed" && report.logs !== undefined) {
    const lines = report.logs.flatMap((text) => text.split(/\r?\n/))
    for (const text of lines.slice(0, MAX_LOGS)) rows.push(style("dim", `│ ${shorten(text, 200)}`))
    const left = lines.length - MAX_LOGS + moreLogs
    if (left > 0) rows.push(style("dim", `│ … ${left} more`))
  }
  return rows.map(plainRow)
}

const MAX_LOGS = 10
const MAX_INDENT = 20
/** The column where details start. */
const DETAILS_AT = 32

/** Formats a row and all rows below it as lines. Iterative, because blocks nest without limit. */
export function flatten(row: Later<Row>): string[] {
  const lines: string[] = []
  const work: { row: Later<Row>; depth: number }[] = [{ row, depth: 0 }]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { head, headWidth, tail = "", below } = item.row()
    const indent = 2 * (Math.min(item.depth, MAX_INDENT) + 1)
    const gap = Math.max(2, DETAILS_AT - indent - headWidth)
    lines.push(`${" ".repeat(indent)}${head}${tail === "" ? "" : `${" ".repeat(gap)}${tail}`}`)
    for (const inner of below.toReversed()) work.push({ row: inner, depth: item.depth + 1 })
  }
  return lines
}
