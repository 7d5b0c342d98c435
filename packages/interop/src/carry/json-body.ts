// Reads the text of a JSON body that contains variables, inside strings or in place of values.

import {
  isJsonArray,
  isJsonObject,
  ownOf,
  parseJson,
  setOwn,
  type JsonObject,
  type JsonValue,
} from "@callsheet/format"
import { hasVariables, onlyVariable, type Text } from "../text.ts"

/** Marks a string as a variable in place of a value: `{"id": {{id}}}`. */
const UNQUOTED = "\ue002"

/** Returns the value, whose strings are texts. Undefined if it isn't JSON, or if a key contains a variable. */
export function readJsonBody(text: Text): JsonValue | undefined {
  const quoted = text.replaceAll(/"(?:\\[^]?|[^"\\])*(?:"|$)|\ue000[^\ue001]*\ue001/g, (part) =>
    part.startsWith('"') ? part : `"${UNQUOTED}${part}"`,
  )
  const parsed = parseJson(quoted)
  return parsed.ok && !hasVariableKey(parsed.value) ? parsed.value : undefined
}

function hasVariableKey(value: JsonValue): boolean {
  const work = [value]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (isJsonArray(item)) for (const inner of item) work.push(inner)
    else if (isJsonObject(item)) {
      if (Object.keys(item).some((key) => hasVariables(key) || key.includes(UNQUOTED))) return true
      for (const inner of Object.values(item)) work.push(inner)
    }
  }
  return false
}

export interface JsonUses {
  /** The variables in place of a value. */
  readonly unquoted: readonly string[]
  /** The variables that are a whole string. */
  readonly quoted: readonly string[]
}

export function usesIn(value: JsonValue): JsonUses {
  const unquoted: string[] = []
  const quoted: string[] = []
  mapStrings(value, (text) => {
    const name = onlyVariable(text.replace(UNQUOTED, ""))
    if (name !== undefined) (text.startsWith(UNQUOTED) ? unquoted : quoted).push(name)
    return text
  })
  return { unquoted, quoted }
}

interface Frame {
  readonly from: JsonObject | readonly JsonValue[]
  readonly keys: readonly string[] | undefined
  readonly to: JsonValue[] | Record<string, JsonValue>
  /** The name of the innermost member around the values of a list. */
  readonly name: string
  at: number
}

const frameOf = (from: JsonObject | readonly JsonValue[], name: string): Frame =>
  isJsonArray(from)
    ? { from, keys: undefined, to: [], name, at: 0 }
    : { from, keys: Object.keys(from), to: {}, name, at: 0 }

/**
 * Converts every string, in the order of the text. `key` is the name of the innermost member. Iterative, because a body
 * may nest deeper than the stack.
 */
export function mapStrings(
  value: JsonValue,
  convert: (text: Text, key: string) => string,
  key = "",
): JsonValue {
  if (typeof value === "string") return convert(value, key)
  if (typeof value !== "object" || value === null) return value
  const root = frameOf(value, key)
  const frames = [root]
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const { from, keys, to } = frame
    const at = frame.at++
    if (at >= (keys ?? (from as readonly JsonValue[])).length) {
      frames.pop()
      continue
    }
    const name = keys?.[at] ?? frame.name
    const inner = keys === undefined ? (from as readonly JsonValue[])[at] : ownOf(from as JsonObject, name)
    const isScalar = typeof inner !== "object" || inner === null
    const next = isScalar ? undefined : frameOf(inner, name)
    const converted = next?.to ?? (typeof inner === "string" ? convert(inner, name) : (inner ?? null))
    if (isJsonArray(to)) to.push(converted)
    else setOwn(to, name, converted)
    if (next !== undefined) frames.push(next)
  }
  return root.to
}

/** Converts every key. A script can't write a value that nests deeper than the stack. */
export function mapKeys(value: JsonValue, convert: (key: string) => string): JsonValue {
  if (isJsonArray(value)) return value.map((item) => mapKeys(item, convert))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [convert(key), mapKeys(inner, convert)]),
  )
}

export const withoutMark = (text: Text): Text => text.replace(UNQUOTED, "")
