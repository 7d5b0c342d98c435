// Edits one part of JSON text and keeps every other byte: order, indentation, line ends, final newline.

import type { EditedSecrets } from "../environment/write-secret.ts"
import { isEqual } from "../workflow/equal.ts"
import { insertInto, type NewMember, removeFrom, runOf } from "./edit-container.ts"
import { colonOf, type Layout, layoutOf, lineMargin, marginAt, type Style, withMargin } from "./layout.ts"
import { formatValue } from "./stringify.ts"
import { createJsonLocator } from "./locate.ts"
import { type JsonPointer, startsWith, valueAt } from "./pointer.ts"
import {
  arrayAt,
  type Container,
  containerFor,
  findMember,
  type Member,
  memberStart,
  type MemberStart,
  noPlace,
  placeOf,
  stringEnd,
  valueEnd,
} from "./members.ts"
import { parseEdited } from "./parse-edited.ts"
import { parseJson, type SyntaxFinding } from "./parse-json.ts"
import type { ObjectShape, Shape } from "../shape/shape.ts"
import { changeText } from "../text/change-text.ts"
import { skipBlanks } from "./scan.ts"
import { isJsonArray, isJsonObject, type JsonValue, ownOf } from "./value.ts"

export type EditedJson =
  | { readonly ok: true; readonly text: string }
  /** Returned for text that doesn't parse. Offsets start after a byte order mark. */
  | { readonly ok: false; readonly findings: readonly SyntaxFinding[] }

/** Returns the edited text of a file that has been read before, so that it is known to parse. Throws if it doesn't. */
export function editedText(edited: EditedJson | EditedSecrets): string {
  if (!edited.ok) throw new Error("cannot edit a file that does not parse")
  return edited.text
}

/**
 * Sets the value at `pointer` and creates missing containers. Inserts a new key in the shape's order, or last. Throws
 * if the pointer leads into a scalar or past the end of an array.
 */
export function setJsonAt(text: string, pointer: JsonPointer, value: JsonValue, shape?: Shape): EditedJson {
  return edit(text, (body) => setIn(body, { pointer, value }, shape))
}

/** Removes the member or item at `pointer`. Does nothing if it is missing. */
export function deleteJsonAt(text: string, pointer: JsonPointer): EditedJson {
  return edit(text, (body) => {
    const place = placeOf(body, pointer)
    return place?.member === undefined ? body : removeFrom(body, place.container, place.index, 1)
  })
}

export function deleteJsonItems(text: string, array: JsonPointer, index: number, count: number): EditedJson {
  return edit(text, (body) => {
    return removeFrom(body, arrayAt(body, array).container, index, count)
  })
}

/** Inserts an item before the current item at `index` of an array, or last if `index` is its length. */
export function insertJsonItem(
  text: string,
  array: JsonPointer,
  index: number,
  value: JsonValue,
): EditedJson {
  return edit(text, (body) =>
    insertInto(body, { ...arrayAt(body, array), index, layout: layoutOf(body) }, newMember(value)),
  )
}

export interface JsonItems {
  readonly array: JsonPointer
  readonly index: number
  readonly count: number
}

/** Moves items, with their layout, before the item at `index`, or last. Throws if an item would move into itself. */
export function moveJsonItems(text: string, from: JsonItems, array: JsonPointer, index: number): EditedJson {
  return edit(text, (body) => {
    const { container } = arrayAt(body, from.array)
    const items = itemsAt(body, container, from)
    if (goesInto(array, from)) throw new Error("an item cannot move into itself")
    const isSameArray = array.length === from.array.length && startsWith(array, from.array)
    const behind = from.index + from.count
    if (isSameArray && index >= from.index && index <= behind) return body
    const layout = layoutOf(body)
    const taken = removeFrom(body, container, from.index, from.count)
    const target = arrayAt(taken, pointerWithout(array, from))
    const shift = isSameArray && index >= behind ? from.count : 0
    return insertInto(taken, { ...target, index: index - shift, layout }, items)
  })
}

/** Copies items, with their layout, before the current item at `index` of an array, or last. */
export function copyJsonItems(text: string, from: JsonItems, array: JsonPointer, index: number): EditedJson {
  return edit(text, (body) => {
    const items = itemsAt(body, arrayAt(body, from.array).container, from)
    return insertInto(body, { ...arrayAt(body, array), index, layout: layoutOf(body) }, items)
  })
}

export interface JsonChange {
  readonly pointer: JsonPointer
  readonly value: JsonValue
}

/** Replaces existing values, none of which may contain another, in a single edit. */
export function replaceJsonValues(text: string, changes: readonly JsonChange[]): EditedJson {
  return edit(text, (body) => {
    const locate = createJsonLocator(body)
    const layout = layoutOf(body)
    return changeText(
      body,
      changes.map(({ pointer, value }) => {
        const from = locate(pointer, "value")
        const to = valueEnd(body, from)
        const style = { ...layout, margin: lineMargin(body, from) }
        return { from, to, by: textInPlace(body.slice(from, to), value, style) }
      }),
    )
  })
}

/** Returns the range of the value at `pointer` in valid JSON, or undefined if the value is missing. */
export function jsonRangeAt(
  text: string,
  pointer: JsonPointer,
): { readonly from: number; readonly to: number } | undefined {
  const shift = text.startsWith("\ufeff") ? 1 : 0
  const body = text.slice(shift)
  const from = pointer.length === 0 ? skipBlanks(body, 0) : placeOf(body, pointer)?.member?.valueAt
  return from === undefined ? undefined : { from: from + shift, to: valueEnd(body, from) + shift }
}

/** Renames the last key of `path`, if it exists. Throws if its object already has the new name. */
export function renameJsonKey(text: string, path: JsonPointer, to: string): EditedJson {
  return edit(text, (body) => {
    const owner = valueAt(readText(body), path.slice(0, -1))
    const key = path.at(-1)
    if (!isJsonObject(owner) || key === undefined || !Object.hasOwn(owner, key)) return body
    if (Object.hasOwn(owner, to)) throw new Error(`the key ${JSON.stringify(to)} already exists`)
    const at = createJsonLocator(body)(path, "key")
    return body.slice(0, at) + JSON.stringify(to) + body.slice(stringEnd(body, at))
  })
}

function edit(text: string, change: (body: string) => string): EditedJson {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : ""
  const body = text.slice(mark.length)
  const parsed = parseEdited(body)
  // `edit-container.ts` and `textInPlace` compare each change with the expected values before they return it.
  return parsed.ok ? { ok: true, text: mark + change(body) } : parsed
}

function setIn(body: string, { pointer, value }: JsonChange, shape: Shape | undefined): string {
  const root = skipBlanks(body, 0)
  let member: MemberStart | undefined
  let here = shape
  for (const [depth, step] of pointer.entries()) {
    const open = member?.valueAt ?? root
    here = shapeAt(body, open, here)
    const inner = memberStart(body, open, step)
    if (inner === undefined) {
      const container = containerFor(body, open, step)
      const { members } = container
      const key = typeof step === "string" ? step : undefined
      if (key === undefined && step !== members.length) throw noPlace(step)
      const index = key === undefined ? members.length : indexOfKey(members, key, here)
      const target = { container, ownerAt: member?.at, index, layout: layoutOf(body) }
      return insertInto(body, target, newMember(nested(pointer.slice(depth + 1), value), key))
    }
    here = shapeBehind(here, step)
    member = inner
  }
  const layout = layoutOf(body)
  const from = member?.valueAt ?? root
  const to = valueEnd(body, from)
  const style = member === undefined ? { ...layout, margin: "" } : styleOf(body, member, layout)
  return body.slice(0, from) + textInPlace(body.slice(from, to), value, style) + body.slice(to)
}

const newMember = (value: JsonValue, key?: string): NewMember => ({
  key,
  values: [asRead(value)],
  write: (style) => formatValue(value, style),
})

/** Returns `there` if it already has this value, otherwise the value as JSON. */
function textInPlace(there: string, value: JsonValue, style: Style): string {
  const expected = asRead(value)
  if (isEqual(readText(there), expected)) return there
  const content = formatValue(value, style)
  if (!isEqual(readText(content), expected))
    throw new Error("an edited JSON text does not read back as expected")
  return content
}

function styleOf(text: string, member: MemberStart, layout: Layout): Style {
  const margin = marginAt(text, member.at)
  const colon = member.key === undefined ? layout.colon : colonOf(text, member)
  return margin === undefined
    ? { ...layout, colon, indent: undefined, margin: "" }
    : { ...layout, colon, margin }
}

function nested(way: JsonPointer, value: JsonValue): JsonValue {
  return way.reduceRight<JsonValue>((inner, step) => {
    if (typeof step === "string") return Object.fromEntries([[step, inner]])
    if (step !== 0) throw noPlace(step)
    return [inner]
  }, value)
}

const goesInto = (pointer: JsonPointer, { array, index, count }: JsonItems): boolean => {
  const step = pointer[array.length]
  return typeof step === "number" && startsWith(pointer, array) && step >= index && step < index + count
}

function pointerWithout(pointer: JsonPointer, { array, index, count }: JsonItems): JsonPointer {
  const step = pointer[array.length]
  if (typeof step !== "number" || step <= index || !startsWith(pointer, array)) return pointer
  return pointer.with(array.length, step - count)
}

function itemsAt(body: string, { members }: Container, { index, count }: JsonItems): NewMember {
  const { first, last } = runOf(members, index, count)
  const raw = body.slice(first.at, last.end)
  const margin = lineMargin(body, first.at)
  const values = readText(`[${raw}]`)
  if (!isJsonArray(values)) throw new Error("the container of the items is not an array")
  return { values, write: (style: Style) => withMargin(raw, margin, style.margin) }
}

/** Returns a value as the parser would read its JSON: a double beyond 2^53 becomes a bigint with the written digits. */
function asRead(value: JsonValue): JsonValue {
  return readText(formatValue(value, { eol: "", indent: undefined, colon: ":", margin: "" }))
}

function readText(text: string): JsonValue {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error("a value cannot be written as JSON")
  return parsed.value
}

/** Returns the shape of the container at `open`. If there are several shapes, its tag selects one. */
function shapeAt(text: string, open: number, shape: Shape | undefined): Shape | undefined {
  if (shape?.is !== "variant" || text[open] !== "{") return shape
  const tag = findMember(text, open, shape.tag)
  if (tag === undefined || text[tag.valueAt] !== '"') return undefined
  const value = JSON.parse(text.slice(tag.valueAt, stringEnd(text, tag.valueAt))) as string
  return ownOf(shape.variants, value)
}

function shapeBehind(shape: Shape | undefined, step: string | number): Shape | undefined {
  if (shape?.is === "array") return shape.items()
  if (shape?.is === "map") return shape.values
  if (shape?.is !== "object" || typeof step === "number") return undefined
  const others = shape.others?.are === "values" ? shape.others.shape : undefined
  return ownOf(shape.fields, step)?.shape ?? others
}

/** Returns the index of the first member that comes after `key` in the shape's order, or the end if there is none. */
function indexOfKey(members: readonly Member[], key: string, shape: Shape | undefined): number {
  if (shape?.is !== "object") return members.length
  const rank = rankOf(shape, key)
  const later = members.findIndex((member) => rankOf(shape, member.key ?? "") > rank)
  return later === -1 || Number.isNaN(rank) ? members.length : later
}

/** Returns a key's position in the shape's order. Keys that authors choose come last. Unknown keys have no position. */
function rankOf({ fields, others }: ObjectShape, key: string): number {
  if (Object.hasOwn(fields, key)) return Object.keys(fields).indexOf(key)
  return others?.are === "values" ? Infinity : NaN
}
