// The JSON body of a saved request, as rows and as text. Pure.

import {
  formatPath,
  isJsonArray,
  isJsonObject,
  type JsonPointer,
  type JsonValue,
  jsonRangeAt,
  parseJson,
  ownOf,
} from "@callsheet/format"

export interface BodyLeaf {
  /** Relative to the body. */
  readonly pointer: JsonPointer
  readonly path: string
  readonly value: JsonValue
}

/** A body with more fields is edited as text. */
export const MAX_LEAVES = 100

/** Returns at most `MAX_LEAVES` leaves in file order. An empty object or array is a leaf too. */
export function bodyLeaves(body: JsonValue): readonly BodyLeaf[] {
  const leaves: BodyLeaf[] = []
  const work: { readonly pointer: JsonPointer; readonly value: JsonValue }[] = [{ pointer: [], value: body }]
  for (let item = work.pop(); item !== undefined && leaves.length < MAX_LEAVES; item = work.pop()) {
    const { pointer, value } = item
    const members = membersOf(value)
    if (members.length === 0) {
      if (pointer.length > 0) leaves.push({ pointer, path: formatPath(pointer.map(String)), value })
      continue
    }
    for (const [key, inner] of members.slice(0, MAX_LEAVES).reverse())
      work.push({ pointer: [...pointer, key], value: inner })
  }
  return leaves
}

function membersOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (isJsonArray(value)) return value.slice(0, MAX_LEAVES).map((item, index) => [index, item] as const)
  return isJsonObject(value) ? Object.entries(value) : []
}

/**
 * Resolves a path in a body. A number is an index if the container is an array or missing. Undefined if the path can't
 * exist.
 */
export function pointerTo(body: JsonValue | undefined, segments: readonly string[]): JsonPointer | undefined {
  const pointer: (string | number)[] = []
  let here: JsonValue | undefined = body
  for (const [at, segment] of segments.entries()) {
    const isIndex = /^(?:0|[1-9][0-9]{0,8})$/.test(segment)
    const isFirst = at === 0
    if (here === undefined ? isFirst || !isIndex : isJsonObject(here)) {
      pointer.push(segment)
      here = isJsonObject(here) ? ownOf(here, segment) : undefined
    } else if (here === undefined || isJsonArray(here)) {
      const index = Number(segment)
      const length = here === undefined ? 0 : here.length
      if (!isIndex || index > length) return undefined
      pointer.push(index)
      here = here?.[index]
    } else return undefined
  }
  return pointer
}

/** Returns the text of the value. Undefined if the file doesn't have it. */
export function innerText(text: string, pointer: JsonPointer): string | undefined {
  const range = jsonRangeAt(text, pointer)
  if (range === undefined) return undefined
  return withoutMargin(text.slice(range.from, range.to), marginAt(text, range.from))
}

/** Replaces the text of the value, and no other byte. Undefined if the new text isn't JSON. */
export function withInnerText(text: string, pointer: JsonPointer, inner: string): string | undefined {
  const range = jsonRangeAt(text, pointer)
  if (range === undefined || !parseJson(inner).ok) return undefined
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  const margin = marginAt(text, range.from)
  const written = inner
    .trim()
    .split(/\r\n|\n|\r/)
    .join(eol + margin)
  return text.slice(0, range.from) + written + text.slice(range.to)
}

/** JSON strings can't contain line breaks, so every line break is between values. */
const withoutMargin = (value: string, margin: string): string =>
  value
    .split(/\r\n|\n|\r/)
    .map((line, index) => (index > 0 && line.startsWith(margin) ? line.slice(margin.length) : line))
    .join("\n")

/** Returns the whitespace at the start of the line that contains `at`. */
function marginAt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ""
}
