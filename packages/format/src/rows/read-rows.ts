// Reads rows of inputs from a CSV, JSON or NDJSON file, and types them by the inputs that a workflow declares.

import { ownOf, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import { toProblem, type Problem } from "../problems.ts"
import type { LineColumn } from "../source.ts"
import { readCsvRows } from "./csv-rows.ts"
import { readJsonLines, readJsonArray } from "./json-rows.ts"
import type { FileRecord, RowFinding, RowInputs } from "./row-inputs.ts"
import { StopReading, TextWindow } from "./text-window.ts"

interface Row {
  /** The number of the row, from 1. */
  readonly row: number
  readonly inputs: Readonly<Record<string, JsonValue>>
}

export type RowOrProblem =
  | {
      readonly ok: true
      readonly row: Row
      /** Finds the row in the file. Can be called until the next row is requested. */
      readonly place?: (() => LineColumn) | undefined
    }
  | { readonly ok: false; readonly problem: Problem }

type ReadFormat = (window: TextWindow, inputs: RowInputs) => Iterable<FileRecord>

const formats: Readonly<Record<string, ReadFormat>> = {
  csv: readCsvRows,
  json: readJsonArray,
  ndjson: readJsonLines,
  jsonl: readJsonLines,
}

const problems = messages["rows-invalid"]

/**
 * Yields every row, or its problems. `chunks` are the bytes of the file. Only the current row and chunk stay in memory.
 * A file without rows is a problem.
 */
export function* readRows(
  file: string,
  chunks: Iterable<Uint8Array>,
  inputs: RowInputs,
): Generator<RowOrProblem> {
  const extension = /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? ""
  const read = ownOf(formats, extension)
  if (read === undefined) return yield { ok: false, problem: toProblem(problems.extension(), file) }
  const refuse = ({ finding, place }: RowFinding): RowOrProblem => ({
    ok: false,
    problem: { ...toProblem(finding, file), ...place },
  })
  let row = 0
  try {
    for (const { findings, values, place } of read(new TextWindow(chunks), inputs)) {
      if (values !== undefined) row++
      for (const finding of findings) yield refuse(finding)
      if (values !== undefined && findings.length === 0)
        yield { ok: true, row: { row, inputs: values }, place }
    }
    if (row === 0) yield refuse({ finding: problems.noRows(), place: { line: 1, column: 1 } })
  } catch (error) {
    if (!(error instanceof StopReading)) throw error
    yield refuse(error)
  }
}
