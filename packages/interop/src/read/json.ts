// Reads members of parsed JSON whose types are not known. A member of another type counts as missing.

import { isJsonArray, isJsonObject, ownOf, type JsonObject, type JsonValue } from "@callsheet/format"

export const member = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? ownOf(value, key) : undefined

export function text(value: JsonValue | undefined, key: string): string | undefined {
  const found = member(value, key)
  if (typeof found === "string") return found
  return typeof found === "number" || typeof found === "bigint" || typeof found === "boolean"
    ? String(found)
    : undefined
}

export function list(value: JsonValue | undefined, key: string): readonly JsonValue[] {
  const found = member(value, key)
  return isJsonArray(found) ? found : []
}

export function object(value: JsonValue | undefined, key: string): JsonObject | undefined {
  const found = member(value, key)
  return isJsonObject(found) ? found : undefined
}

export const isTrue = (value: JsonValue | undefined, key: string): boolean => member(value, key) === true
