// Percent-encodes (RFC 3986, RFC 6570), and writes a list or an object in OpenAPI's styles. Null is left out.

import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  toText,
} from "@callsheet/format"

/** The values that a style splits. Everything else is one text. */
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

/** Writes names and values for a query, a form or cookies. Empty for an empty list or object (RFC 6570 section 2.3). */
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

/** Writes one text for a path or a header: `simple`, `label`, `matrix`. Undefined for an empty list or object. */
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

/** A comma is RFC 6570's delimiter and never encoded as one. Other delimiters are written encoded. */
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

/** Recurses only as deep as the document nests lists, which `inner` limits. */
function itemText(value: JsonValue, { encode, inner = [] }: Pick<Spread, "encode" | "inner">): string {
  const [delimiter, ...rest] = inner
  if (delimiter === undefined || !isJsonArray(value)) return encode(toText(value))
  return value.map((item) => itemText(item, { encode, inner: rest })).join(written(delimiter, encode))
}

/** Writes `name[key]` to any depth, without recursion. OpenAPI doesn't define lists here: the name repeats. */
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

export type Encode = (text: string) => string

/** Encodes everything except RFC 3986's unreserved characters. */
export const encode: Encode = (text) => encodeURIComponent(text).replaceAll(/[!'()*]/g, percent)

const percent = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`

/** For `allowReserved` in a query: keeps reserved and encoded characters (RFC 6570 section 3.2.3), except `#`, which ends it. */
export const encodeReserved: Encode = (text) =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+/gu, encode)

/** Encodes for `allowReserved` in a path (3.2), also the characters that would end a segment. */
export const encodeReservedInPath: Encode = (text) =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:@!$&'()*+,;=%]+/gu, encode)

/** Encodes a name or a value of `application/x-www-form-urlencoded`, as the WHATWG URL Standard does. */
export const encodeForm: Encode = (text) =>
  encodeURIComponent(text)
    .replaceAll("%20", "+")
    .replaceAll(/[!'()~]/g, percent)

/** For headers, cookies and parts of multipart bodies, which are not percent-encoded. */
export const asItIs: Encode = (text) => text

/** A path template's literals may contain characters that a URL can't: spaces, quotes, letters beyond ASCII. */
export const encodeLiteral: Encode = (text) =>
  text.replaceAll(/[^\u0021-\u007e]|["<>\\^`{|}]/gu, (char) =>
    encodeURIComponent(/\p{Surrogate}/u.test(char) ? "\ufffd" : char),
  )
