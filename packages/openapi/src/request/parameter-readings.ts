// Parses a sent URL, and reads a parameter's text as the values that it may stand for. Doesn't check text that it can't
// read.

import {
  decodePercent,
  escapePattern,
  getOrCreate,
  type JsonObject,
  type JsonValue,
  memberType,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import type { Parameter } from "../document/parameters.ts"
import { delimiterOf } from "./spread-value.ts"
import { hasScalars, listReadings, scalarReadings } from "../schema/validate/text-readings.ts"
import { parsePathTemplate } from "./build-url.ts"

export interface Styled {
  readonly parameter: Parameter
  readonly type: ValueType
  /** True for URLs, whose values are percent-encoded. */
  readonly isEncoded: boolean
}

/**
 * Reads the strings that were sent under the parameter's own name. Returns nothing if the document doesn't describe the
 * value.
 */
export function styledReadings(styled: Styled, raw: readonly string[]): readonly JsonValue[] {
  const { kinds } = styled.type
  const [first = ""] = raw
  const readings: JsonValue[] = []
  if (kinds?.has("array") === true)
    readings.push(...listsOf(styled, raw).flatMap((texts) => listReadings(texts, styled.type)))
  if (kinds?.has("object") === true) readings.push(...objectReadings(styled, first))
  // Several values of an undocumented type may be a list.
  if (kinds === undefined ? raw.length === 1 : hasScalars(kinds))
    readings.push(...scalarReadings(wholeText(styled, first), styled.type))
  return readings
}

const wholeText = (styled: Styled, raw: string): string => readText(styled, withoutPrefix(styled, raw))

const readText = ({ isEncoded }: Styled, raw: string): string => (isEncoded ? decode(raw) : raw.trim())

/** Removes the prefix of the label and matrix styles. */
function withoutPrefix({ parameter: { style, name } }: Styled, raw: string): string {
  if (style === "label") return raw.replace(/^\./, "")
  if (style !== "matrix") return raw
  const from = raw.indexOf("=")
  return decode(raw.slice(1, from === -1 ? undefined : from)) === name && from !== -1
    ? raw.slice(from + 1)
    : raw
}

function listsOf(styled: Styled, raw: readonly string[]): readonly (readonly string[])[] {
  const { style, explode, in: place } = styled.parameter
  const repeats = (place === "query" || place === "cookie") && explode
  if (repeats) return [raw.map((one) => readText(styled, one))]
  if (style === "matrix" && explode) {
    const each = raw.flatMap((one) => one.split(";").slice(1))
    return [each.map((one) => readText(styled, one.slice(one.indexOf("=") + 1)))]
  }
  const whole = raw.map((one) => withoutPrefix(styled, one))
  // OpenAPI 3.0 always uses periods. RFC 6570 uses commas for a value that isn't exploded.
  const ways = style === "label" ? (explode ? ["."] : [",", "."]) : [delimiterOf(style)]
  return ways.flatMap((delimiter) => splits(styled, whole, delimiter))
}

/** Splits at every delimiter. If some delimiters are percent-encoded, also returns a split only at the plain ones. */
function splits(styled: Styled, raw: readonly string[], delimiter: string): readonly (readonly string[])[] {
  if (raw.every((one) => one === "")) return [[], [""]]
  const at = (split: (one: string) => readonly string[]): readonly string[] =>
    raw.flatMap((one) => split(one).map((item) => readText(styled, item)))
  const plain = at((one) => one.split(delimiter))
  if (!styled.isEncoded) return [plain]
  const encoded = new RegExp(`%${delimiter.charCodeAt(0).toString(16).padStart(2, "0")}`, "gi")
  const all = at((one) => one.replaceAll(encoded, delimiter).split(delimiter))
  return all.length === plain.length ? [all] : [all, plain]
}

function objectReadings(styled: Styled, raw: string): readonly JsonValue[] {
  const { style, explode, in: place } = styled.parameter
  // The members of an exploded object have their own names.
  if (explode && (place === "query" || place === "cookie")) return []
  const pieces = () => raw.split(";").slice(1)
  const texts =
    style === "matrix" && explode
      ? [pieces().map((one) => readText(styled, one))]
      : splits(styled, [withoutPrefix(styled, raw)], style === "label" && explode ? "." : delimiterOf(style))
  return texts.flatMap((all) => {
    const members = membersOf(all, explode)
    return (members && readMembers(styled.type, members)) ?? []
  })
}

type Members = readonly (readonly [name: string, texts: readonly string[]])[]

/** Reads the members of an object: `a=1,b=2` if it is exploded, else `a,1,b,2`. */
function membersOf(texts: readonly string[], explode: boolean): Members | undefined {
  if (!explode) {
    if (texts.length % 2 === 1) return undefined
    return texts.flatMap((name, index) =>
      index % 2 === 0 ? [[name, texts.slice(index + 1, index + 2)] as const] : [],
    )
  }
  if (!texts.every((text) => text.includes("="))) return undefined
  return texts.map((text) => [text.slice(0, text.indexOf("=")), [text.slice(text.indexOf("=") + 1)]])
}

/** Reads an object from its members. Returns undefined if a member is itself a list or an object. */
function readMembers(type: ValueType, members: Members): JsonObject | undefined {
  const entries: [string, JsonValue][] = []
  for (const [name, texts] of members) {
    const own = memberType(type, name) ?? unknownType
    if (own.kinds?.has("object") === true || own.kinds?.has("array") === true) return undefined
    entries.push([name, scalarReadings(texts.at(-1) ?? "", own)[0]])
  }
  // `fromEntries` defines own properties, even for `__proto__`.
  return Object.fromEntries(entries)
}

/** An exploded object as sent. `value` is undefined if it can't be read. */
interface SpreadReading {
  readonly value: JsonObject | undefined
  readonly texts: readonly string[]
}

/** Reads an exploded object of the style `form`. Returns undefined if the request has none of its properties. */
export function formReading(
  type: ValueType,
  query: RawQuery,
  isOther: (name: string) => boolean,
): SpreadReading | undefined {
  const members = type.names().flatMap((name) => {
    const raw = isOther(name) ? undefined : query.get(name)
    return raw === undefined ? [] : [[name, raw.map(decode)] as const]
  })
  if (members.length === 0) return undefined
  return { value: readMembers(type, members), texts: members.flatMap(([, texts]) => texts) }
}

/** The maximum depth of recursion. Real schemas need less. */
const MAX_DEPTH = 10

type Tree = Map<string, Tree | string[]>

/**
 * Reads `name[key]` and, for nested objects, `name[key][key]`. Returns undefined if the request doesn't have the name.
 */
export function deepReading(name: string, type: ValueType, query: RawQuery): SpreadReading | undefined {
  const tree: Tree = new Map()
  const texts: string[] = []
  let isReadable = true
  for (const [own, raw] of query) {
    if (!own.startsWith(`${name}[`)) continue
    const values = raw.map(decode)
    texts.push(...values)
    const keys = keysOf(own.slice(name.length))
    if (keys === undefined || !plant(tree, keys, values)) isReadable = false
  }
  if (texts.length === 0) return undefined
  return { value: isReadable ? readTree(tree, type) : undefined, texts }
}

/** Returns the keys in brackets: `a` and `b` for `[a][b]`. Undefined for anything else. */
function keysOf(brackets: string): readonly string[] | undefined {
  if (!/^(?:\[[^[\]]+\])+$/.test(brackets)) return undefined
  const keys = brackets.slice(1, -1).split("][")
  return keys.length > MAX_DEPTH ? undefined : keys
}

/** Adds a value to the tree. Returns false if a member would be both a value and a container. */
function plant(tree: Tree, keys: readonly string[], texts: string[]): boolean {
  let here = tree
  for (const key of keys.slice(0, -1)) {
    const next = getOrCreate(here, key, (): Tree => new Map())
    if (Array.isArray(next)) return false
    here = next
  }
  const [last = ""] = keys.slice(-1)
  if (here.has(last)) return false
  here.set(last, texts)
  return true
}

/** Reads up to `MAX_DEPTH` levels. Returns undefined if a part has an unknown notation. */
function readTree(tree: Tree, type: ValueType): JsonObject | undefined {
  const entries: [string, JsonValue][] = []
  for (const [key, inner] of tree) {
    const own = memberType(type, key)
    // Only the server knows what a key means in a value that isn't an object, such as a list index.
    const isObject = own?.kinds?.has("object") === true
    const value = Array.isArray(inner) ? readLeaf(inner, own) : isObject ? readTree(inner, own) : undefined
    if (value === undefined) return undefined
    entries.push([key, value])
  }
  return Object.fromEntries(entries)
}

function readLeaf(texts: readonly string[], type: ValueType | undefined): JsonValue | undefined {
  if (type?.kinds === undefined) return texts.length === 1 ? texts[0] : undefined
  if (type.kinds.has("object")) return undefined
  if (!type.kinds.has("array")) return scalarReadings(texts.at(-1) ?? "", type)[0]
  return listReadings(texts, type)[0]
}

/** The query by name. Values stay percent-encoded, because an encoded delimiter might not separate items. */
export type RawQuery = ReadonlyMap<string, readonly string[]>

export function readQuery(url: string): RawQuery {
  const query = new Map<string, string[]>()
  const from = url.indexOf("?")
  if (from === -1) return query
  for (const pair of url.slice(from + 1).split("&")) {
    if (pair === "") continue
    const cut = pair.indexOf("=")
    const name = decode(cut === -1 ? pair : pair.slice(0, cut))
    const value = cut === -1 ? "" : pair.slice(cut + 1)
    getOrCreate(query, name, () => []).push(value)
  }
  return query
}

/** Decodes text. Returns it unchanged if it isn't percent-encoded UTF-8. */
export const decode = (text: string): string => (text.includes("%") ? (decodePercent(text) ?? text) : text)

/** Finds the raw values of path parameters in a URL. Returns undefined if the path doesn't match the template. */
export type PathReader = (url: string) => ReadonlyMap<string, string> | undefined

export function createPathReader(template: string): PathReader {
  const path = template.replace(/\?.*/s, "").replace(/^\/+/, "")
  const segments = parsePathTemplate(path).segments.map(readSegment)
  return (url) => {
    const path = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? ""
    const received = path.split("/")
    if (received.length <= segments.length) return undefined
    const values = new Map<string, string>()
    for (const [index, { names, pattern }] of segments.entries()) {
      const match = pattern.exec(received[received.length - segments.length + index] ?? "")
      if (match === null) return undefined
      names.forEach((name, at) => values.set(name, match[at + 1] ?? ""))
    }
    return values
  }
}

/** The maximum number of parameters in a segment. With more, the pattern would be slow and the result ambiguous. */
const MAX_OF_SEGMENT = 3

/** Creates a reader of one segment. `parts` has literals at even indexes and names at odd ones. */
function readSegment(parts: readonly string[]) {
  const names = parts.filter((_, index) => index % 2 === 1)
  if (names.length > MAX_OF_SEGMENT) return { names: [], pattern: /^/ }
  const source = parts.map((part, index) => (index % 2 === 1 ? "(.*)" : escapePattern(part)))
  return { names, pattern: new RegExp(`^${source.join("")}$`) }
}
