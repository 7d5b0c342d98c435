// Defaults of inputs, as they are typed and as another type would have them. Pure.

import { coerceText, type JsonValue, type ScalarType } from "@callsheet/format"

const isType = (type: unknown): type is ScalarType =>
  type === "string" || type === "number" || type === "boolean"

/** The value that a text means; undefined where it means none of the type. */
export function defaultOf(text: string, type: JsonValue | undefined): JsonValue | undefined {
  if (!isType(type)) return text
  const value = coerceText(text, type)
  return value ?? undefined
}

/** A default under another type: the same value where its text means one, else none. */
export function retyped(value: JsonValue | undefined, type: string): JsonValue | undefined {
  if (value === undefined || typeof value === type || !isType(type)) return value
  return defaultOf(typeof value === "string" ? value : JSON.stringify(value), type)
}
