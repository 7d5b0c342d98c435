// Says what is at an offset of a JSON text, which may be half-written, and what an edit there must insert.

import {
  ARRAY,
  beginOf,
  childrenOf,
  END,
  field,
  FLAGS,
  type JsonTree,
  KEY_FROM,
  KEY_TO,
  isClosedString,
  KIND,
  keyOfRow,
  MISSING,
  OBJECT,
  pointerToRow,
  readJsonTree,
  START,
  type TextRange,
  UNCLOSED,
} from "./json-tree.ts"
import type { JsonPointer } from "./pointer.ts"

/** What an editor finds at an offset of a JSON text. Offsets are in UTF-16 code units. */
export interface JsonPlace {
  /**
   * What is at the offset, or can be written there: a `key` or `value` that exists or is expected next (after a colon), a
   * new member or item (`between`), or nothing (`outside`: after the root).
   */
  readonly at: "key" | "value" | "between" | "outside"
  /** What the value or key at the offset is. Absent if there is none yet. A `word` is any text without quotes. */
  readonly token?: "object" | "array" | "string" | "word" | undefined
  /** The innermost object or array around the offset. Absent outside the root, and at a root that is a scalar. */
  readonly container?: "object" | "array" | undefined
  /** The path to `container`. */
  readonly parent: JsonPointer
  /** The path to the value at the offset, or to the value of the key there. Between members, the path to `container`. */
  readonly pointer: JsonPointer
  /** The index of the item at the offset, or of an item written there. Absent outside arrays. */
  readonly index?: number | undefined
  /** The keys of the other members of `container`, in the order of the text. */
  readonly takenKeys: readonly string[]
  /**
   * The text to replace: inside the quotes if the offset is, else the whole key or scalar. Empty if there is none, and
   * for an object or array.
   */
  readonly range: TextRange
  /** What must surround a string, key or item that replaces `range`, so that the text around it is well-formed. */
  readonly insert: JsonInsertions
}

interface JsonInsertions {
  readonly openQuote: boolean
  readonly closeQuote: boolean
  /** After a key, or before a value whose key has none. */
  readonly colon: boolean
  readonly commaBefore: boolean
  /** After the member or item, also if its value is inserted with its key. */
  readonly commaAfter: boolean
}

/** Finds the place of an offset in any text. Never fails, and takes linear time. */
export function jsonPlaceAt(text: string, offset: number): JsonPlace {
  const tree = readJsonTree(text)
  const at = Math.max(0, Math.min(offset, text.length))
  const { container, index, child } = descend(tree, at)
  if (container === -1) return placeAtRoot(tree, at)
  const scope: Scope = { tree, at, container, index, child }
  return (child === -1 ? undefined : placeAtChild(scope)) ?? placeBetween(scope)
}

interface Scope {
  readonly tree: JsonTree
  readonly at: number
  /** The row of the innermost container around the offset. */
  readonly container: number
  /** The number of members that begin before `child`. */
  readonly index: number
  /** The last member that begins at or before the offset, or -1. */
  readonly child: number
}

function descend(tree: JsonTree, at: number): { container: number; index: number; child: number } {
  let container = -1
  for (let next = 0; next < tree.count && isInside(tree, next, at);) {
    container = next
    let child = -1
    let index = -1
    for (const row of childrenOf(tree, container)) {
      if (beginOf(tree, row) > at) break
      child = row
      index++
    }
    if (child === -1 || !isInside(tree, child, at)) return { container, index: Math.max(0, index), child }
    next = child
  }
  return { container, index: 0, child: -1 }
}

/** Returns whether an offset is inside a container. One that isn't closed reaches to the next line outside. */
function isInside(tree: JsonTree, row: number, at: number): boolean {
  const kind = field(tree, row, KIND)
  if (kind !== OBJECT && kind !== ARRAY) return false
  const end = field(tree, row, END)
  if (at <= field(tree, row, START) || at > end) return false
  if (at < end) return true
  if ((field(tree, row, FLAGS) & UNCLOSED) === 0) return false
  return end === tree.text.length || !isAtLineStart(tree.text, end)
}

function isAtLineStart(text: string, offset: number): boolean {
  let at = offset - 1
  while (text[at] === " " || text[at] === "\t") at--
  return at < 0 || text[at] === "\n" || text[at] === "\r"
}

function placeAtRoot(tree: JsonTree, at: number): JsonPlace {
  const scope = { tree, at, container: -1, index: 0, child: tree.count === 0 ? -1 : 0 }
  const none = { parent: [], pointer: [], takenKeys: [] }
  const isRoot =
    tree.count > 0 &&
    at >= field(tree, 0, START) &&
    at < field(tree, 0, END) + (isContainer(scope, 0) ? 0 : 1)
  const isFree = tree.count === 0 || at < field(tree, 0, START)
  const token = isRoot ? tokenOf(scope, field(tree, 0, START), field(tree, 0, END)) : emptyToken(at)
  const insert = { ...token.quotes, colon: false, commaBefore: false, commaAfter: false }
  return { ...none, at: isRoot || isFree ? "value" : "outside", ...token.place, insert }
}

/** Returns the place if the offset belongs to the key or value of the member before it. */
function placeAtChild(scope: Scope): JsonPlace | undefined {
  const { tree, at, child } = scope
  const keyFrom = field(tree, child, KEY_FROM)
  const [start, end] = [field(tree, child, START), field(tree, child, END)]
  const isMissing = field(tree, child, KIND) === MISSING
  if (keyFrom === -1 && isMissing) return at === start ? valuePlace(scope, emptyToken(at), false) : undefined
  const colonAt = keyFrom === -1 ? -1 : colonOf(scope)
  if (keyFrom !== -1 && at <= Math.max(field(tree, child, KEY_TO), colonAt)) return placeAtKey(scope, colonAt)
  const needsColon = keyFrom !== -1 && colonAt === -1
  if (isMissing)
    return tree.text.slice(end, at).includes(",") ? undefined : valuePlace(scope, emptyToken(at), needsColon)
  if (at > end || (at === end && isContainer(scope, child))) return undefined
  if (at >= start) return valuePlace(scope, { ...tokenOf(scope, start, end), end }, needsColon)
  // Between the colon and the value, all of a scalar is replaced.
  const to = isContainer(scope, child) ? at : end
  return valuePlace(scope, { ...emptyToken(at), place: { range: { from: at, to } }, end }, needsColon)
}

/** Returns the offset of the colon after the key of `child`, or -1. */
function colonOf({ tree, child }: Scope): number {
  const from = field(tree, child, KEY_TO)
  const colon = tree.text.slice(from, field(tree, child, START)).lastIndexOf(":")
  return colon === -1 ? -1 : from + colon
}

function placeAtKey(scope: Scope, colonAt: number): JsonPlace {
  const { tree, at, child } = scope
  const [from, to] = [field(tree, child, KEY_FROM), field(tree, child, KEY_TO)]
  const token = tokenOf(scope, from, to)
  // Between the key and its colon, the blanks are replaced, too.
  const whole = { place: { ...token.place, range: { from, to: at } }, quotes: bothQuotes }
  const end = Math.max(field(tree, child, END), to)
  return placeOf(scope, { at: "key", token: at > to ? whole : token, colon: colonAt === -1, end })
}

const valuePlace = (scope: Scope, token: Token & { end?: number }, colon: boolean): JsonPlace =>
  placeOf(scope, { at: "value", token, colon, end: token.end ?? scope.at })

function isContainer({ tree }: Scope, row: number): boolean {
  const kind = field(tree, row, KIND)
  return kind === OBJECT || kind === ARRAY
}

interface Token {
  readonly place: Pick<JsonPlace, "token" | "range">
  readonly quotes: Pick<JsonInsertions, "openQuote" | "closeQuote">
}

const bothQuotes = { openQuote: true, closeQuote: true }

const emptyToken = (at: number): Token => ({
  place: { range: { from: at, to: at } },
  quotes: bothQuotes,
})

/** Describes the key or value in a range. Its quotes belong to the text to replace unless the offset is inside them. */
function tokenOf({ tree: { text }, at }: Scope, from: number, to: number): Token {
  const first = text[from]
  if (first === "{" || first === "[")
    return {
      ...emptyToken(at),
      place: { token: first === "{" ? "object" : "array", range: { from: at, to: at } },
    }
  if (first !== '"')
    return {
      place: { token: "word", range: { from, to } },
      quotes: bothQuotes,
    }
  const isClosed = isClosedString(text, from, to)
  const isInQuotes = at > from && !(isClosed && at === to)
  const range = isInQuotes ? { from: from + 1, to: isClosed ? to - 1 : to } : { from, to }
  const quotes = { openQuote: !isInQuotes, closeQuote: !isInQuotes || !isClosed }
  return { place: { token: "string", range }, quotes }
}

function placeOf(
  scope: Scope,
  { at, token, colon, end }: { at: "key" | "value"; token: Token; colon: boolean; end: number },
): JsonPlace {
  const { tree, child, container } = scope
  return {
    at,
    ...token.place,
    ...containerOf(scope, child),
    pointer: pointerToRow(tree, child),
    insert: {
      ...token.quotes,
      colon,
      commaBefore: needsCommaBefore(tree.text, beginOf(tree, child), field(tree, container, START)),
      commaAfter: needsCommaAfter(tree.text, end, field(tree, container, END)),
    },
  }
}

function placeBetween(scope: Scope): JsonPlace {
  const { tree, at, container, child } = scope
  const parent = pointerToRow(tree, container)
  return {
    at: "between",
    ...emptyToken(at).place,
    ...containerOf({ ...scope, index: child === -1 ? 0 : scope.index + 1 }, -1),
    pointer: parent,
    insert: {
      ...emptyToken(at).quotes,
      colon: field(tree, container, KIND) === OBJECT,
      commaBefore: needsCommaBefore(tree.text, at, field(tree, container, START)),
      commaAfter: needsCommaAfter(tree.text, at, field(tree, container, END)),
    },
  }
}

function containerOf({ tree, container, index }: Scope, but: number) {
  const isObject = field(tree, container, KIND) === OBJECT
  return {
    container: isObject ? ("object" as const) : ("array" as const),
    parent: pointerToRow(tree, container),
    index: isObject ? undefined : index,
    takenKeys: isObject ? keysOf(tree, container, but) : [],
  }
}

function keysOf(tree: JsonTree, container: number, but: number): readonly string[] {
  const keys: string[] = []
  for (const row of childrenOf(tree, container))
    if (row !== but && field(tree, row, KEY_FROM) !== -1) keys.push(keyOfRow(tree, row))
  return keys
}

/** Returns whether a member that starts here needs a comma after what is before it. */
function needsCommaBefore(text: string, start: number, open: number): boolean {
  let at = start - 1
  while (at > open && isBlank(text[at])) at--
  return at > open && text[at] !== ","
}

/** Returns whether another member follows without a comma. */
function needsCommaAfter(text: string, from: number, end: number): boolean {
  let at = from
  while (isBlank(text[at])) at++
  const next = text[at]
  return at < end && next !== "," && next !== "}" && next !== "]"
}

const isBlank = (char: string | undefined): boolean =>
  char === " " || char === "\n" || char === "\r" || char === "\t"
