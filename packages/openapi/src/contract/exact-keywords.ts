// The keywords that look at numbers or compare values, exactly: integers beyond 2^53 come as bigint, and decimals count as written.

import { isEqual, isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import { formats } from "./formats.ts"

/** Takes the keyword's value and makes the test of one value. Values of other types pass. */
export type KeywordTest = (schema: JsonValue) => (value: JsonValue) => boolean

/** The name under which `type` stands where it speaks of numbers: ajv's own asks `typeof x == "number"`. */
export const EXACT_TYPE = "exactType"

export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint"

const bound =
  (holds: (value: number | bigint, limit: number | bigint) => boolean): KeywordTest =>
  (limit) =>
  (value) =>
    !isNumber(value) || !isNumber(limit) || holds(value, limit)

/** By keyword. Between a number and a bigint JavaScript compares what they are worth. */
export const exactKeywords: Readonly<Record<string, KeywordTest>> = {
  [EXACT_TYPE]: (types) => {
    const names = new Set(isJsonArray(types) ? types : [types])
    return (value) => names.has(typeNameOf(value)) || (names.has("number") && isNumber(value))
  },
  minimum: bound((value, limit) => value >= limit),
  maximum: bound((value, limit) => value <= limit),
  exclusiveMinimum: bound((value, limit) => value > limit),
  exclusiveMaximum: bound((value, limit) => value < limit),
  multipleOf: bound(isMultipleOf),
  enum: (allowed) => {
    const values = isJsonArray(allowed) ? allowed : []
    const simple = new Set<JsonValue>(values.filter((one) => typeof one !== "object" || one === null))
    return (value) => simple.has(value) || values.some((one) => isEqual(one, value))
  },
  const: (expected) => (value) => isEqual(expected, value),
  uniqueItems: (isAsked) => (value) =>
    isAsked !== true || !isJsonArray(value) || findRepeated(value) === undefined,
  format: (name) => {
    const format = typeof name === "string" ? formats.get(name) : undefined
    return (value) => format === undefined || format.holds(value)
  },
}

/** The narrowest JSON Schema type: an integer is `integer`, `1.0` too. */
function typeNameOf(value: JsonValue): string {
  if (value === null) return "null"
  if (typeof value === "object") return isJsonArray(value) ? "array" : "object"
  if (typeof value === "bigint") return "integer"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  return typeof value
}

/** In decimals, as both are written: 19.99 is a multiple of 0.01, which no division of doubles says. */
function isMultipleOf(value: number | bigint, unit: number | bigint): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(unit)) return Number(value) % Number(unit) === 0
  const [a, b] = [decimalOf(value), decimalOf(unit)]
  if (b.digits === 0n) return true
  return scale(a, b.exponent) % scale(b, a.exponent) === 0n
}

/** `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

const scale = ({ digits, exponent }: Decimal, other: number): bigint =>
  digits * 10n ** BigInt(Math.max(0, exponent - other))

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, exponent: 0 }
  const [mantissa = "", exponent = "0"] = String(value).split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** The places of the first two equal items; in time that grows with the items, not with their square. */
export function findRepeated(items: readonly JsonValue[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item)
    const first = seen.get(text)
    if (first !== undefined) return [first, index]
    seen.set(text, index)
  }
  return undefined
}

/** Equal for equal values only, whatever the order of keys and however a number is held. */
function canonicalText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(",")}]`
  if (isJsonObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key]!)}`)
    return `{${members.join(",")}}`
  }
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString()
  return typeof value === "string" ? JSON.stringify(value) : String(value)
}
