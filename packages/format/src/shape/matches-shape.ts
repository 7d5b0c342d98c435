// Tells quickly whether a value has a shape, without saying why not. A record may contain millions of events.
// `checkShape` decides about everything that this check does not accept.

import { isJsonArray, isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import { memo } from "../memo.ts"
import { checkShape } from "./check-shape.ts"
import type { NumberShape, ObjectShape, Shape } from "./shape.ts"

type Matcher = (value: JsonValue) => boolean

/** Returns a function that is true only for values in which `checkShape` finds nothing. */
export function createMatcher<T>(shape: Shape<T>): (value: JsonValue) => value is JsonValue & T {
  return matcherOf(shape) as (value: JsonValue) => value is JsonValue & T
}

const matcherOf: (shape: Shape) => Matcher = memo((shape: Shape): Matcher => {
  switch (shape.is) {
    case "any":
      return () => true
    case "string": {
      const { check } = shape
      return (value) => typeof value === "string" && check?.(value) === undefined
    }
    case "number":
      return (value) => typeof value === "number" && isInRange(value, shape)
    case "enum": {
      const values: ReadonlySet<unknown> = new Set(shape.values)
      return (value) => values.has(value)
    }
    case "array": {
      const matches = matcherOf(shape.items())
      return (value) => isJsonArray(value) && value.every(matches)
    }
    case "map": {
      const matches = matcherOf(shape.values)
      if (shape.checkKey !== undefined) break
      return (value) => isJsonObject(value) && Object.values(value).every(matches)
    }
    case "either": {
      const matchers = shape.of.map(matcherOf)
      return (value) => matchers.some((matches) => matches(value))
    }
    case "object":
      if (shape.rules.length === 0 && shape.others?.are === "values" && shape.others.shape.is === "any")
        return objectMatcher(shape)
  }
  return (value) => checkShape(shape, value).length === 0
})

const isInRange = (
  value: number,
  { integer, minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity }: NumberShape,
): boolean =>
  (integer !== true || Number.isInteger(value)) &&
  value >= minimum &&
  value > exclusiveMinimum &&
  value <= maximum

function objectMatcher({ fields }: ObjectShape): Matcher {
  const members = Object.entries(fields).map(
    ([key, { shape, required }]) => ({ key, required, matches: matcherOf(shape) }) as const,
  )
  return (value) => {
    if (!isJsonObject(value)) return false
    for (const { key, required, matches } of members) {
      const member = ownOf(value, key)
      if (member === undefined ? required : !matches(member)) return false
    }
    return true
  }
}
