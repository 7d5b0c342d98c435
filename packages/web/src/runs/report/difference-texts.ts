// The expected and received values of an assertion as text. The texts differ only where the values do.

import {
  isEquality,
  isJsonObject,
  stringifyJson,
  type AssertionView,
  type JsonValue,
  ownOf,
} from "@callsheet/format"
import { jsonPrefix } from "../response/json-prefix.ts"

interface DifferenceTexts {
  readonly expected: string
  readonly actual: string
}

/** Shorter values need no diff. */
const fewest = 80
/** A diff of longer texts would freeze the page. */
const MAX_LENGTH = 1_000_000

/** Returns undefined if the values are too small or too large, or aren't compared member by member. */
export function differenceTexts({ operator, expected, actual }: AssertionView): DifferenceTexts | undefined {
  if (!isEquality(operator) || !isContainer(expected) || !isContainer(actual)) return undefined
  if (isLarge(expected) || isLarge(actual)) return undefined
  const texts = { expected: formatValue(inOrderOf(expected, actual)), actual: formatValue(actual) }
  const length = texts.expected.length + texts.actual.length
  return length < fewest || length > MAX_LENGTH ? undefined : texts
}

/** Checks only the start of the text, because a large value takes long to serialize. */
const isLarge = (value: JsonValue): boolean => jsonPrefix(value, MAX_LENGTH).length === MAX_LENGTH

const isContainer = (value: JsonValue | undefined): value is JsonValue =>
  Array.isArray(value) || isJsonObject(value)

const formatValue = (value: JsonValue): string => `${stringifyJson(value, { indent: 2 })}\n`

/** Members below this depth keep their order. */
const deepest = 100

/** Sorts members like those of the other value, because their order makes no difference. */
function inOrderOf(value: JsonValue, other: JsonValue | undefined, depth = 0): JsonValue {
  if (depth > deepest) return value
  if (Array.isArray(value) && Array.isArray(other))
    return value.map((item, index) => inOrderOf(item, other[index], depth + 1))
  if (!isJsonObject(value) || !isJsonObject(other)) return value
  const both = Object.keys(other).filter((key) => Object.hasOwn(value, key))
  const keys = new Set([...both, ...Object.keys(value)])
  return Object.fromEntries(
    [...keys].map((key) => [key, inOrderOf(ownOf(value, key) ?? null, ownOf(other, key), depth + 1)]),
  )
}
