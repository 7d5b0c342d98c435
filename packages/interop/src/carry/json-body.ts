// Reads the text of a JSON body that contains variables, inside strings or in place of values.

import { isJsonArray, isJsonObject, parseJson, type JsonValue } from "@callsheet/format"
import { hasVariables, onlyVariable, type Text } from "../text.ts"

/** Marks a string as a variable in place of a value: `{"id": {{id}}}`. */
const UNQUOTED = "\ue002"

/** Returns the value, whose strings are texts. Undefined if it isn't JSON, or if a key contains a variable. */
export function readJsonBody(text: Text): JsonValue | undefined {
  const quoted = text.replaceAll(/"(?:\\[^]|[^"\\])*"|\ue000[^\ue001]*\ue001/g, (part) =>
    part.startsWith('"') ? part : `"${UNQUOTED}${part}"`,
  )
  const parsed = parseJson(quoted)
  return parsed.ok && !hasVariableKey(parsed.value) ? parsed.value : undefined
}

function hasVariableKey(value: JsonValue): boolean {
  const work = [value]
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (isJsonArray(item)) work.push(...item)
    else if (isJsonObject(item)) {
      if (Object.keys(item).some((key) => hasVariables(key) || key.includes(UNQUOTED))) return true
      work.push(...Object.values(item))
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

/** Converts every string. `key` is the name of the innermost member. */
export function mapStrings(
  value: JsonValue,
  convert: (text: Text, key: string) => string,
  key = "",
): JsonValue {
  if (typeof value === "string") return convert(value, key)
  if (isJsonArray(value)) return value.map((item) => mapStrings(item, convert, key))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, convert, name)]),
  )
}

export const withoutMark = (text: Text): Text => text.replace(UNQUOTED, "")
