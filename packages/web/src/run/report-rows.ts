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

/** A list of blocks or iterations. Those before `next` already have rows. */
interface Level {
  readonly path: string
  readonly depth: number
  readonly parts: readonly Part[]
  readonly matches: Matches
  readonly isAtWork: ShownReport["isAtWork"]
  next: number
}

/** Computes texts on demand: there may be 100,000 rows, of which only a few are shown. */
class Row implements ReportRow {
  readonly level: Level
  readonly position: number
  readonly part: Part
  readonly isOpen: boolean | undefined

  constructor(level: Level, position: number, part: Part, isOpen: boolean | undefined) {
    this.level = level
    this.position = position
    this.part = part
    this.isOpen = isOpen
  }

  get id(): string {
    return idOf(this.level.path, this.part, this.position)
  }

  get depth(): number {
    return this.level.depth
  }

  get siblings(): number {
    return this.level.parts.length
  }

  get label(): string {
    return isIteration(this.part) ? iterationLabel(this.part) : this.part.id
  }

  get status(): ReportRow["status"] {
    return this.level.isAtWork(this.part) ? "running" : this.part.status
  }

  get block(): BlockReport | undefined {
    return isIteration(this.part) ? undefined : this.part
  }

  get iteration(): IterationReport | undefined {
    return isIteration(this.part) ? this.part : undefined
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
  const chosenPaths = new Set([...choices.keys()].map(pathOf))
  const levels: Level[] =
    run === undefined ? [] : [{ path: "", depth: 1, parts: run.blocks, matches, isAtWork, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const position = level.next++
    const part = level.parts[position]
    if (part === undefined) {
      levels.pop()
      continue
    }
    if (level.matches?.has(part) === false) continue
    const inner = partsOf(part)
    const containsMatch = level.matches !== undefined && inner.some((item) => level.matches?.has(item))
    const choice = chosenPaths.has(level.path) ? choices.get(idOf(level.path, part, position)) : undefined
    const isOpen = choice ?? (containsMatch || part.status === "failed")
    const row = new Row(level, position, part, inner.length === 0 ? undefined : isOpen)
    rows.push(row)
    if (inner.length > 0 && isOpen)
      levels.push({
        path: `${row.id}/`,
        depth: level.depth + 1,
        parts: inner,
        // A container that matches by itself shows all of its blocks.
        matches: containsMatch ? level.matches : undefined,
        isAtWork,
        next: 0,
      })
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
  const found = failures.at(step === -1 ? before - 1 : next % failures.length)
  return found === undefined ? undefined : idAt(found)
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

interface PartPlace {
  readonly part: Part
  readonly position: number
  readonly around: PartPlace | undefined
}

/** All parts of a report, containers first. Blocks nest without limit, so it is a loop. */
export function* partsIn(blocks: readonly Part[]): Generator<PartPlace, void> {
  const levels: { parts: readonly Part[]; next: number; around: PartPlace | undefined }[] = [
    { parts: blocks, next: 0, around: undefined },
  ]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const position = level.next++
    const part = level.parts[position]
    if (part === undefined) {
      levels.pop()
      continue
    }
    const place = { part, position, around: level.around }
    yield place
    const parts = partsOf(part)
    if (parts.length > 0) levels.push({ parts, next: 0, around: place })
  }
}

/** Returns the id of a part's row. */
export const idAt = (place: PartPlace): string => idOf(pathAround(place), place.part, place.position)

function pathAround({ around }: PartPlace): string {
  let path = ""
  for (let outer = around; outer !== undefined; outer = outer.around)
    path = `${idOf("", outer.part, outer.position)}/${path}`
  return path
}

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

const idOf = (path: string, part: Part, position: number): string =>
  isIteration(part) ? `${path}i${part.index}` : `${path}${position}`

/** Returns the path of the list that contains the row. */
const pathOf = (id: string): string => id.slice(0, id.lastIndexOf("/") + 1)

function iterationLabel({ index, value }: IterationReport): string {
  if (value === null || value === index) return `${index}`
  return `${index} · ${typeof value === "object" ? (JSON.stringify(value) ?? "").slice(0, 80) : String(value).slice(0, 80)}`
}

const nothing: readonly Part[] = []

const partsOf = (part: Part): readonly Part[] =>
  (isIteration(part) ? part.blocks : (part.iterations ?? part.blocks)) ?? nothing
