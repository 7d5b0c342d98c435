// Reads the rows of a CSV file (RFC 4180). LF, CRLF and a lone CR end a record, and blank lines are ignored.

import { typedInput } from "../environment/coerce-text.ts"
import { ownOf, setOwn, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import type { InputDeclaration } from "../workflow/types.ts"
import { isMissing, undeclared, type FileRecord, type RowFinding, type RowInputs } from "./row-inputs.ts"
import type { TextWindow } from "./text-window.ts"

interface CsvRecord {
  readonly cells: readonly string[]
  /** The offset of each cell in the window. A quoted cell starts at its quote. */
  readonly starts: readonly number[]
  /** The offset after the last cell. */
  readonly end: number
}

const QUOTE = 34
const COMMA = 44
const LF = 10
const CR = 13

const problems = messages["rows-invalid"]

interface Column {
  readonly name: string
  readonly declaration: InputDeclaration | undefined
}

/** Yields the findings of the header line, then every row. */
export function* readCsvRows(window: TextWindow, inputs: RowInputs): Generator<FileRecord> {
  let columns: readonly Column[] | undefined
  for (const record of readRecords(window)) {
    const findings: RowFinding[] = []
    const note = (index: number, finding: Finding): void => {
      findings.push({ finding, place: window.place(record.starts[index] ?? record.end) })
    }
    if (columns === undefined) {
      refuseDelimiter(window, record, inputs)
      columns = record.cells.map((name) => ({ name, declaration: ownOf(inputs.declarations, name) }))
      checkHeader(columns, inputs, note)
      yield { findings }
    } else {
      const place = () => window.place(record.starts[0] ?? record.end)
      yield { findings, values: readCells(record.cells, { columns, inputs, note }), place }
    }
  }
}

type Note = (index: number, finding: Finding) => void

/** Stops at a header with another delimiter, because every row would repeat the problem. */
function refuseDelimiter(window: TextWindow, { cells, starts }: CsvRecord, inputs: RowInputs): void {
  const [only = "", more] = cells
  for (const delimiter of [";", "\t", "|"]) {
    const names = only.split(delimiter)
    const isDeclared = names.some((name) => Object.hasOwn(inputs.declarations, name))
    if (more === undefined && names.length > 1 && isDeclared)
      window.stop(starts[0] ?? 0, problems.delimiter(delimiter))
  }
}

function checkHeader(columns: readonly Column[], inputs: RowInputs, note: Note): void {
  const names = new Set<string>()
  for (const [index, { name, declaration }] of columns.entries()) {
    if (name === "") note(index, problems.unnamedColumn(index + 1))
    else if (names.has(name)) note(index, problems.duplicateColumn(name))
    else if (declaration === undefined) note(index, undeclared(name, inputs))
    names.add(name)
  }
  for (const [name, { type }] of Object.entries(inputs.declarations))
    if (!names.has(name) && isMissing(name, inputs)) note(0, messages["input-missing"].column(name, type))
}

interface CellContext {
  readonly columns: readonly Column[]
  readonly inputs: RowInputs
  readonly note: Note
}

function readCells(
  cells: readonly string[],
  { columns, inputs, note }: CellContext,
): Record<string, JsonValue> {
  const values: Record<string, JsonValue> = {}
  if (cells.length !== columns.length) {
    note(columns.length, problems.cellCount(cells.length, columns.length))
    return values
  }
  for (const [index, { name, declaration }] of columns.entries()) {
    const text = cells[index] ?? ""
    if (declaration === undefined) continue
    const { type } = declaration
    if (text === "" && type !== "string") {
      if (isMissing(name, inputs)) note(index, messages["input-missing"].cell(name))
      continue
    }
    const value = typedInput(text, type)
    if (value === undefined) note(index, messages["input-type"].row(name, `not a ${type}`, type))
    else setOwn(values, name, value)
  }
  return values
}

/** Yields the records. Their offsets are valid until the next record is requested. */
function* readRecords(window: TextWindow): Generator<CsvRecord> {
  let at = 0
  for (;;) {
    let record = scanRecord(window, at, false)
    while (record === undefined) {
      const isMore = window.more(at)
      if (isMore) at = 0
      record = scanRecord(window, at, !isMore)
    }
    const { text } = window
    if (record.end > at) yield record
    else if (at === text.length) return
    at = record.end + (text.charCodeAt(record.end) === CR && text.charCodeAt(record.end + 1) === LF ? 2 : 1)
    if (at > text.length) return
  }
}

/** Reads a record, or returns undefined if the rest of it may be in the next chunk. */
function scanRecord(window: TextWindow, from: number, isEnd: boolean): CsvRecord | undefined {
  const { text } = window
  const cells: string[] = []
  const starts: number[] = []
  for (let at = from; ; at++) {
    starts.push(at)
    const isQuoted = text.charCodeAt(at) === QUOTE
    const end = isQuoted ? quotedEnd(text, at) : plainEnd(text, at)
    if (end === undefined) {
      if (!isEnd) return undefined
      window.stop(at, problems.openQuote())
    }
    const after = text.charCodeAt(end)
    if (end >= text.length && !isEnd) return undefined
    if (after === QUOTE) window.stop(end, problems.strayQuote())
    cells.push(isQuoted ? text.slice(at + 1, end - 1).replaceAll('""', '"') : text.slice(at, end))
    if (end >= text.length || after === LF || after === CR) return { cells, starts, end }
    if (after !== COMMA) window.stop(end, problems.afterQuote())
    at = end
  }
}

/** Returns the offset after the closing quote. */
function quotedEnd(text: string, open: number): number | undefined {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 2))
    if (text.charCodeAt(at + 1) !== QUOTE) return at + 1
  return undefined
}

/** Returns the offset of the character that ends a cell without quotes. */
function plainEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === COMMA || unit === LF || unit === CR || unit === QUOTE) return at
  }
  return text.length
}
