// Changes one key of a JSON text and leaves every other byte as it was: order, indentation, line ends, final newline.

import { isEqual } from "../workflow/equal.ts"
import { parseJson, type SyntaxFinding } from "./parse-json.ts"
import { scanString, skipBlanks } from "./scan.ts"
import { isJsonArray, isJsonObject, type JsonValue } from "./value.ts"

export type EditedJson =
  | { readonly ok: true; readonly text: string }
  /** The text does not parse; offsets count from behind a byte order mark. */
  | { readonly ok: false; readonly findings: readonly SyntaxFinding[] }

/** The keys from the root to a member: `["tls", "verify"]`. */
export type KeyPath = readonly [string, ...string[]]

/**
 * Sets the member at `path`, in its place where it is there and last in its object where it is new; containers that
 * are missing are made. A value that is there already changes nothing. Throws where a step of the path is no object.
 *
 *     setJsonKey('{\n  "a": 1\n}\n', ["b"], 2)   // { ok: true, text: '{\n  "a": 1,\n  "b": 2\n}\n' }
 */
export function setJsonKey(text: string, path: KeyPath, value: JsonValue): EditedJson {
  return edit(text, path, value)
}

/** Removes the member at `path`; one that is not there changes nothing. */
export function deleteJsonKey(text: string, path: KeyPath): EditedJson {
  return edit(text, path, undefined)
}

interface Member {
  readonly key: string
  /** Offset of the key's opening quote. */
  readonly at: number
  readonly keyEnd: number
  readonly valueAt: number
  readonly end: number
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly content: string
}

/** How the text lays out its lines. */
interface Layout {
  readonly eol: string
  /** One step of indentation; undefined where all stands on one line. */
  readonly indent: string | undefined
  /** What stands between a key and its value. */
  readonly colon: string
}

function edit(text: string, path: KeyPath, value: JsonValue | undefined): EditedJson {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  const body = text.slice(mark.length)
  const parsed = parseJson(body)
  if (!parsed.ok) return parsed
  const expected = withKey(parsed.value, path, value === undefined ? undefined : asRead(value))
  if (isEqual(parsed.value, expected)) return { ok: true, text }
  const { from, to, content } = replacementFor(body, path, value)
  const edited = body.slice(0, from) + content + body.slice(to)
  // The last word before a file is replaced: what is written says what was asked for, and nothing else has changed.
  const check = parseJson(edited)
  if (!check.ok || !isEqual(check.value, expected)) throw new Error("an edit of a JSON text went wrong")
  return { ok: true, text: mark + edited }
}

/** A value as its text reads: a double beyond 2^53 comes back as the digits that were written for it. */
function asRead(value: JsonValue): JsonValue {
  const parsed = parseJson(formatValue(value, { eol: "", indent: undefined, colon: ":", margin: "" }))
  if (!parsed.ok) throw new Error("a value has no JSON text")
  return parsed.value
}

/** The value that the edited text must have. */
function withKey(value: JsonValue, path: readonly string[], leaf: JsonValue | undefined): JsonValue {
  const [key, ...rest] = path
  if (key === undefined) throw new Error("an edit of a JSON text needs a key")
  if (!isJsonObject(value)) throw new Error(`there is no object to hold the key ${JSON.stringify(key)}`)
  const child = Object.hasOwn(value, key) ? value[key]! : undefined
  if (leaf === undefined && child === undefined) return value
  const next = rest.length === 0 ? leaf : withKey(child ?? {}, rest, leaf)
  const entries = Object.entries(value).filter(([name]) => name !== key)
  // `fromEntries` defines own properties, whatever their name.
  return Object.fromEntries<JsonValue>(next === undefined ? entries : [...entries, [key, next]])
}

function replacementFor(text: string, path: KeyPath, value: JsonValue | undefined): Replacement {
  const layout = layoutOf(text)
  let open = skipBlanks(text, 0)
  for (const [depth, key] of path.entries()) {
    const members = readMembers(text, open)
    const index = members.findIndex((member) => member.key === key)
    const member = members[index]
    const rest = path.slice(depth + 1)
    if (member === undefined) {
      const whole = rest.reduceRight<JsonValue>((inner, name) => ({ [name]: inner }), value!)
      return insertion({ text, open, members, layout }, key, whole)
    }
    if (rest.length > 0) open = member.valueAt
    else if (value === undefined) return removal(text, members, index)
    else {
      const content = formatValue(value, styleOf(text, member, layout))
      return { from: member.valueAt, to: member.end, content }
    }
  }
  throw new Error("an edit of a JSON text found no place")
}

interface Place {
  readonly text: string
  /** Offset of the object's opening brace. */
  readonly open: number
  readonly members: readonly Member[]
  readonly layout: Layout
}

function insertion({ text, open, members, layout }: Place, key: string, value: JsonValue): Replacement {
  const last = members.at(-1)
  if (last === undefined) {
    const close = skipBlanks(text, open + 1)
    const content = formatValue({ [key]: value }, { ...layout, margin: lineMargin(text, open) })
    return { from: open, to: close + 1, content }
  }
  const style = styleOf(text, last, layout)
  const gap = style.indent === undefined ? gapBefore(text, members, style.colon) : style.eol + style.margin
  const member = JSON.stringify(key) + style.colon + formatValue(value, style)
  const lines = ownLines(text, last)
  if (lines !== undefined) {
    // The line before keeps what ends it, and the new one ends alike.
    const rest = text.slice(last.end, lines.to)
    const content = `,${rest}${style.margin}${member}${rest.replace(/^[ \t]+/, "")}`
    return { from: last.end, to: lines.to, content }
  }
  return { from: last.end, to: last.end, content: `,${gap}${member}` }
}

/** The blanks between two members of one line, as the line itself has them. */
function gapBefore(text: string, members: readonly Member[], colon: string): string {
  const [before, last] = members.slice(-2)
  if (before !== undefined && last !== undefined) {
    const comma = text.indexOf(",", before.end)
    return text.slice(comma + 1, last.at)
  }
  return colon.endsWith(" ") ? " " : ""
}

/**
 * A member that has its lines to itself goes with them, and no other line changes but the one that loses its comma; within a
 * line it goes with a comma.
 */
function removal(text: string, members: readonly Member[], index: number): Replacement {
  const member = members[index]!
  const before = members[index - 1]
  const after = members[index + 1]
  const lines = ownLines(text, member)
  if (before !== undefined && after === undefined && lines !== undefined) {
    const comma = text.indexOf(",", before.end)
    // Its own line may hold the comma: then nothing of the one before changes.
    if (comma < lines.from) {
      const kept = text.slice(before.end, comma) + text.slice(comma + 1, lines.from)
      return { from: before.end, to: lines.to, content: kept }
    }
  }
  if (after !== undefined && lines?.hasComma === true) return { from: lines.from, to: lines.to, content: "" }
  if (before !== undefined) return { from: before.end, to: member.end, content: "" }
  if (after !== undefined) return { from: member.at, to: after.at, content: "" }
  const open = text.lastIndexOf("{", member.at)
  return { from: open + 1, to: skipBlanks(text, member.end), content: "" }
}

/** The lines that hold nothing but a member and, perhaps, the comma behind it; undefined where they hold more. */
function ownLines(
  text: string,
  { at, end }: Member,
): { readonly from: number; readonly to: number; readonly hasComma: boolean } | undefined {
  if (marginAt(text, at) === undefined) return undefined
  const rest = /[ \t]*(,?)[ \t]*(?:\r\n|\n|\r)/y
  rest.lastIndex = end
  const found = rest.exec(text)
  return found === null
    ? undefined
    : { from: lineStart(text, at), to: rest.lastIndex, hasComma: found[1] === "," }
}

/** The members of the object whose brace is at `open`; the text is well-formed. */
function readMembers(text: string, open: number): readonly Member[] {
  const members: Member[] = []
  let at = skipBlanks(text, open + 1)
  while (text[at] !== "}") {
    if (text[at] === ",") at = skipBlanks(text, at + 1)
    const keyEnd = stringEnd(text, at)
    const valueAt = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
    const end = valueEnd(text, valueAt)
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, at, keyEnd, valueAt, end })
    at = skipBlanks(text, end)
  }
  return members
}

function valueEnd(text: string, start: number): number {
  const scalar = /[-+.0-9A-Za-z]+/y
  let depth = 0
  let at = start
  for (;;) {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at)
    else if (char === "{" || char === "[") {
      depth++
      at++
    } else if (char === "}" || char === "]") {
      depth--
      at++
    } else if (char === "," || char === ":") at++
    else {
      scalar.lastIndex = at
      at += scalar.exec(text)?.[0].length ?? 1
    }
    if (depth === 0) return at
    at = skipBlanks(text, at)
  }
}

function stringEnd(text: string, at: number): number {
  const scanned = scanString(text, at)
  return "end" in scanned ? scanned.end : text.length
}

function layoutOf(text: string): Layout {
  const open = skipBlanks(text, 0)
  const first = readMembers(text, open)[0]
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  // A new file starts as `{}`; its first key opens it up.
  if (first === undefined) return { eol, indent: "  ", colon: ": " }
  const colon = colonOf(text, first)
  const margin = marginAt(text, first.at)
  if (margin === undefined) return { eol, indent: undefined, colon }
  const outer = lineMargin(text, open)
  return { eol, indent: margin.startsWith(outer) ? margin.slice(outer.length) : margin, colon }
}

function colonOf(text: string, member: Member): string {
  const colon = text.slice(member.keyEnd, member.valueAt)
  return /[\r\n]/.test(colon) ? ": " : colon
}

/** The blanks before `at` where nothing else precedes it on its line; undefined where something does. */
function marginAt(text: string, at: number): string | undefined {
  const line = lineStart(text, at)
  const margin = text.slice(line, at)
  return line > 0 && /^[ \t]*$/.test(margin) ? margin : undefined
}

/** The blanks at the start of the line that holds `at`. */
const lineMargin = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? ""

function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1
}

interface Style extends Layout {
  /** Indentation of the line on which the value starts. */
  readonly margin: string
}

/** How the value of `member` is laid out: over lines where the member has its own line. */
function styleOf(text: string, member: Member, layout: Layout): Style {
  const margin = marginAt(text, member.at)
  const colon = colonOf(text, member)
  return margin === undefined
    ? { ...layout, colon, indent: undefined, margin: "" }
    : { ...layout, colon, margin }
}

/** JSON text of a value that was made in memory; unlike `JSON.stringify` it writes big integers. */
function formatValue(value: JsonValue, style: Style): string {
  // Not `JSON.stringify`: it writes NaN and the infinities as null.
  if (typeof value === "bigint" || typeof value === "number")
    return Object.is(value, -0) ? "0" : String(value)
  const isArray = isJsonArray(value)
  if (!isArray && !isJsonObject(value)) return JSON.stringify(value)
  const margin = style.margin + (style.indent ?? "")
  const items = isArray
    ? value.map((item) => formatValue(item, { ...style, margin }))
    : Object.entries(value).map(
        ([key, item]) => JSON.stringify(key) + style.colon + formatValue(item, { ...style, margin }),
      )
  const [open, close] = isArray ? "[]" : "{}"
  if (items.length === 0) return `${open}${close}`
  if (style.indent === undefined) return open + items.join(style.colon.endsWith(" ") ? ", " : ",") + close
  return `${open}${style.eol}${margin}${items.join(`,${style.eol}${margin}`)}${style.eol}${style.margin}${close}`
}
