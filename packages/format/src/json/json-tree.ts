// Reads any text as a JSON tree with offsets, however broken it is. Never fails, recurses or takes more than linear time.

import type { JsonPointer } from "./pointer.ts"
import { scanNumber } from "./scan.ts"

/**
 * The tree of a text: one row of `TREE_ROW` numbers per value, in the order of the text. Row 0 is the root, if there is
 * one. `jsonc-parser` was measured and not used: it recurses (its tree overflows the stack at 5,000 levels), takes the
 * next line's key as the value of a half-written member, rounds big integers, and needs 20 ms per place in a megabyte.
 */
export interface JsonTree {
  readonly text: string
  readonly rows: Int32Array
  readonly count: number
}

const TREE_ROW = 8
export const KIND = 0
export const FLAGS = 1
export const START = 2
/**
 * The end of the value. A container that is not closed ends where the next token of an outer one starts, or at the end
 * of the text.
 */
export const END = 3
/** The start of the key with its quote, or -1. */
export const KEY_FROM = 4
export const KEY_TO = 5
/** The row of the container, or -1. */
export const PARENT = 6
/** The first row after the value's own rows. */
export const NEXT = 7

export const OBJECT = 1
export const ARRAY = 2
const STRING = 3
/** A number, a literal word, or any other text without quotes. */
const WORD = 4
/** A member without a value, or an empty place between two commas. */
export const MISSING = 5

/** The value's text can't be trusted: it is missing, not closed, or beside text that belongs nowhere. */
export const LOST = 1
/** The container may lack members, or have too many. Its other members can be trusted. */
export const DAMAGED = 2
/** The string or container has no closing character. */
export const UNCLOSED = 4

/**
 * Reads a text. A half-written member ends with its line. If brackets don't match, indentation decides where containers
 * end.
 */
export function readJsonTree(text: string): JsonTree {
  const plain = new TreeReader(text, false)
  plain.read()
  if (plain.isBalanced) return plain.tree()
  const byIndentation = new TreeReader(text, true)
  byIndentation.read()
  return byIndentation.tree()
}

/** Returns the path to a row. */
export function pointerToRow(tree: JsonTree, row: number): JsonPointer {
  const steps: (string | number)[] = []
  for (let here = row; ; here = field(tree, here, PARENT)) {
    const parent = field(tree, here, PARENT)
    if (parent === -1) return steps.reverse()
    steps.push(field(tree, parent, KIND) === OBJECT ? keyOfRow(tree, here) : indexOfRow(tree, here))
  }
}

/** Returns the key of a row. Empty for a value without a key. */
export function keyOfRow(tree: JsonTree, row: number): string {
  const from = field(tree, row, KEY_FROM)
  return from === -1 ? "" : stringOf(tree.text, from, field(tree, row, KEY_TO))
}

/** Decodes a string that may lack its end or have wrong escapes, or a word. */
function stringOf(text: string, from: number, to: number): string {
  if (text[from] !== '"') return text.slice(from, to)
  const isClosed = isClosedString(text, from, to)
  const inner = text.slice(from + 1, isClosed ? to - 1 : to)
  return inner.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (whole, hex?: string, char = "") =>
    hex === undefined ? (escapes.get(String(char)) ?? whole) : String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
])

export interface TextRange {
  readonly from: number
  /** The offset after the last character. */
  readonly to: number
}

export function isClosedString(text: string, from: number, to: number): boolean {
  if (to - from < 2 || text[to - 1] !== '"') return false
  let slashes = to - 2
  while (slashes > from && text[slashes] === "\\") slashes--
  return (to - slashes) % 2 === 0
}

export const field = (tree: JsonTree, row: number, which: number): number =>
  tree.rows[row * TREE_ROW + which] ?? 0

function indexOfRow(tree: JsonTree, row: number): number {
  let index = 0
  for (const child of childrenOf(tree, field(tree, row, PARENT))) {
    if (child === row) break
    index++
  }
  return index
}

/** Yields the rows of a container's members. */
export function* childrenOf(tree: JsonTree, container: number): Generator<number> {
  const end = field(tree, container, NEXT)
  for (let row = container + 1; row < end; row = field(tree, row, NEXT)) yield row
}

/** Returns the start of a value's key or, without a key, of the value. */
export function beginOf(tree: JsonTree, row: number): number {
  const key = field(tree, row, KEY_FROM)
  return key === -1 ? field(tree, row, START) : key
}

/** What may follow next in the innermost container. */
type Expected = "key" | "colon" | "value" | "comma"

/** An open container. Indentations are numbers of characters. */
interface OpenContainer {
  readonly row: number
  readonly isArray: boolean
  readonly start: number
  /** The indentation of the line on which the container starts. */
  readonly indent: number
  /** The indentation of the first member at the start of a line. Undefined if there is none yet. */
  memberIndent: number | undefined
  /** True if the lines around the container are indented. */
  readonly isIndentedAround: boolean
}

class TreeReader {
  isBalanced = true
  readonly #text: string
  readonly #usesIndent: boolean
  readonly #rows: TreeRows
  readonly #open: OpenContainer[] = []
  /** The last of `#open`. */
  #top: OpenContainer | undefined
  #openObjects = 0
  #openArrays = 0
  /** The numbers of containers that started on this line and are still open. */
  readonly #onLine = { objects: 0, arrays: 0 }
  #expected: Expected = "value"
  #keyFrom = -1
  #keyTo = -1
  #afterColon = 0
  #lineStart = 0
  #indent = 0
  #isFirstOnLine = true
  /** Values that start before this offset can't be trusted, because the line has text that belongs nowhere. */
  #doubtUntil = 0
  /** The last value that was read, or -1. */
  #last = -1

  constructor(text: string, usesIndent: boolean) {
    this.#text = text
    this.#usesIndent = usesIndent
    this.#rows = new TreeRows(text.length)
  }

  tree(): JsonTree {
    const { rows, count } = this.#rows
    return { text: this.#text, rows, count }
  }

  read(): void {
    for (let at = this.#tokenAt(0); at < this.#text.length; at = this.#tokenAt(at)) {
      if (this.#isFirstOnLine) this.#startLine(at)
      if (this.#isDone) {
        // Text after the root: an earlier brace may be one too many.
        this.#rows.flag(0, DAMAGED)
        this.isBalanced = false
        return
      }
      at = this.#token(at)
    }
    if (this.#open.length > 0) this.isBalanced = false
    while (this.#open.length > 0) this.#leave(this.#text.length)
  }

  get #isDone(): boolean {
    return this.#open.length === 0 && this.#rows.count > 0
  }

  /** Skips blanks and comments, which are no part of JSON. */
  #tokenAt(from: number): number {
    const text = this.#text
    let at = from
    let lineStart = -1
    for (;;) {
      const unit = text.charCodeAt(at)
      if (unit === SPACE || unit === TAB) at++
      else if (unit === LF || unit === CR) lineStart = ++at
      else if (unit === SLASH) {
        const end = commentEnd(text, at)
        if (end === at) break
        at = end
        // A member may be in the comment.
        this.#damage()
      } else break
    }
    if (lineStart !== -1) {
      this.#lineStart = lineStart
      this.#isFirstOnLine = true
    }
    return at
  }

  #startLine(at: number): void {
    this.#isFirstOnLine = false
    this.#indent = at - this.#lineStart
    this.#onLine.objects = 0
    this.#onLine.arrays = 0
    const unit = this.#text.charCodeAt(at)
    if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET || unit === COMMA) return
    if (this.#usesIndent)
      while (this.#open.length > 1 && this.#top !== undefined && this.#indent <= this.#top.indent) {
        if (!isIndented(this.#top)) break
        this.#leave(at)
      }
    const top = this.#top
    if (top === undefined) return
    // A line that is indented more than the others belongs to a container whose start is missing.
    const step = this.#open[0]?.memberIndent ?? Infinity
    const most = top.memberIndent ?? (isIndented(top) ? top.indent + step : Infinity)
    if (this.#usesIndent && this.#indent > most) this.#doubt()
    else top.memberIndent ??= this.#indent
  }

  /** Reads a token and returns its end. */
  #token(at: number): number {
    switch (this.#text.charCodeAt(at)) {
      case OPEN_BRACE:
        return this.#container(at, OBJECT)
      case OPEN_BRACKET:
        return this.#container(at, ARRAY)
      case CLOSE_BRACE:
        return this.#close(at, false)
      case CLOSE_BRACKET:
        return this.#close(at, true)
      case COMMA:
        return this.#comma(at)
      case COLON:
        return this.#colon(at)
      case QUOTE:
        return this.#string(at)
      default:
        return this.#word(at)
    }
  }

  get #isInObject(): boolean {
    return this.#top?.isArray === false
  }

  #container(at: number, kind: number): number {
    const needsKey = this.#isInObject && (this.#expected === "key" || this.#expected === "comma")
    const isPlaced = this.#usesIndent && this.#isAtLineStart(at)
    // An object where a key should be is the next item of the list, if the object around it is one.
    if (needsKey && kind === OBJECT && !isPlaced && this.#open.at(-2)?.isArray === true) this.#leave(at)
    else if (needsKey) this.#damage()
    const row = this.#add(kind, at)
    const isArray = kind === ARRAY
    this.#top = {
      row,
      isArray,
      start: at,
      indent: this.#indent,
      memberIndent: undefined,
      isIndentedAround: this.#top !== undefined && isIndented(this.#top),
    }
    this.#open.push(this.#top)
    this.#count(isArray, at, 1)
    this.#expected = isArray ? "value" : "key"
    this.#last = -1
    return at + 1
  }

  #count(isArray: boolean, start: number, by: number): void {
    if (isArray) this.#openArrays += by
    else this.#openObjects += by
    if (start < this.#lineStart) return
    if (isArray) this.#onLine.arrays += by
    else this.#onLine.objects += by
  }

  #close(at: number, isArray: boolean): number {
    if (this.#usesIndent) this.#leaveByIndent(at)
    const top = this.#top
    if (top === undefined) return at + 1
    if (this.#usesIndent && this.#isTooMany(top, at)) {
      this.#damage()
      return at + 1
    }
    if (top.isArray !== isArray) {
      this.isBalanced = false
      const isWrongBracket = this.#usesIndent && this.#isAtLineStart(at) && top.indent === this.#indent
      if (isWrongBracket) this.#damage()
      else if (!this.#hasOpen(isArray)) {
        this.#damage()
        return at + 1
      } else while (this.#top?.isArray !== isArray) this.#leave(at)
    }
    this.#finishMember()
    // After a comma, a member may be half-written.
    if (!isArray && this.#last !== -1 && this.#expected === "key") this.#damage()
    this.#pop(at + 1)
    return at + 1
  }

  #hasOpen(isArray: boolean): boolean {
    if (this.#usesIndent) return (isArray ? this.#onLine.arrays : this.#onLine.objects) > 0
    return (isArray ? this.#openArrays : this.#openObjects) > 0
  }

  #isAtLineStart(at: number): boolean {
    return at - this.#lineStart === this.#indent
  }

  /** Leaves the containers that should have ended before a closing character at the start of a line. */
  #leaveByIndent(at: number): void {
    if (!this.#isAtLineStart(at)) return
    for (let top = this.#top; top !== undefined; top = this.#top) {
      if (this.#open.length === 1 || top.indent <= this.#indent || !isIndented(top)) return
      this.#leave(at)
    }
  }

  /** Returns whether the lines say that the container goes on after this closing character. */
  #isTooMany(top: OpenContainer, at: number): boolean {
    if (top.start >= this.#lineStart || !isIndented(top)) return false
    if (this.#isAtLineStart(at)) return this.#indent > top.indent
    const next = nextIndent(this.#text, at + 1)
    return next !== undefined && next > top.indent
  }

  #comma(at: number): number {
    if (this.#expected === "comma") {
      this.#expected = this.#isInObject ? "key" : "value"
      return at + 1
    }
    this.#damage()
    if (this.#isInObject) this.#finishMember()
    else this.#add(MISSING, at)
    this.#expected = this.#isInObject ? "key" : "value"
    return at + 1
  }

  #colon(at: number): number {
    if (this.#expected === "colon") {
      this.#expected = "value"
      this.#afterColon = at + 1
    } else this.#doubt()
    return at + 1
  }

  #string(at: number): number {
    const string = scanAnyString(this.#text, at)
    if (this.#isInObject && (this.#expected !== "value" || this.#isBeforeColon(string.end)))
      return this.#keyOrValue(at, string.end)
    if (this.#expected === "comma" || this.#isBeforeColon(string.end)) this.#damage()
    const row = this.#add(STRING, at)
    this.#end(row, string)
    return string.end
  }

  /** Reads a string or word where a key is possible. */
  #keyOrValue(at: number, end: number): number {
    if (this.#expected === "colon" && !this.#isBeforeColon(end)) {
      const row = this.#add(this.#text.charCodeAt(at) === QUOTE ? STRING : WORD, at)
      this.#end(row, { end, isClosed: true })
      this.#rows.flag(row, LOST)
      return end
    }
    // A quote inside a string looks like the end of the string and a key without a comma. A key where a value should be
    // may belong to an object whose start is missing.
    const isEarly = this.#expected === "comma" || this.#expected === "value"
    this.#finishMember()
    if (isEarly && !this.#isAtLineStart(at)) this.#doubt()
    this.#keyFrom = at
    this.#keyTo = end
    this.#afterColon = end
    this.#expected = "colon"
    return end
  }

  #word(at: number): number {
    const end = wordEnd(this.#text, at)
    const isKey = this.#isBeforeColon(end)
    if (this.#isInObject && this.#expected === "comma" && !isKey && !this.#isAtLineStart(at)) {
      this.#doubt()
      return end
    }
    if (this.#isInObject && (this.#expected !== "value" || isKey)) return this.#keyOrValue(at, end)
    const isStray = this.#expected === "comma"
    if (isStray) this.#doubt()
    const row = this.#add(WORD, at)
    this.#end(row, { end, isClosed: true })
    // The rest of the line may belong to a string without an opening quote.
    if (!isLiteral(this.#text, at, end)) this.#doubt()
    return end
  }

  #isBeforeColon(end: number): boolean {
    let at = end
    while (isBlank(this.#text.charCodeAt(at))) at++
    return this.#text.charCodeAt(at) === COLON
  }

  #add(kind: number, at: number): number {
    const row = this.#rows.add(kind, at, this.#top?.row ?? -1)
    const hasColon = this.#expected === "value"
    const hasKey = hasColon || this.#expected === "colon"
    if (this.#isInObject && hasKey) this.#rows.setKey(row, this.#keyFrom, this.#keyTo)
    const isNamed = !this.#isInObject || (hasColon && this.#text.charCodeAt(this.#keyFrom) === QUOTE)
    if (!isNamed || at < this.#doubtUntil || kind === MISSING) this.#rows.flag(row, LOST)
    this.#last = row
    return row
  }

  #end(row: number, { end, isClosed }: { readonly end: number; readonly isClosed: boolean }): void {
    this.#rows.end(row, end)
    if (!isClosed) this.#rows.flag(row, LOST | UNCLOSED)
    this.#expected = "comma"
  }

  /** Ends a member whose value is missing. */
  #finishMember(): void {
    if (!this.#isInObject || (this.#expected !== "value" && this.#expected !== "colon")) return
    this.#damage()
    const row = this.#add(MISSING, this.#afterColon)
    this.#end(row, { end: this.#afterColon, isClosed: true })
  }

  #damage(): void {
    if (this.#top !== undefined) this.#rows.flag(this.#top.row, DAMAGED)
  }

  /** Stops trusting the last value and the rest of the line. */
  #doubt(): void {
    this.#damage()
    if (this.#last !== -1) this.#rows.flag(this.#last, LOST)
    this.#doubtUntil = lineEnd(this.#text, Math.max(this.#lineStart, this.#doubtUntil))
  }

  /** Leaves a container that has no closing character. */
  #leave(end: number): void {
    this.isBalanced = false
    const top = this.#top
    if (top === undefined) return
    this.#finishMember()
    const hasIndentedMembers = top.memberIndent !== undefined && top.memberIndent > top.indent
    // On a single line, the missing character may be that of any container inside.
    this.#rows.flag(top.row, hasIndentedMembers ? DAMAGED | UNCLOSED : DAMAGED | UNCLOSED | LOST)
    this.#pop(end)
  }

  #pop(end: number): void {
    const top = this.#open.pop()
    if (top === undefined) return
    this.#top = this.#open.at(-1)
    this.#count(top.isArray, top.start, -1)
    this.#rows.end(top.row, end)
    this.#last = top.row
    this.#expected = "comma"
  }
}

class TreeRows {
  rows: Int32Array<ArrayBuffer>
  count = 0

  constructor(length: number) {
    this.rows = new Int32Array(TREE_ROW * Math.max(16, length >> 4))
  }

  add(kind: number, start: number, parent: number): number {
    const first = this.count * TREE_ROW
    if (first === this.rows.length) {
      const more = new Int32Array(this.rows.length * 2)
      more.set(this.rows)
      this.rows = more
    }
    this.rows[first + KIND] = kind
    this.rows[first + START] = start
    this.rows[first + END] = start
    this.rows[first + KEY_FROM] = -1
    this.rows[first + KEY_TO] = -1
    this.rows[first + PARENT] = parent
    this.rows[first + NEXT] = this.count + 1
    return this.count++
  }

  setKey(row: number, from: number, to: number): void {
    this.rows[row * TREE_ROW + KEY_FROM] = from
    this.rows[row * TREE_ROW + KEY_TO] = to
  }

  flag(row: number, flag: number): void {
    const at = row * TREE_ROW + FLAGS
    this.rows[at] = (this.rows[at] ?? 0) | flag
  }

  end(row: number, end: number): void {
    this.rows[row * TREE_ROW + END] = end
    this.rows[row * TREE_ROW + NEXT] = this.count
  }
}

/** Returns whether indentation says where a container ends. */
const isIndented = ({ memberIndent, indent, isIndentedAround }: OpenContainer): boolean =>
  memberIndent === undefined ? isIndentedAround : memberIndent > indent

/** The maximum length of the rest of a line that is looked at. */
const NEAR = 200

/** Returns the indentation of the next line, if the rest of this one only closes containers. */
function nextIndent(text: string, from: number): number | undefined {
  let lineStart = -1
  for (let at = from; at < from + NEAR; at++) {
    const unit = text.charCodeAt(at)
    if (unit === LF || unit === CR) lineStart = at + 1
    else if (unit === SPACE || unit === TAB) continue
    else if (lineStart !== -1) return at < text.length ? at - lineStart : undefined
    else if (unit !== COMMA && unit !== CLOSE_BRACE && unit !== CLOSE_BRACKET) return undefined
  }
  return undefined
}

/** Finds the end of a string. Without a closing quote, the string ends with its line, before a last comma or bracket. */
function scanAnyString(text: string, from: number): { readonly end: number; readonly isClosed: boolean } {
  for (let at = from; ;) {
    let unit: number
    do unit = text.charCodeAt(++at)
    while (unit !== QUOTE && unit !== BACKSLASH && unit > CR)
    if (unit === QUOTE) return { end: at + 1, isClosed: true }
    if (unit === BACKSLASH && !isLineEnd(text.charCodeAt(at + 1))) at++
    else if (isLineEnd(unit)) return { end: openStringEnd(text, from + 1, at), isClosed: false }
  }
}

function openStringEnd(text: string, from: number, to: number): number {
  let end = blanksStart(text, from, to)
  if (text[end - 1] === ",") end = blanksStart(text, from, end - 1)
  // A bracket ends the string only after a blank: `{{token}}` may be its last characters.
  let closers = end
  while (closers > from && "}] ".includes(text.charAt(closers - 1))) closers--
  const space = text.slice(closers, end).indexOf(" ")
  return space === -1 ? end : closers + space
}

function blanksStart(text: string, from: number, to: number): number {
  let at = to
  while (at > from && isBlank(text.charCodeAt(at - 1))) at--
  return at
}

function isLiteral(text: string, from: number, to: number): boolean {
  const first = text.charCodeAt(from)
  if (first > ZERO + 9) return literals.has(text.slice(from, to))
  const number = scanNumber(text, from)
  return "end" in number && number.end === to
}

const literals: ReadonlySet<string> = new Set(["true", "false", "null"])

function wordEnd(text: string, from: number): number {
  let at = from + 1
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (isBlank(unit) || isStructure(unit)) return at
  }
  return at
}

const isStructure = (unit: number): boolean =>
  unit === QUOTE ||
  unit === COMMA ||
  unit === COLON ||
  unit === OPEN_BRACE ||
  unit === CLOSE_BRACE ||
  unit === OPEN_BRACKET ||
  unit === CLOSE_BRACKET

/** Returns the end of a comment, or `from` if there is none. */
function commentEnd(text: string, from: number): number {
  if (text.startsWith("//", from)) return lineEnd(text, from)
  if (!text.startsWith("/*", from)) return from
  const end = text.indexOf("*/", from + 2)
  return end === -1 ? text.length : end + 2
}

/** Returns the offset of the line break after an offset, or of the end of the text. */
export function lineEnd(text: string, from: number): number {
  let at = from
  while (!isLineEnd(text.charCodeAt(at))) at++
  return at
}

const isBlank = (unit: number): boolean => unit === SPACE || unit === TAB || unit === LF || unit === CR

/** True at the end of the text, too, where the unit is NaN. */
const isLineEnd = (unit: number): boolean => unit === LF || unit === CR || unit !== unit

const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const SLASH = 47
const ZERO = 48
const COLON = 58
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
