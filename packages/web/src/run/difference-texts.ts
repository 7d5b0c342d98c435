// The two values of an assertion as texts that differ only where the values do.

import { isJsonObject, stringifyJson, type AssertionView, type JsonValue } from "@callsheet/format"
import { jsonPrefix } from "./json-prefix.ts"

interface DifferenceTexts {
  readonly expected: string
  readonly actual: string
}

/** Shorter ones are compared at a glance. */
const fewest = 80
/** A diff of more would hold the page up. */
const most = 1_000_000

/** Undefined where the values are small, too large, or not of a kind that is compared member by member. */
export function differenceTexts({ operator, expected, actual }: AssertionView): DifferenceTexts | undefined {
  if (operator !== "equals" || !isContainer(expected) || !isContainer(actual)) return undefined
  if (isLarge(expected) || isLarge(actual)) return undefined
  const texts = { expected: textOf(inOrderOf(expected, actual)), actual: textOf(actual) }
  const length = texts.expected.length + texts.actual.length
  return length < fewest || length > most ? undefined : texts
}

/** Told by its beginning: it need not be written whole. */
const isLarge = (value: JsonValue): boolean => jsonPrefix(value, most).length === most

const isContainer = (value: JsonValue | undefined): value is JsonValue =>
  Array.isArray(value) || isJsonObject(value)

const textOf = (value: JsonValue): string => `${stringifyJson(value, { indent: 2 })}\n`

/** Deeper members keep their order. */
const deepest = 100

/** Which order members have is no difference: they stand in that of the other value. */
function inOrderOf(value: JsonValue, other: JsonValue | undefined, depth = 0): JsonValue {
  if (depth > deepest) return value
  if (Array.isArray(value) && Array.isArray(other))
    return value.map((item, index) => inOrderOf(item, other[index], depth + 1))
  if (!isJsonObject(value) || !isJsonObject(other)) return value
  const both = Object.keys(other).filter((key) => Object.hasOwn(value, key))
  const keys = new Set([...both, ...Object.keys(value)])
  return Object.fromEntries(
    [...keys].map((key) => [
      key,
      inOrderOf(value[key] ?? null, Object.hasOwn(other, key) ? other[key] : undefined, depth + 1),
    ]),
  )
}
