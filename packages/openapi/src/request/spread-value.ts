// Writes a list or an object in OpenAPI's styles ("Style Examples", RFC 6570). Leaves out null.

import {
  isJsonArray,
  isJsonObject,
  toText,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import type { Encode } from "./percent.ts"

/** A value that a style can split. Any other value is one string. */
export type Structured = JsonArray | JsonObject

export interface Style {
  readonly style: string
  readonly explode: boolean
  /** The delimiters of nested lists (2.0), one per level. Deeper lists are written as JSON. */
  readonly inner?: readonly string[]
}

interface Spread extends Style {
  readonly name: string
  readonly encode: Encode
  readonly encodeName?: Encode
}

export type Pair = readonly [name: string, value: string]

const delimiters: ReadonlyMap<string, string> = new Map([
  ["spaceDelimited", " "],
  ["tabDelimited", "\t"],
  ["pipeDelimited", "|"],
])

export const delimiterOf = (style: string): string => delimiters.get(style) ?? ","

/**
 * Writes the names and values for a query, a form or cookies. Returns none for an empty list or object (RFC 6570
 * section 2.3).
 */
export function spreadNamed(value: Structured, spread: Spread): readonly Pair[] {
  const { name, style, explode, encode, encodeName = encode } = spread
  if (style === "deepObject") return isJsonObject(value) ? deepPairs(value, spread) : []
  const own = encodeName(name)
  if (!explode) {
    const delimiter = written(delimiterOf(style), encode)
    const pieces = piecesOf(value, spread, delimiter)
    return pieces.length === 0 ? [] : [[own, pieces.join(delimiter)]]
  }
  return isJsonArray(value)
    ? itemsOf(value, spread).map((item) => [own, item])
    : membersOf(value).map(([key, member]) => [encodeName(key), itemText(member, spread)])
}

/** Writes a value for a path or a header in `simple`, `label` or `matrix`. Undefined for an empty list or object. */
export function spreadBare(value: Structured, spread: Spread): string | undefined {
  const { style, explode, encode } = spread
  const delimiter = style === "label" && explode ? "." : written(delimiterOf(style), encode)
  const pieces = piecesOf(value, spread, explode ? "=" : delimiter)
  if (pieces.length === 0) return undefined
  if (style === "label") return `.${pieces.join(delimiter)}`
  if (style !== "matrix") return pieces.join(delimiter)
  const own = (spread.encodeName ?? encode)(spread.name)
  if (!explode) return `;${own}=${pieces.join(delimiter)}`
  if (!isJsonArray(value)) return pieces.map((piece) => `;${piece.replace(/=$/, "")}`).join("")
  return pieces.map((piece) => (piece === "" ? `;${own}` : `;${own}=${piece}`)).join("")
}

/** Writes a delimiter. Encodes every delimiter except a comma, which RFC 6570 uses. */
const written = (delimiter: string, encode: Encode): string =>
  delimiter === "," ? delimiter : encode(delimiter)

const piecesOf = (value: Structured, spread: Spread, equals: string): readonly string[] =>
  isJsonArray(value)
    ? itemsOf(value, spread)
    : membersOf(value).map(([key, member]) => spread.encode(key) + equals + itemText(member, spread))

const itemsOf = (list: JsonArray, spread: Spread): readonly string[] =>
  list.filter((item) => item !== null).map((item) => itemText(item, spread))

const membersOf = (object: JsonObject): readonly (readonly [string, JsonValue])[] =>
  Object.entries(object).filter(([, value]) => value !== null)

/** Writes an item. `inner` limits the recursion to the depth of lists in the document. */
function itemText(value: JsonValue, { encode, inner = [] }: Pick<Spread, "encode" | "inner">): string {
  const [delimiter, ...rest] = inner
  if (delimiter === undefined || !isJsonArray(value)) return encode(toText(value))
  return value.map((item) => itemText(item, { encode, inner: rest })).join(written(delimiter, encode))
}

/**
 * Writes `name[key]` to any depth, without recursion. For a list, repeats the name, because OpenAPI doesn't define a
 * notation.
 */
function deepPairs(value: JsonObject, { name, encode, encodeName = encode }: Spread): readonly Pair[] {
  const pairs: Pair[] = []
  const work: [name: string, value: JsonValue][] = [[encodeName(name), value]]
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [own, here] = next
    if (isJsonObject(here))
      for (const [key, member] of membersOf(here).toReversed())
        work.push([own + encodeName(`[${key}]`), member])
    else if (isJsonArray(here))
      pairs.push(...here.filter((item) => item !== null).map((item): Pair => [own, encode(toText(item))]))
    else pairs.push([own, encode(toText(here))])
  }
  return pairs
}
