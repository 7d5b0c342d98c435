// How a JSON text lays out its lines, and the text of a value in that manner.

import { firstMember, type Member } from "./members.ts"
import { skipBlanks } from "./scan.ts"
import { isJsonArray, type JsonValue } from "./value.ts"

/** How a text lays out its lines. */
export interface Layout {
  readonly eol: string
  /** One step of indentation; undefined where all stands on one line. */
  readonly indent: string | undefined
  /** What stands between a key and its value. */
  readonly colon: string
}

export interface Style extends Layout {
  /** Indentation of the line on which the value starts. */
  readonly margin: string
}

export function layoutOf(text: string): Layout {
  const open = skipBlanks(text, 0)
  const first = firstMember(text, open)
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  // A new file starts as `{}`; its first key opens it up.
  if (first === undefined) return { eol, indent: "  ", colon: ": " }
  const colon = first.key === undefined ? anyColon(text) : colonOf(text, first)
  const margin = marginAt(text, first.at)
  if (margin === undefined) return { eol, indent: undefined, colon }
  const outer = lineMargin(text, open)
  return { eol, indent: margin.startsWith(outer) ? margin.slice(outer.length) : margin, colon }
}

/** Of a text whose root is an array: as behind its first colon or comma. One in a string counts too: it is only a manner. */
const anyColon = (text: string): string => `:${/":( ?)/.exec(text)?.[1] ?? /,( ?)/.exec(text)?.[1] ?? " "}`

/** What stands between the key and the value of a member of an object. */
export function colonOf(text: string, member: Member): string {
  const colon = text.slice(member.keyEnd, member.valueAt)
  return /[\r\n]/.test(colon) ? ": " : colon
}

/** The blanks before `at` where nothing else precedes it on its line; undefined where something does. */
export function marginAt(text: string, at: number): string | undefined {
  const line = lineStart(text, at)
  const margin = text.slice(line, at)
  return line > 0 && /^[ \t]*$/.test(margin) ? margin : undefined
}

/** The blanks at the start of the line that holds `at`. */
export const lineMargin = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? ""

export function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1
}

/** A text of a value that stood behind one margin, for a place behind another; what is indented by less stays. */
export function withMargin(raw: string, from: string, to: string): string {
  if (from === to || !/[\r\n]/.test(raw)) return raw
  // A string of JSON holds no line end, so each one is layout.
  return raw.replace(/(\r\n|\n|\r)([ \t]*)/g, (line, eol: string, margin: string) =>
    margin.startsWith(from) ? eol + to + margin.slice(from.length) : line,
  )
}

/** Deeper levels are indented no more: the text of a value nested by thousands would grow by the square. */
const MAX_INDENTED_LEVELS = 100

interface Open {
  readonly items: readonly (readonly [string | undefined, JsonValue])[]
  readonly close: string
  next: number
}

/** JSON text of a value that was made in memory; unlike `JSON.stringify` it writes big integers, whatever the depth. */
export function formatValue(value: JsonValue, style: Style): string {
  const { indent, eol } = style
  const comma = indent === undefined && style.colon.endsWith(" ") ? ", " : ","
  const open: Open[] = []
  const pieces: string[] = []
  const line = (): void => {
    if (indent !== undefined)
      pieces.push(eol + style.margin + indent.repeat(Math.min(open.length, MAX_INDENTED_LEVELS)))
  }
  const put = (inner: JsonValue): void => {
    const container = openOf(inner)
    if (container === undefined) pieces.push(scalarText(inner))
    else if (container.items.length === 0) pieces.push(isJsonArray(inner) ? "[]" : "{}")
    else {
      pieces.push(isJsonArray(inner) ? "[" : "{")
      open.push(container)
    }
  }
  put(value)
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    const item = top.items[top.next++]
    if (item === undefined) {
      open.pop()
      line()
      pieces.push(top.close)
      continue
    }
    if (top.next > 1) pieces.push(comma)
    line()
    if (item[0] !== undefined) pieces.push(JSON.stringify(item[0]) + style.colon)
    put(item[1])
  }
  return pieces.join("")
}

function openOf(value: JsonValue): Open | undefined {
  if (typeof value !== "object" || value === null) return undefined
  if (isJsonArray(value)) return { items: value.map((item) => [undefined, item]), close: "]", next: 0 }
  return { items: Object.entries(value).filter(([, item]) => item !== undefined), close: "}", next: 0 }
}

function scalarText(value: JsonValue): string {
  // Not `JSON.stringify` for numbers: it writes NaN and the infinities as null.
  if (typeof value === "bigint" || typeof value === "number")
    return Object.is(value, -0) ? "0" : String(value)
  return JSON.stringify(value)
}
