// Reads text as the values that it may stand for, by the type of its schema. Doesn't check text that it can't read.

import {
  isNumber,
  type JsonValue,
  memberType,
  memo,
  parseJson,
  unknownType,
  type ValueType,
} from "@callsheet/format"
import type { Part } from "../../document/part.ts"
import { schemaType } from "../types/schema-type.ts"

/** Reads a header. Returns nothing if its type has no standard notation. */
export function headerReadings(schema: Part, text: string): readonly JsonValue[] {
  const type = typeOf(schema)
  const scalars = type.kinds === undefined || hasScalars(type.kinds) ? scalarReadings(text, type) : []
  if (type.kinds?.has("array") !== true) return scalars
  // Only headers write lists with commas (style `simple`).
  const items = text.split(",").map((item) => item.trim())
  return [...listReadings(items, type), ...scalars]
}

/** Returns the type of a schema, cached. */
const typeOf = memo((schema: Part) => schemaType(schema, "response"))

export const hasScalars = (kinds: NonNullable<ValueType["kinds"]>): boolean =>
  [...kinds].some((kind) => kind !== "array" && kind !== "object")

/** Returns the possible values of text, likeliest first. Never empty, because the text is itself a value. */
export function scalarReadings(text: string, { kinds }: Pick<ValueType, "kinds">): Readings {
  const readings: JsonValue[] = []
  const may = (kind: "number" | "boolean" | "null" | "string"): boolean => kinds?.has(kind) ?? true
  if (may("number")) {
    const parsed = parseJson(text)
    if (parsed.ok && isNumber(parsed.value)) readings.push(parsed.value)
  }
  if (may("boolean") && (text === "true" || text === "false")) readings.push(text === "true")
  if (may("null") && text === "") readings.push(null)
  // For an unknown type, the text itself is the likeliest value.
  if (kinds === undefined) readings.unshift(text)
  else if (may("string")) readings.push(text)
  const [first = text, ...others] = readings
  return [first, ...others]
}

type Readings = readonly [JsonValue, ...JsonValue[]]

/**
 * Returns the list of first readings. If any text has several, also returns the list of last readings. Skips nested
 * lists and objects.
 */
export function listReadings(texts: readonly string[], list: ValueType): readonly (readonly JsonValue[])[] {
  const itemType = (index: number) => memberType(list, String(index)) ?? unknownType
  const { kinds } = itemType(0)
  if (kinds?.has("array") === true || kinds?.has("object") === true) return []
  const readings = texts.map((text, index) => scalarReadings(text, itemType(index)))
  const first = readings.map(([one]) => one)
  return readings.some((one) => one.length > 1) ? [first, readings.flatMap((one) => one.slice(-1))] : [first]
}
