// The rows of a report: blocks and iterations in order. Containers can be expanded.

import type { BlockReport, BlockStatus, IterationReport } from "@callsheet/format"
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

type Part = BlockReport | IterationReport

/** A list of blocks or iterations. Those before `next` already have rows. */
interface Level {
  readonly path: string
  readonly depth: number
  readonly parts: readonly Part[]
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

/** `choices` are the rows that the user expanded or collapsed. By default, failed ones are expanded. */
export function reportRows(
  { run, isAtWork }: ShownReport,
  choices: ReadonlyMap<string, boolean>,
): readonly ReportRow[] {
  const rows: ReportRow[] = []
  const chosenPaths = new Set([...choices.keys()].map(pathOf))
  const levels: Level[] =
    run === undefined ? [] : [{ path: "", depth: 1, parts: run.blocks, isAtWork, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const position = level.next++
    const part = level.parts[position]
    if (part === undefined) {
      levels.pop()
      continue
    }
    const inner = partsOf(part)
    const choice = chosenPaths.has(level.path) ? choices.get(idOf(level.path, part, position)) : undefined
    const isOpen = choice ?? part.status === "failed"
    const row = new Row(level, position, part, inner === undefined ? undefined : isOpen)
    rows.push(row)
    if (inner !== undefined && isOpen)
      levels.push({ path: `${row.id}/`, depth: level.depth + 1, parts: inner, isAtWork, next: 0 })
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

const isIteration = (part: Part): part is IterationReport => "index" in part

const idOf = (path: string, part: Part, position: number): string =>
  isIteration(part) ? `${path}i${part.index}` : `${path}${position}`

/** Returns the path of the list that contains the row. */
const pathOf = (id: string): string => id.slice(0, id.lastIndexOf("/") + 1)

function iterationLabel({ index, value }: IterationReport): string {
  if (value === null || value === index) return `${index}`
  return `${index} · ${typeof value === "object" ? (JSON.stringify(value) ?? "").slice(0, 80) : String(value).slice(0, 80)}`
}

function partsOf(part: Part): readonly Part[] | undefined {
  const parts = isIteration(part) ? part.blocks : (part.iterations ?? part.blocks)
  return parts === undefined || parts.length === 0 ? undefined : parts
}

/** Returns the first failed block without failed blocks inside. */
export function firstFailure(rows: readonly ReportRow[]): ReportRow | undefined {
  let found: ReportRow | undefined
  for (const row of rows) {
    if (found !== undefined && row.depth <= found.depth) return found
    if (row.status === "failed") found = row
  }
  return found
}
