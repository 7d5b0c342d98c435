// The rows that a report is shown as: its blocks and iterations in order, of which containers can be open or closed.

import type { BlockReport, BlockStatus, IterationReport } from "@callsheet/format"
import type { ShownReport } from "./live-report.ts"

export interface ReportRow {
  /** Where it stands in the report: `3`, `3/i12`, `3/i12/0`. */
  readonly id: string
  readonly depth: number
  readonly position: number
  readonly siblings: number
  readonly label: string
  readonly status: BlockStatus | "running"
  readonly block: BlockReport | undefined
  readonly iteration: IterationReport | undefined
  /** Absent where it can hold nothing. */
  readonly isOpen?: boolean
}

interface Level {
  readonly path: string
  readonly parts: readonly (BlockReport | IterationReport)[]
  next: number
}

/** `choices` are what the person has opened and closed; of the rest, what has failed is open. */
export function reportRows(
  { run, isAtWork }: ShownReport,
  choices: ReadonlyMap<string, boolean>,
): readonly ReportRow[] {
  const rows: ReportRow[] = []
  const levels: Level[] = run === undefined ? [] : [{ path: "", parts: run.blocks, next: 0 }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const position = level.next++
    const part = level.parts[position]
    if (part === undefined) {
      levels.pop()
      continue
    }
    const id = idOf(level.path, part, position)
    const inner = partsOf(part)
    const isOpen = inner !== undefined && (choices.get(id) ?? part.status === "failed")
    const block = isIteration(part) ? undefined : part
    // Written out: a hundred thousand of them are made at once.
    const row: ReportRow = {
      id,
      depth: levels.length,
      position,
      siblings: level.parts.length,
      label: block === undefined ? iterationLabel(part as IterationReport) : block.id,
      status: isAtWork(part) ? "running" : part.status,
      block,
      iteration: block === undefined ? (part as IterationReport) : undefined,
    }
    rows.push(inner === undefined ? row : Object.assign(row, { isOpen }))
    if (isOpen) levels.push({ path: `${id}/`, parts: inner, next: 0 })
  }
  return rows
}

const isIteration = (part: BlockReport | IterationReport): part is IterationReport => "index" in part

const idOf = (path: string, part: BlockReport | IterationReport, position: number): string =>
  isIteration(part) ? `${path}i${part.index}` : `${path}${position}`

function iterationLabel({ index, value }: IterationReport): string {
  if (value === null || value === index) return `${index}`
  return `${index} · ${typeof value === "object" ? (JSON.stringify(value) ?? "").slice(0, 80) : String(value).slice(0, 80)}`
}

function partsOf(
  part: BlockReport | IterationReport,
): readonly (BlockReport | IterationReport)[] | undefined {
  const parts = isIteration(part) ? part.blocks : (part.iterations ?? part.blocks)
  return parts === undefined || parts.length === 0 ? undefined : parts
}

/** The row that somebody wants to see first: the first block that has failed and holds none that has. */
export function firstFailure(rows: readonly ReportRow[]): ReportRow | undefined {
  let found: ReportRow | undefined
  for (const row of rows) {
    if (found !== undefined && row.depth <= found.depth) return found
    if (row.status === "failed") found = row
  }
  return found
}
