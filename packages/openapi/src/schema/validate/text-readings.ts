// A text -> the values of its schema's type that it may stand for. What cannot be read is not judged.

import { type JsonValue, memberType, memo, parseJson, unknownType, type ValueType } from "@callsheet/format"
import type { Part } from "../../document/part.ts"
import { schemaType } from "../types/schema-type.ts"
import { isNumber } from "./exact-keywords.ts"

export interface HeaderOrBody {
  readonly text: string
  /** Lists are written with commas in headers alone (style `simple`). */
  readonly isHeader: boolean
}

/** The readings of a header or a body of text; none where the way of writing such a value is not known. */
export function textReadings(schema: Part, { text, isHeader }: HeaderOrBody): readonly JsonValue[] {
  const type = typeOf(schema)
  const scalars = type.kinds === undefined || hasScalars(type.kinds) ? scalarReadings(text, type) : []
  if (!isHeader || type.kinds?.has("array") !== true) return scalars
  const items = text.split(",").map((item) => item.trim())
  return [...listReadings(items, type), ...scalars]
}

/** By the schema as its owner keeps it: it is looked at once for all texts. */
const typeOf = memo((schema: Part) => schemaType(schema, "response"))

export const hasScalars = (kinds: NonNullable<ValueType["kinds"]>): boolean =>
  [...kinds].some((kind) => kind !== "array" && kind !== "object")

/** Never none: a text that is no number where a number is documented is still what came. */
export function scalarReadings(text: string, { kinds }: Pick<ValueType, "kinds">): Readings {
  const readings: JsonValue[] = []
  const may = (kind: "number" | "boolean" | "null" | "string"): boolean => kinds?.has(kind) ?? true
  if (may("number")) {
    const parsed = parseJson(text)
    if (parsed.ok && isNumber(parsed.value)) readings.push(parsed.value)
  }
  if (may("boolean") && (text === "true" || text === "false")) readings.push(text === "true")
  if (may("null") && text === "") readings.push(null)
  // Of what may be anything a text says most.
  if (kinds === undefined) readings.unshift(text)
  else if (may("string")) readings.push(text)
  const [first = text, ...others] = readings
  return [first, ...others]
}

/** The likeliest first. */
type Readings = readonly [JsonValue, ...JsonValue[]]

/** The first reading of each of several texts and, where some text has another, the last ones. None of lists and objects in a list. */
export function listReadings(texts: readonly string[], list: ValueType): readonly (readonly JsonValue[])[] {
  const itemType = (index: number) => memberType(list, String(index)) ?? unknownType
  const { kinds } = itemType(0)
  if (kinds?.has("array") === true || kinds?.has("object") === true) return []
  const readings = texts.map((text, index) => scalarReadings(text, itemType(index)))
  const first = readings.map(([one]) => one)
  return readings.some((one) => one.length > 1) ? [first, readings.flatMap((one) => one.slice(-1))] : [first]
}
