// The rows of a report: blocks and iterations in order. Containers can be expanded, and a filter hides rows.

import { pathAndQuery, type BlockReport, type BlockStatus, type IterationReport } from "@callsheet/format"
import type { ShownReport } from "./follow-run.ts"

export interface ReportRow {
  /** The position in the report: `3`, `3/i12`, `3/i12/0`. */
  readonly id: string
  readonly depth: number
  readonly position: number
  readonly siblings: number
  readonly label: string
  readonly status: BlockStatus | "running"
  readonly block: BlockReport | undefined
  readonly iteration: IterationReport | undefined
  /** Undefined if the row can't contain others. */
  readonly isOpen: boolean | undefined
}

export interface ReportFilter {
  /** Matches ids, iteration values, methods, paths and statuses of responses. Ignores case. */
  readonly text: string
  readonly isFailedOnly: boolean
}

export interface RowSource extends Pick<ShownReport, "isAtWork"> {
  readonly run: { readonly blocks: readonly BlockReport[] } | undefined
}

type Part = BlockReport | IterationReport

/** The parts that a filter matches, and the containers around them. Undefined without a filter: all parts. */
export type Matches = ReadonlySet<object> | undefined

/** A part of a report and its position. */
class PartPlace {
  readonly part: Part
  readonly position: number
  readonly siblings: number
  readonly around: PartPlace | undefined
  readonly depth: number
  #id: string | undefined

  constructor(part: Part, position: number, { parts, around }: Level) {
    this.part = part
    this.position = position
    this.siblings = parts.length
    this.around = around
    this.depth = (around?.depth ?? 0) + 1
  }

  /** Computed on demand: there may be 100,000 rows, of which only a few are shown. */
  get id(): string {
    const own = isIteration(this.part) ? `i${this.part.index}` : `${this.position}`
    return (this.#id ??= this.around === undefined ? own : `${this.around.id}/${own}`)
  }
}

interface Level {
  readonly parts: readonly Part[]
  readonly around: PartPlace | undefined
  next: number
}

/** All parts of a report, containers first. Blocks nest without limit, so it is a loop. */
export function* partsIn(
  blocks: readonly Part[],
  enters: (container: PartPlace) => boolean = () => true,
): Generator<PartPlace, void> {
  const levels: Level[] = [{ parts: blocks, around: undefined, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const position = level.next++
    const part = level.parts[position]
    if (part === undefined) {
      levels.pop()
      continue
    }
    const place = new PartPlace(part, position, level)
    yield place
    const parts = partsOf(part)
    if (parts.length > 0 && enters(place)) levels.push({ parts, around: place, next: 0 })
  }
}

class Row implements ReportRow {
  readonly place: PartPlace
  readonly isOpen: boolean | undefined
  readonly isAtWork: ShownReport["isAtWork"]

  constructor(place: PartPlace, isOpen: boolean | undefined, isAtWork: ShownReport["isAtWork"]) {
    this.place = place
    this.isOpen = isOpen
    this.isAtWork = isAtWork
  }

  get id(): string {
    return this.place.id
  }

  get depth(): number {
    return this.place.depth
  }

  get position(): number {
    return this.place.position
  }

  get siblings(): number {
    return this.place.siblings
  }

  get label(): string {
    const { part } = this.place
    return isIteration(part) ? iterationLabel(part) : part.id
  }

  get status(): ReportRow["status"] {
    return this.isAtWork(this.place.part) ? "running" : this.place.part.status
  }

  get block(): BlockReport | undefined {
    return isIteration(this.place.part) ? undefined : this.place.part
  }

  get iteration(): IterationReport | undefined {
    return isIteration(this.place.part) ? this.place.part : undefined
  }
}

/**
 * `choices` are the rows that the user expanded or collapsed. By default, failed ones are expanded, and with a filter
 * those that contain a match.
 */
export function reportRows(
  { run, isAtWork }: RowSource,
  choices: ReadonlyMap<string, boolean>,
  matches?: Matches,
): readonly ReportRow[] {
  const rows: ReportRow[] = []
  const chosenIn = new Set([...choices.keys()].map((id) => id.slice(0, Math.max(0, id.lastIndexOf("/")))))
  const open = new Set<PartPlace>()
  // A container that matches by itself shows all of its blocks.
  const whole = new Set<PartPlace | undefined>(matches === undefined ? [undefined] : [])
  for (const place of partsIn(run?.blocks ?? [], (one) => open.has(one))) {
    const { part, around } = place
    const isFiltered = !whole.has(around)
    if (isFiltered && matches?.has(part) === false) continue
    const inner = partsOf(part)
    const containsMatch = isFiltered && inner.some((item) => matches?.has(item))
    const choice = chosenIn.has(around?.id ?? "") ? choices.get(place.id) : undefined
    const isOpen = choice ?? (containsMatch || part.status === "failed")
    rows.push(new Row(place, inner.length === 0 ? undefined : isOpen, isAtWork))
    if (inner.length === 0 || !isOpen) continue
    open.add(place)
    if (!containsMatch) whole.add(place)
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
  const failures: PartPlace[] = []
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
export const requestLine = ({ request, response }: BlockReport): string | undefined =>
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
