// Exact keywords for numbers and equality. Large integers are bigint, and decimals are compared digit by digit.

import {
  getOrCreate,
  isEqual,
  isJsonArray,
  isJsonObject,
  isNumber,
  type JsonArray,
  type JsonValue,
} from "@callsheet/format"
import { member } from "../../document/located.ts"
import { formats } from "./formats.ts"

/** Takes the keyword's value and returns a test of one value. Values of other types pass. */
type KeywordTest = (schema: JsonValue) => (value: JsonValue) => boolean

type NumberTest = (value: number | bigint) => boolean

const ofNumbers =
  (makeTest: (limit: number | bigint) => NumberTest): KeywordTest =>
  (limit) => {
    if (!isNumber(limit)) return anything
    const holds = makeTest(limit)
    return (value) => !isNumber(value) || holds(value)
  }

const anything = (): boolean => true

/** The tests by keyword. JavaScript compares a number and a bigint by value. */
export const exactKeywords = {
  type: typeTest,
  minimum: ofNumbers((limit) => (value) => value >= limit),
  maximum: ofNumbers((limit) => (value) => value <= limit),
  exclusiveMinimum: ofNumbers((limit) => (value) => value > limit),
  exclusiveMaximum: ofNumbers((limit) => (value) => value < limit),
  multipleOf: ofNumbers(multipleTest),
  minLength: (least) => (value) => typeof value !== "string" || isLongEnough(value, Number(least)),
  maxLength: (limit) => (value) => typeof value !== "string" || isShortEnough(value, Number(limit)),
  enum: (allowed) => {
    const values = isJsonArray(allowed) ? allowed : []
    const plain = new Set<JsonValue>(values.filter((one) => typeof one !== "object" || one === null))
    // Equal objects and numbers might not be identical, so they are compared deeply.
    const others = values.filter((one) => typeof one === "object" || isNumber(one))
    return (value) => plain.has(value) || others.some((one) => isEqual(one, value))
  },
  const: (expected) => (value) => isEqual(expected, value),
  minItems: (least) => (value) => !isJsonArray(value) || value.length >= Number(least),
  maxItems: (limit) => (value) => !isJsonArray(value) || value.length <= Number(limit),
  minProperties: (least) => (value) => !isJsonObject(value) || Object.keys(value).length >= Number(least),
  maxProperties: (limit) => (value) => !isJsonObject(value) || Object.keys(value).length <= Number(limit),
  uniqueItems: (isAsked) => (value) => isAsked !== true || !isJsonArray(value) || areDistinct(value),
  format: (name) => (typeof name === "string" ? formats.get(name)?.holds : undefined) ?? anything,
} satisfies Readonly<Record<string, KeywordTest>>

/** Tests a value's type. A number without a fraction is an integer, even `1.0`. */
export function typeTest(types: JsonValue): (value: JsonValue) => boolean {
  const [only, ...others] = [types].flat()
  if (others.length === 0) {
    if (only === "string" || only === "boolean") return (value) => typeof value === only
    if (only === "object") return isJsonObject
    if (only === "array") return isJsonArray
  }
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

// A character is one or two code units, so the number of units usually decides.

function isShortEnough(text: string, maxLength: number): boolean {
  return text.length <= maxLength || (text.length <= 2 * maxLength && characters(text) <= maxLength)
}

function isLongEnough(text: string, least: number): boolean {
  return text.length >= least && (text.length >= 2 * least || characters(text) >= least)
}

function characters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

export function multipleTest(unit: number | bigint): (value: number | bigint) => boolean {
  const { digits, exponent } = decimalOf(unit)
  const isHandy = digits > 0n && digits < MAX_HANDY && exponent <= 0 && exponent >= -MAX_PLACES
  const [handyDigits, scale] = isHandy ? [Number(digits), 10 ** -exponent] : [0, 0]
  return (value) => {
    if (isHandy && typeof value === "number") {
      const scaled = Math.round(value * scale)
      // A decimal with up to 15 digits survives as a double. If dividing restores it, `scaled` is exact.
      if (Math.abs(scaled) < MAX_HANDY && scaled / scale === value) return scaled % handyDigits === 0
    }
    return isMultiple(decimalOf(value), { digits, exponent })
  }
}

const MAX_HANDY = 1e15
/** The largest exponent of ten that a double represents exactly. */
const MAX_PLACES = 22

/** The number `digits * 10 ** exponent`. */
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

export function findRepeated(items: JsonArray): readonly [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item)
    const first = seen.get(text)
    if (first !== undefined) return [first, index]
    seen.set(text, index)
  }
  return undefined
}

/** Returns true if no two items are equal. Compares a cheap member first, such as the id. */
export function areDistinct(items: JsonArray): boolean {
  if (items.length < 2) return true
  if (items.length <= FEW && items.every((item) => typeof item === "string"))
    return items.every((item, at) => items.indexOf(item) === at)
  const areObjects = items.every(isJsonObject)
  const keys = areObjects ? Object.keys(items[0] ?? {}).slice(0, MAX_KEYS) : []
  let alike = areObjects ? [items] : likeItems(items, scalarOf)
  for (const key of keys) {
    if (alike.length === 0) return true
    alike = alike.flatMap((group) => likeItems(group, (item) => scalarOf(member(item, key))))
  }
  return alike.every((group) => findRepeated(group) === undefined)
}

/** Up to this many items, comparing all pairs is faster than building a set. */
const FEW = 8

const MAX_KEYS = 8

const structure = Symbol("array or object")

type Scalar = Exclude<JsonValue, object> | null | undefined | typeof structure

/** Groups the items by a scalar that equal items share. */
function likeItems(items: JsonArray, scalarIn: (item: JsonValue) => Scalar): readonly JsonArray[] {
  const scalars = new Set<Scalar>()
  for (const item of items) scalars.add(scalarIn(item))
  if (scalars.size === items.length) return []
  const groups = new Map<Scalar, JsonValue[]>()
  for (const item of items) getOrCreate(groups, scalarIn(item), () => []).push(item)
  return [...groups.values()].filter((group) => group.length > 1)
}

/** Returns a value to group by. Large integers may be numbers or bigints, so they become comparable text. */
function scalarOf(value: JsonValue | undefined): Scalar {
  if (typeof value === "object") return value === null ? null : structure
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? BigInt(value)
    : value
}

/** Returns the same string for equal values, regardless of key order and number type. */
function canonicalText(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(canonicalText).join(",")}]`
  if (isJsonObject(value)) {
    const members = Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalText(inner)}`)
    return `{${members.join(",")}}`
  }
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value).toString()
  return typeof value === "string" ? JSON.stringify(value) : String(value)
}
