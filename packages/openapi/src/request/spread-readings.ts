// An object that is a parameter under several names, `filter[state]` or the names of its properties -> its value.

import { memberType, unknownType, type JsonObject, type JsonValue, type ValueType } from "@callsheet/format"
import { readMembers } from "./styled-readings.ts"
import { listReadings, scalarReadings } from "./text-readings.ts"
import { decode, type RawQuery } from "./wire-query.ts"

/** `undefined` of a value that came and cannot be read. */
interface SpreadReading {
  readonly value: JsonObject | undefined
  /** Everything that it was read from. */
  readonly texts: readonly string[]
}

/** An exploded object of the style `form`; undefined where none of its properties came. */
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

/** More than this would recurse deep, and no schema asks for it. */
const MAX_DEPTH = 10

/** A tree of members and, where they end, texts. */
type Tree = Map<string, Tree | string[]>

/** `name[key]`, and `name[key][key]` of an object in it; undefined where nothing of that name came. */
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

/** `[a][b]` -> a, b. Undefined of anything else. */
function keysOf(brackets: string): readonly string[] | undefined {
  if (!/^(?:\[[^[\]]+\])+$/.test(brackets)) return undefined
  const keys = brackets.slice(1, -1).split("][")
  return keys.length > MAX_DEPTH ? undefined : keys
}

/** Whether there was a place for it: a member is one value or holds others, and never both. */
function plant(tree: Tree, keys: readonly string[], texts: string[]): boolean {
  let here = tree
  for (const key of keys.slice(0, -1)) {
    const next = here.get(key) ?? new Map<string, Tree | string[]>()
    if (Array.isArray(next)) return false
    here.set(key, next)
    here = next
  }
  const [last = ""] = keys.slice(-1)
  if (here.has(last)) return false
  here.set(last, texts)
  return true
}

/** Undefined where something in it is written in a way that is not known. As deep as `MAX_DEPTH`. */
function readTree(tree: Tree, type: ValueType): JsonObject | undefined {
  const entries: [string, JsonValue][] = []
  for (const [key, inner] of tree) {
    const own = memberType(type, key)
    const value = Array.isArray(inner) ? readLeaf(inner, own) : readBranch(inner, own)
    if (value === undefined) return undefined
    entries.push([key, value])
  }
  return Object.fromEntries(entries)
}

/** Members of what is no object, such as indices into a list, are some server's own way. */
const readBranch = (tree: Tree, type: ValueType | undefined): JsonObject | undefined =>
  type?.kinds?.has("object") === true ? readTree(tree, type) : undefined

function readLeaf(texts: readonly string[], type: ValueType | undefined): JsonValue | undefined {
  if (type?.kinds === undefined) return texts.length === 1 ? texts[0] : undefined
  if (type.kinds.has("object")) return undefined
  if (!type.kinds.has("array")) return scalarReadings(texts.at(-1) ?? "", type)[0]
  return listReadings(texts, (index) => memberType(type, String(index)) ?? unknownType)[0]
}
