// A text as it travels -> the values that it may stand for, by the kinds that its schema allows.

import { parseJson, type JsonValue, type ValueType } from "@callsheet/format"
import { isNumber } from "../schema/validate/exact-keywords.ts"

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

/** The first reading of each of several texts and, where some text has another, the last ones. */
export function listReadings(
  texts: readonly string[],
  itemType: (index: number) => Pick<ValueType, "kinds">,
): readonly (readonly JsonValue[])[] {
  const readings = texts.map((text, index) => scalarReadings(text, itemType(index)))
  const first = readings.map(([one]) => one)
  return readings.some((one) => one.length > 1) ? [first, readings.flatMap((one) => one.slice(-1))] : [first]
}
