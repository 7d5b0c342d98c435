// Defaults of inputs: parses them, and converts them to another type. Pure.

import { coerceText, type JsonValue, type ScalarType } from "@callsheet/format"

const isType = (type: unknown): type is ScalarType =>
  type === "string" || type === "number" || type === "boolean"

/** Parses the text as the type. Undefined if it isn't valid. */
export function defaultOf(text: string, type: JsonValue | undefined): JsonValue | undefined {
  if (!isType(type)) return text
  const value = coerceText(text, type)
  return value ?? undefined
}

/** Converts a default to another type. Undefined if its text isn't valid there. */
export function retyped(value: JsonValue | undefined, type: string): JsonValue | undefined {
  if (value === undefined || typeof value === type || !isType(type)) return value
  return defaultOf(typeof value === "string" ? value : JSON.stringify(value), type)
}
