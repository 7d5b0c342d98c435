// Reads text as the values of its schema's type that it may stand for. Text that can't be read is not checked.

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

export interface HeaderOrBody {
  readonly text: string
  /** Only headers write lists with commas (style `simple`). */
  readonly isHeader: boolean
}

/** Reads a header or a text body. Empty if there is no standard notation for such a value. */
export function textReadings(schema: Part, { text, isHeader }: HeaderOrBody): readonly JsonValue[] {
  const type = typeOf(schema)
  const scalars = type.kinds === undefined || hasScalars(type.kinds) ? scalarReadings(text, type) : []
  if (!isHeader || type.kinds?.has("array") !== true) return scalars
  const items = text.split(",").map((item) => item.trim())
  return [...listReadings(items, type), ...scalars]
}

/** Cached by schema, because it is the same for all texts. */
const typeOf = memo((schema: Part) => schemaType(schema, "response"))

export const hasScalars = (kinds: NonNullable<ValueType["kinds"]>): boolean =>
  [...kinds].some((kind) => kind !== "array" && kind !== "object")

/** Never empty: if a number is documented, text that isn't a number is still the received value. */
export function scalarReadings(text: string, { kinds }: Pick<ValueType, "kinds">): Readings {
  const readings: JsonValue[] = []
  const may = (kind: "number" | "boolean" | "null" | "string"): boolean => kinds?.has(kind) ?? true
  if (may("number")) {
    const parsed = parseJson(text)
    if (parsed.ok && isNumber(parsed.value)) readings.push(parsed.value)
  }
  if (may("boolean") && (text === "true" || text === "false")) readings.push(text === "true")
  if (may("null") && text === "") readings.push(null)
  // For an unknown type, the text itself is the likeliest reading.
  if (kinds === undefined) readings.unshift(text)
  else if (may("string")) readings.push(text)
  const [first = text, ...others] = readings
  return [first, ...others]
}

/** The likeliest first. */
type Readings = readonly [JsonValue, ...JsonValue[]]

/** Returns the first reading of each text and, if any text has several, the last ones. Not for lists or objects in a list. */
export function listReadings(texts: readonly string[], list: ValueType): readonly (readonly JsonValue[])[] {
  const itemType = (index: number) => memberType(list, String(index)) ?? unknownType
  const { kinds } = itemType(0)
  if (kinds?.has("array") === true || kinds?.has("object") === true) return []
  const readings = texts.map((text, index) => scalarReadings(text, itemType(index)))
  const first = readings.map(([one]) => one)
  return readings.some((one) => one.length > 1) ? [first, readings.flatMap((one) => one.slice(-1))] : [first]
}
