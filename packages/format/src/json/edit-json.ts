// Changes one part of a JSON text and leaves every other byte as it was: order, indentation, line ends, final newline.

import { isEqual } from "../workflow/equal.ts"
import { insertInto, removeFrom } from "./edit-container.ts"
import { colonOf, formatValue, layoutOf, lineMargin, marginAt, withMargin, type Layout } from "./layout.ts"
import type { JsonPointer } from "./locate.ts"
import { readContainer, valueEnd, type Container, type Member } from "./members.ts"
import { parseJson, type SyntaxFinding } from "./parse-json.ts"
import { skipBlanks } from "./scan.ts"
import type { JsonValue } from "./value.ts"

export type EditedJson =
  | { readonly ok: true; readonly text: string }
  /** The text does not parse; offsets count from behind a byte order mark. */
  | { readonly ok: false; readonly findings: readonly SyntaxFinding[] }

/** The keys from the root to a member: `["tls", "verify"]`. */
export type KeyPath = readonly [string, ...string[]]

/** `setJsonAt` for a way of keys alone. */
export const setJsonKey = (text: string, path: KeyPath, value: JsonValue): EditedJson =>
  setJsonAt(text, path, value)

/** `deleteJsonAt` for a way of keys alone. */
export const deleteJsonKey = (text: string, path: KeyPath): EditedJson => deleteJsonAt(text, path)

/**
 * Sets the value at `pointer`, in its place where it is there and last in its object or array where it is new; containers
 * that are missing are made. A value that is there already changes nothing. Throws where a step leads into no object or
 * array, or behind the end of one.
 *
 *     setJsonAt('{\n  "a": [1]\n}\n', ["a", 0], 2)   // { ok: true, text: '{\n  "a": [2]\n}\n' }
 */
export function setJsonAt(text: string, pointer: JsonPointer, value: JsonValue): EditedJson {
  return edit(text, (body) => setIn(body, pointer, value))
}

/** Removes the member or item at `pointer`; one that is not there changes nothing. */
export function deleteJsonAt(text: string, pointer: JsonPointer): EditedJson {
  return edit(text, (body) => {
    const place = placeOf(body, pointer)
    return place?.member === undefined ? body : removeFrom(body, place.container, place.index)
  })
}

/** Puts a new item before the one that is at `index` of an array now, or last where `index` is its length. */
export function insertJsonItem(
  text: string,
  array: JsonPointer,
  index: number,
  value: JsonValue,
): EditedJson {
  return edit(text, (body) => {
    const item = { value: asRead(value), write: (style: Style) => formatValue(value, style) }
    return insertInto(body, { ...arrayAt(body, array), index, layout: layoutOf(body) }, item)
  })
}

/**
 * Puts an item before the one that is at `index` of an array now, or last where `index` is its length. The item keeps its
 * own layout; its lines are indented as its new depth asks for. Throws where it would go into itself.
 */
export function moveJsonItem(text: string, from: JsonPointer, array: JsonPointer, index: number): EditedJson {
  return edit(text, (body) => {
    const place = placeOf(body, from)
    if (place?.member === undefined) throw new Error("there is no item to move")
    if (startsWith(array, from)) throw new Error("an item cannot move into itself")
    const isSameArray = array.length === from.length - 1 && startsWith(from, array)
    if (isSameArray && (index === place.index || index === place.index + 1)) return body
    const layout = layoutOf(body)
    const item = itemAt(body, place.member)
    const taken = removeFrom(body, place.container, place.index)
    const target = arrayAt(taken, pointerWithout(array, from))
    const shift = isSameArray && index > place.index ? 1 : 0
    return insertInto(taken, { ...target, index: index - shift, layout }, item)
  })
}

/** Puts a copy of an item, with its layout, before the one that is at `index` of an array, or last. */
export function copyJsonItem(text: string, from: JsonPointer, array: JsonPointer, index: number): EditedJson {
  return edit(text, (body) => {
    const place = placeOf(body, from)
    if (place?.member === undefined) throw new Error("there is no item to copy")
    const target = { ...arrayAt(body, array), index, layout: layoutOf(body) }
    return insertInto(body, target, itemAt(body, place.member))
  })
}

/** From where to where the value at `pointer` stands in a well-formed text; undefined where nothing is there. */
export function jsonRangeAt(
  text: string,
  pointer: JsonPointer,
): { readonly from: number; readonly to: number } | undefined {
  const shift = text.startsWith("\ufeff") ? 1 : 0
  const body = text.slice(shift)
  const range = pointer.length === 0 ? rootOf(body) : memberRange(placeOf(body, pointer)?.member)
  return range === undefined ? undefined : { from: range.from + shift, to: range.to + shift }
}

const memberRange = (member: Member | undefined) =>
  member === undefined ? undefined : { from: member.valueAt, to: member.end }

function rootOf(body: string): { readonly from: number; readonly to: number } {
  const from = skipBlanks(body, 0)
  return { from, to: valueEnd(body, from) }
}

type Style = Parameters<typeof formatValue>[1]

/** A text that is known to be well-formed: the last one that an edit has made. Most edits are of that one. */
let wellFormed: string | undefined

function edit(text: string, change: (body: string) => string): EditedJson {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  const body = text.slice(mark.length)
  if (body !== wellFormed) {
    const parsed = parseJson(body)
    if (!parsed.ok) return parsed
  }
  // Each change is held against what it must say before it is given back: see `edit-container.ts` and `replaced`.
  const edited = change(body)
  wellFormed = edited
  return { ok: true, text: mark + edited }
}

function setIn(body: string, pointer: JsonPointer, value: JsonValue): string {
  if (pointer.length === 0) return replaced(body, rootOf(body), value, { ...layoutOf(body), margin: "" })
  let open = skipBlanks(body, 0)
  let ownerAt: number | undefined
  for (const [depth, step] of pointer.entries()) {
    const container = containerFor(body, open, step)
    const index = indexOf(container, step)
    const member = container.members[index]
    if (member === undefined) {
      if (typeof step === "number" && step !== container.members.length) throw noPlace(step)
      const whole = nested(pointer.slice(depth + 1), value)
      const target = { container, ownerAt, index: container.members.length, layout: layoutOf(body) }
      const item = { value: asRead(whole), write: (style: Style) => formatValue(whole, style) }
      return insertInto(body, target, typeof step === "string" ? { ...item, key: step } : item)
    }
    if (depth === pointer.length - 1) {
      const range = { from: member.valueAt, to: member.end }
      return replaced(body, range, value, styleOf(body, member, layoutOf(body)))
    }
    open = member.valueAt
    ownerAt = member.at
  }
  return body
}

function replaced(
  body: string,
  { from, to }: { readonly from: number; readonly to: number },
  value: JsonValue,
  style: Style,
): string {
  const expected = asRead(value)
  if (isEqual(readText(body.slice(from, to)), expected)) return body
  const content = formatValue(value, style)
  if (!isEqual(readText(content), expected)) throw new Error("an edit of a JSON text went wrong")
  return body.slice(0, from) + content + body.slice(to)
}

/** How the value of `member` is laid out: over lines where the member has its own line. */
function styleOf(text: string, member: Member, layout: Layout): Style {
  const margin = marginAt(text, member.at)
  const colon = member.key === undefined ? layout.colon : colonOf(text, member)
  return margin === undefined
    ? { ...layout, colon, indent: undefined, margin: "" }
    : { ...layout, colon, margin }
}

/** A value inside the containers that a way asks for. */
function nested(way: JsonPointer, value: JsonValue): JsonValue {
  return way.reduceRight<JsonValue>((inner, step) => {
    if (typeof step === "string") return Object.fromEntries([[step, inner]])
    if (step !== 0) throw noPlace(step)
    return [inner]
  }, value)
}

interface Place {
  readonly container: Container
  readonly index: number
  readonly member: Member | undefined
}

/** Undefined where a container on the way is not there. */
function placeOf(body: string, pointer: JsonPointer): Place | undefined {
  let open = skipBlanks(body, 0)
  for (const [depth, step] of pointer.entries()) {
    const container = containerFor(body, open, step)
    const index = indexOf(container, step)
    const member = container.members[index]
    if (depth === pointer.length - 1) return { container, index, member }
    if (member === undefined) return undefined
    open = member.valueAt
  }
  throw new Error("an edit of a JSON text needs a way to a member")
}

function arrayAt(body: string, pointer: JsonPointer): { container: Container; ownerAt: number | undefined } {
  const owner = pointer.length === 0 ? undefined : placeOf(body, pointer)?.member
  const container = readContainer(body, owner?.valueAt ?? skipBlanks(body, 0))
  if ((pointer.length > 0 && owner === undefined) || container?.isArray !== true) throw noPlace(0)
  return { container, ownerAt: owner?.at }
}

function containerFor(body: string, open: number, step: string | number): Container {
  const container = readContainer(body, open)
  if (container === undefined || container.isArray !== (typeof step === "number")) throw noPlace(step)
  return container
}

const noPlace = (step: string | number): Error =>
  new Error(
    typeof step === "string"
      ? `there is no object to hold the key ${JSON.stringify(step)}`
      : `there is no array to hold the item ${step}`,
  )

const indexOf = ({ members }: Container, step: string | number): number =>
  typeof step === "number" ? step : members.findIndex(({ key }) => key === step)

const startsWith = (pointer: JsonPointer, start: JsonPointer): boolean =>
  start.length <= pointer.length && start.every((step, at) => pointer[at] === step)

/** The same place once the item at `gone` is not there any more. */
function pointerWithout(pointer: JsonPointer, gone: JsonPointer): JsonPointer {
  const last = gone.length - 1
  const [index, step] = [gone[last], pointer[last]]
  if (typeof index !== "number" || typeof step !== "number" || step <= index) return pointer
  return startsWith(pointer, gone.slice(0, last)) ? pointer.with(last, step - 1) : pointer
}

function itemAt(body: string, { at, valueAt, end, key }: Member) {
  if (key !== undefined) throw new Error("only an item of an array can move")
  const raw = body.slice(valueAt, end)
  const margin = lineMargin(body, at)
  return { value: readText(raw), write: (style: Style) => withMargin(raw, margin, style.margin) }
}

/** A value as its text reads: a double beyond 2^53 comes back as the digits that were written for it. */
function asRead(value: JsonValue): JsonValue {
  return readText(formatValue(value, { eol: "", indent: undefined, colon: ":", margin: "" }))
}

function readText(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error("a value has no JSON text")
  return parsed.value
}
