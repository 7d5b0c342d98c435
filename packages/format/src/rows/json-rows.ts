// Reads the rows of a JSON array, or of a file with one JSON object per line, without parsing the file as a whole.

import { typedInput } from "../environment/coerce-text.ts"
import { readContainer, valueEnd, type Member } from "../json/members.ts"
import { once } from "../memo.ts"
import { parseJson } from "../json/parse-json.ts"
import { skipBlanks } from "../json/scan.ts"
import { describeType, isJsonObject, ownOf, setOwn, type JsonObject, type JsonValue } from "../json/value.ts"
import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import { isMissing, undeclared, type FileRecord, type RowFinding, type RowInputs } from "./row-inputs.ts"
import type { TextWindow } from "./text-window.ts"

/** A JSON text and its offset in the window. The offset is valid until the next item is requested. */
interface Item {
  readonly text: string
  readonly offset: number
}

const syntax = messages["json-syntax"]
const problems = messages["rows-invalid"]

/** Yields the rows of a file with one object per line. */
export const readJsonLines = (window: TextWindow, inputs: RowInputs): Iterable<FileRecord> =>
  typeRows(window, linesOf(window), inputs)

/** Yields the rows of an array. Stops at the first row that is not valid JSON, because its end is unknown. */
export function* readJsonArray(window: TextWindow, inputs: RowInputs): Generator<FileRecord> {
  for (const found of typeRows(window, itemsOf(window), inputs)) {
    yield found
    if (found.findings.some(({ finding }) => finding.code === "json-syntax")) return
  }
}

function* typeRows(window: TextWindow, items: Iterable<Item>, inputs: RowInputs): Generator<FileRecord> {
  const undeclaredNames = new Set<string>()
  for (const { text, offset } of items) {
    const parsed = parseJson(text)
    const row: { findings: RowFinding[]; values: Record<string, JsonValue> } = { findings: [], values: {} }
    const note = (at: number, finding: Finding): void => {
      row.findings.push({ finding, place: window.place(offset + at) })
    }
    if (!parsed.ok) for (const finding of parsed.findings) note(finding.offset, finding)
    else if (isJsonObject(parsed.value))
      typeFields(parsed.value, { text, inputs, undeclaredNames, ...row, note })
    else note(0, problems.notObject(describeType(parsed.value)))
    yield { ...row, place: () => window.place(offset) }
  }
}

interface FieldContext {
  readonly text: string
  readonly inputs: RowInputs
  /** The undeclared names so far. Each is reported once, because every row may have it. */
  readonly undeclaredNames: Set<string>
  readonly values: Record<string, JsonValue>
  readonly note: (at: number, finding: Finding) => void
}

function typeFields(fields: JsonObject, { text, inputs, undeclaredNames, values, note }: FieldContext): void {
  const members = once(() => membersOf(text))
  for (const [name, field] of Object.entries(fields)) {
    const type = ownOf(inputs.declarations, name)?.type
    if (type === undefined) {
      if (!undeclaredNames.has(name)) note(members().get(name)?.at ?? 0, undeclared(name, inputs))
      undeclaredNames.add(name)
      continue
    }
    const value = typedInput(field, type)
    const received = typeof field === "string" ? `not a ${type}` : describeType(field)
    if (value !== undefined) setOwn(values, name, value)
    else note(members().get(name)?.valueAt ?? 0, messages["input-type"].row(name, received, type))
  }
  for (const [name, { type }] of Object.entries(inputs.declarations))
    if (!Object.hasOwn(fields, name) && isMissing(name, inputs))
      note(0, messages["input-missing"].field(name, type))
}

/** Returns the members of an object by key, because each of them may have a problem. */
function membersOf(text: string): ReadonlyMap<string | undefined, Member> {
  return new Map(readContainer(text, 0)?.members.map((member) => [member.key, member]))
}

/** Returns the name of the first member of an object, if it is an array: `{ "data": [ … ] }`. */
const arrayIn = (text: string): string | undefined => /^\s*\{\s*"([^"\\]{1,60})"\s*:\s*\[/.exec(text)?.[1]

function* itemsOf(window: TextWindow): Generator<Item> {
  let at = skip(window, 0)
  if (at === window.text.length) return
  if (window.text[at] !== "[")
    window.stop(at, problems.notArray(window.text.charAt(at), arrayIn(window.text)))
  at = skip(window, at + 1)
  while (window.text[at] !== "]") {
    if (at === window.text.length) window.stop(at, syntax.expectedValue(undefined))
    let end = valueEnd(window.text, at)
    while (end >= window.text.length && window.more(at)) {
      at = 0
      end = valueEnd(window.text, at)
    }
    yield { text: window.text.slice(at, end), offset: at }
    at = skip(window, end)
    const char = window.text[at]
    if (char === "]") break
    if (char !== ",") window.stop(at, syntax.expectedComma("]", char))
    at = skip(window, at + 1)
    if (window.text[at] === "]") window.stop(at, syntax.trailingComma("]"))
  }
  at = skip(window, at + 1)
  if (at < window.text.length) window.stop(at, syntax.trailingText())
}

function* linesOf(window: TextWindow): Generator<Item> {
  for (let at = 0; ;) {
    let end = window.text.indexOf("\n", at)
    while (end === -1 && window.more(at)) {
      at = 0
      end = window.text.indexOf("\n")
    }
    const lineEnd = end === -1 ? window.text.length : end
    const offset = skipBlanks(window.text, at)
    if (offset < lineEnd) yield { text: window.text.slice(offset, lineEnd), offset }
    if (end === -1) return
    // Blank lines that follow have been skipped, too.
    at = Math.max(end + 1, offset)
  }
}

/** Returns the offset of the next character that is not blank, or the length of the text at the end of the file. */
function skip(window: TextWindow, from: number): number {
  for (let at = from; ; at = 0) {
    at = skipBlanks(window.text, at)
    if (at < window.text.length || !window.more(at)) return at
  }
}
