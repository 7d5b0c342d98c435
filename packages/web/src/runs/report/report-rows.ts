// The rows of a report: blocks and iterations in order. Containers can be expanded, and a filter hides rows.

import { pathAndQuery, type BlockReport, type BlockStatus, type IterationReport } from "@callsheet/format"
import type { ShownReport } from "../../connection/follow-run.ts"

export interface ReportFilter {
  /** Matches ids, iteration values, methods, paths and statuses of responses. Ignores case. */
  readonly text: string
  readonly isFailedOnly: boolean
}

export interface RowSource extends RowStates {
  readonly run: { readonly blocks: readonly BlockReport[] } | undefined
}

type Part = BlockReport | IterationReport

/** What the status of a part doesn't say. */
interface RowStates extends Pick<ShownReport, "isAtWork"> {
  /** The blocks with an error response that nothing checks. */
  readonly unchecked?: ReadonlySet<object> | undefined
}

/** The parts that a filter matches, and the containers around them. Undefined without a filter: all parts. */
export type Matches = ReadonlySet<object> | undefined

/** A part of a report and its position. Computes texts on demand: there may be 100,000, of which only a few are shown. */
export class ReportRow {
  readonly part: Part
  readonly position: number
  readonly siblings: number
  readonly around: ReportRow | undefined
  readonly depth: number
  /** Undefined if the row can't contain others. */
  isOpen: boolean | undefined
  readonly #states: RowStates
  #id: string | undefined

  constructor(part: Part, position: number, { parts, around }: Level, states: RowStates) {
    this.part = part
    this.position = position
    this.siblings = parts.length
    this.around = around
    this.depth = (around?.depth ?? 0) + 1
    this.#states = states
  }

  /** Such as `3`, `3/i12` for an iteration, or `3/i12/0`. */
  get id(): string {
    const own = isIteration(this.part) ? `i${this.part.index}` : `${this.position}`
    return (this.#id ??= this.around === undefined ? own : `${this.around.id}/${own}`)
  }

  get label(): string {
    return isIteration(this.part) ? iterationLabel(this.part) : this.part.id
  }

  get status(): BlockStatus | "running" | "unchecked" {
    if (this.#states.isAtWork(this.part)) return "running"
    return this.#states.unchecked?.has(this.part) === true ? "unchecked" : this.part.status
  }

  get block(): BlockReport | undefined {
    return isIteration(this.part) ? undefined : this.part
  }

  get iteration(): IterationReport | undefined {
    return isIteration(this.part) ? this.part : undefined
  }
}

interface Level {
  readonly parts: readonly Part[]
  readonly around: ReportRow | undefined
  next: number
}

/** All parts of a report, containers first. Blocks nest without limit, so it is a loop. */
export function* partsIn(
  blocks: readonly Part[],
  enters: (container: ReportRow) => boolean = () => true,
  states: RowStates = { isAtWork: () => false },
): Generator<ReportRow, void> {
  const levels: Level[] = [{ parts: blocks, around: undefined, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const position = level.next++
    const part = level.parts[position]
    if (part === undefined) {
      levels.pop()
      continue
    }
    const place = new ReportRow(part, position, level, states)
    yield place
    const parts = partsOf(part)
    if (parts.length > 0 && enters(place)) levels.push({ parts, around: place, next: 0 })
  }
}

/**
 * `choices` are the rows that the user expanded or collapsed. By default, failed ones are expanded, and with a filter
 * those that contain a match.
 */
export function reportRows(
  { run, ...states }: RowSource,
  choices: ReadonlyMap<string, boolean>,
  matches?: Matches,
): readonly ReportRow[] {
  const rows: ReportRow[] = []
  const chosenIn = new Set([...choices.keys()].map((id) => id.slice(0, Math.max(0, id.lastIndexOf("/")))))
  // A container that matches by itself shows all of its blocks.
  const whole = new Set<ReportRow | undefined>(matches === undefined ? [undefined] : [])
  const shown = new Set<ReportRow>()
  for (const row of partsIn(run?.blocks ?? [], (one) => shown.has(one), states)) {
    const { part, around } = row
    const isFiltered = !whole.has(around)
    if (isFiltered && matches?.has(part) === false) continue
    rows.push(row)
    const inner = partsOf(part)
    if (inner.length === 0) continue
    const containsMatch = isFiltered && inner.some((item) => matches?.has(item))
    const choice = chosenIn.has(around?.id ?? "") ? choices.get(row.id) : undefined
    row.isOpen = choice ?? (containsMatch || part.status === "failed")
    if (row.isOpen) shown.add(row)
    if (!containsMatch) whole.add(row)
  }
  return rows
}

/** Returns the index of a row, or -1. */
export function rowIndex(rows: readonly ReportRow[], id: string | undefined): number {
  if (id === undefined) return -1
  const steps = id.split("/")
  const last = Number(steps.at(-1)?.replace("i", ""))
  // Avoids computing the ids of all rows.
  return rows.findIndex(
    (row) => row.depth === steps.length && (row.iteration?.index ?? row.position) === last && row.id === id,
  )
}

/** Returns what the filter matches in the run. */
export function matchesOf({ run }: ShownReport, { text, isFailedOnly }: ReportFilter): Matches {
  const words = text.trim().toLowerCase()
  if (words === "" && !isFailedOnly) return undefined
  const found = new Set<object>()
  for (const { part, around } of partsIn(run?.blocks ?? [])) {
    if (isFailedOnly && part.status !== "failed") continue
    if (words !== "" && !searchedText(part).toLowerCase().includes(words)) continue
    found.add(part)
    for (let outer = around; outer !== undefined && !found.has(outer.part); outer = outer.around)
      found.add(outer.part)
  }
  return found
}

/**
 * Returns the id of the next failure after a row, or of the one before it, in the order of the report. Continues at
 * the other end. A container that only contains a failure isn't one.
 */
export function nextFailure(
  { run }: ShownReport,
  from: ReportRow | undefined,
  step: 1 | -1,
  matches?: Matches,
): string | undefined {
  const start = from?.block ?? from?.iteration
  const failures: ReportRow[] = []
  let before = 0
  let isAfter = false
  for (const place of partsIn(run?.blocks ?? [])) {
    const { part } = place
    isAfter ||= part === start
    if (part.status !== "failed" || partsOf(part).some(isFailed) || matches?.has(part) === false) continue
    failures.push(place)
    if (!isAfter) before++
  }
  const isOnFailure = start !== undefined && failures[before]?.part === start
  const next = isOnFailure ? before + 1 : before
  return failures.at(step === -1 ? before - 1 : next % failures.length)?.id
}

/** Returns the first failed row without failed rows inside. */
export function firstFailure(rows: readonly ReportRow[]): ReportRow | undefined {
  let found: ReportRow | undefined
  for (const row of rows) {
    if (found !== undefined && row.depth <= found.depth) return found
    if (row.status === "failed") found = row
  }
  return found
}

/** Returns the ids of the rows around a row, outermost first. */
export const idsAround = (id: string): readonly string[] =>
  id
    .split("/")
    .map((_, at, steps) => steps.slice(0, at).join("/"))
    .slice(1)

const isFailed = ({ status }: Part): boolean => status === "failed"

const searchedText = (part: Part): string =>
  isIteration(part) ? iterationLabel(part) : `${part.id} ${part.type} ${requestLine(part) ?? ""}`

/** Returns `POST /orders 201`, as the terminal shows it. Undefined if the block sent no request. */
const requestLine = ({ request, response }: BlockReport): string | undefined =>
  request === undefined
    ? undefined
    : [request.method, pathAndQuery(request.url), response?.status]
        .filter((word) => word !== undefined)
        .join(" ")

export const isIteration = (part: Part): part is IterationReport => "index" in part

function iterationLabel({ index, value }: IterationReport): string {
  if (value === null || value === index) return `${index}`
  return `${index} · ${typeof value === "object" ? (JSON.stringify(value) ?? "").slice(0, 80) : String(value).slice(0, 80)}`
}

const nothing: readonly Part[] = []

const partsOf = (part: Part): readonly Part[] =>
  (isIteration(part) ? part.blocks : (part.iterations ?? part.blocks)) ?? nothing
