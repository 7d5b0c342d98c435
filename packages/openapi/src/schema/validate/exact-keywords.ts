// The keywords that look at numbers or compare values, exactly: integers beyond 2^53 come as bigint, and decimals count as written.

import { isEqual, isJsonArray, type JsonValue } from "@callsheet/format"
import { areDistinct } from "./find-repeated.ts"
import { formats } from "./formats.ts"

/** Takes the keyword's value and makes the test of one value. Values of other types pass. */
type KeywordTest = (schema: JsonValue) => (value: JsonValue) => boolean

/** The name under which `type` stands where it speaks of numbers: ajv's own asks `typeof x == "number"`. */
export const EXACT_TYPE = "exactType"

export const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint"

type NumberTest = (value: number | bigint) => boolean

const ofNumbers =
  (makeTest: (limit: number | bigint) => NumberTest): KeywordTest =>
  (limit) => {
    if (!isNumber(limit)) return anything
    const holds = makeTest(limit)
    return (value) => !isNumber(value) || holds(value)
  }

const anything = (): boolean => true

/** By keyword. Between a number and a bigint JavaScript compares what they are worth. */
export const exactKeywords: Readonly<Record<string, KeywordTest>> = {
  [EXACT_TYPE]: typeTest,
  minimum: ofNumbers((limit) => (value) => value >= limit),
  maximum: ofNumbers((limit) => (value) => value <= limit),
  exclusiveMinimum: ofNumbers((limit) => (value) => value > limit),
  exclusiveMaximum: ofNumbers((limit) => (value) => value < limit),
  multipleOf: ofNumbers(multipleTest),
  minLength: (least) => (value) => typeof value !== "string" || isLongEnough(value, Number(least)),
  maxLength: (most) => (value) => typeof value !== "string" || isShortEnough(value, Number(most)),
  enum: (allowed) => {
    const values = isJsonArray(allowed) ? allowed : []
    const plain = new Set<JsonValue>(values.filter((one) => typeof one !== "object" || one === null))
    // Of these two may be equal without being the same.
    const others = values.filter((one) => typeof one === "object" || isNumber(one))
    return (value) => plain.has(value) || others.some((one) => isEqual(one, value))
  },
  const: (expected) => (value) => isEqual(expected, value),
  uniqueItems: (isAsked) => (value) => isAsked !== true || !isJsonArray(value) || areDistinct(value),
  format: (name) => {
    const format = typeof name === "string" ? formats.get(name) : undefined
    return format?.holds ?? anything
  },
}

/** An integer is what has no fraction, `1.0` too. */
function typeTest(types: JsonValue): (value: JsonValue) => boolean {
  const names = new Set(isJsonArray(types) ? types : [types])
  const takesFractions = names.has("number")
  const takesIntegers = takesFractions || names.has("integer")
  return (value) => {
    switch (typeof value) {
      case "number":
        return takesFractions || (takesIntegers && Number.isInteger(value))
      case "bigint":
        return takesIntegers
      case "object":
        return names.has(value === null ? "null" : isJsonArray(value) ? "array" : "object")
      default:
        return names.has(typeof value)
    }
  }
}

// A character is one or two code units: mostly their number decides, without a look at the text.

function isShortEnough(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && characters(text) <= most)
}

function isLongEnough(text: string, least: number): boolean {
  return text.length >= least && (text.length >= 2 * least || characters(text) >= least)
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Makes the test of whether a number is a multiple of `unit`. */
export function multipleTest(unit: number | bigint): (value: number | bigint) => boolean {
  const { digits, exponent } = decimalOf(unit)
  const isHandy = digits > 0n && digits < MAX_HANDY && exponent <= 0 && exponent >= -MAX_PLACES
  const [handyDigits, scale] = isHandy ? [Number(digits), 10 ** -exponent] : [0, 0]
  return (value) => {
    if (isHandy && typeof value === "number") {
      const scaled = Math.round(value * scale)
      // A double has one name of 15 digits at most, so that a number which division brings back is written like this.
      if (Math.abs(scaled) < MAX_HANDY && scaled / scale === value) return scaled % handyDigits === 0
    }
    return isMultiple(decimalOf(value), { digits, exponent })
  }
}

const MAX_HANDY = 1e15
/** Larger powers of ten are no exact doubles. */
const MAX_PLACES = 22

/** `digits * 10 ** exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

const isMultiple = (value: Decimal, unit: Decimal): boolean =>
  unit.digits === 0n || scaleTo(value, unit.exponent) % scaleTo(unit, value.exponent) === 0n

const scaleTo = ({ digits, exponent }: Decimal, other: number): bigint =>
  digits * 10n ** BigInt(Math.max(0, exponent - other))

function decimalOf(value: number | bigint): Decimal {
  if (typeof value === "bigint") return { digits: value, exponent: 0 }
  const [mantissa = "", exponent = "0"] = String(value).split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}
