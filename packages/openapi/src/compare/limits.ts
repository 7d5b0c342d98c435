// The limits of a schema, such as `maxLength`, in one spelling for every version.

import { isNumber, type JsonObject, type JsonValue } from "@callsheet/format"
import type { LimitFacts } from "./change.ts"

/** The limits by keyword. */
export type Limits = ReadonlyMap<string, JsonValue>

const lowerLimits = ["minLength", "minItems", "minProperties"] as const
const upperLimits = ["maxLength", "maxItems", "maxProperties"] as const

/** Merges the limits of schemas that all apply. The stricter one counts. */
export function readLimits(schemas: readonly JsonObject[], types: ReadonlySet<string> | undefined): Limits {
  const limits = new Map<string, JsonValue>()
  const keep = (
    keyword: string,
    value: JsonValue | undefined,
    isStricter: (than: JsonValue) => boolean,
  ): void => {
    const known = limits.get(keyword)
    if (value !== undefined && (known === undefined || isStricter(known))) limits.set(keyword, value)
  }
  for (const schema of schemas) {
    for (const keyword of lowerLimits) {
      const value = numberAt(schema, keyword)
      if (value !== 0) keep(keyword, value, (than) => Number(than) < Number(value))
    }
    for (const keyword of upperLimits) {
      const value = numberAt(schema, keyword)
      keep(keyword, value, (than) => Number(than) > Number(value))
    }
    keep("multipleOf", numberAt(schema, "multipleOf"), () => false)
    if (schema["uniqueItems"] === true) limits.set("uniqueItems", true)
    keep("pattern", typeof schema["pattern"] === "string" ? schema["pattern"] : undefined, () => false)
  }
  const isWhole = types?.size === 1 && types.has("integer")
  for (const bound of ["minimum", "maximum"] as const) {
    const found = strictest(schemas, bound, isWhole)
    if (found !== undefined) limits.set(found.keyword, found.value)
  }
  return limits
}

const numberAt = (schema: JsonObject, keyword: string): number | bigint | undefined => {
  const value = schema[keyword] // own key
  return isNumber(value) ? value : undefined
}

interface Bound {
  readonly keyword: string
  readonly value: number | bigint
}

/** Returns the strictest bound. For integers, an exclusive bound is the next integer. */
function strictest(
  schemas: readonly JsonObject[],
  bound: "minimum" | "maximum",
  isWhole: boolean,
): Bound | undefined {
  const exclusive = bound === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum"
  const found = schemas.flatMap((schema): readonly Bound[] => {
    const value = numberAt(schema, bound)
    const strict = schema[exclusive] === true ? value : numberAt(schema, exclusive)
    const own = value === undefined || schema[exclusive] === true ? [] : [{ keyword: bound, value }]
    return strict === undefined ? own : [...own, { keyword: exclusive, value: strict }]
  })
  const direction = bound === "minimum" ? 1 : -1
  const written = found.map((one) =>
    isWhole && one.keyword === exclusive && Number.isInteger(Number(one.value))
      ? { keyword: bound, value: Number(one.value) + direction }
      : one,
  )
  const rank = (one: Bound): number => direction * Number(one.value)
  return written.toSorted(
    (one, other) =>
      rank(other) - rank(one) || Number(other.keyword === exclusive) - Number(one.keyword === exclusive),
  )[0]
}

/** Keywords of which a schema has only one after merging. */
const groups: readonly (readonly string[])[] = [
  ["minimum", "exclusiveMinimum"],
  ["maximum", "exclusiveMaximum"],
  ...[...lowerLimits, ...upperLimits, "multipleOf", "uniqueItems", "pattern"].map((keyword) => [keyword]),
]

export function compareLimits(before: Limits, after: Limits): readonly LimitFacts[] {
  return groups.flatMap((group) => {
    const one = group.find((keyword) => before.has(keyword))
    const other = group.find((keyword) => after.has(keyword))
    const from = before.get(one ?? "")
    const to = after.get(other ?? "")
    const isEqual = from === to || (isNumber(from) && isNumber(to) && Number(from) === Number(to))
    if (one === other && isEqual) return []
    const keyword = other ?? one ?? ""
    return [{ keyword, from, to, effect: effectOf({ one, other, from, to }) }]
  })
}

interface Compared {
  readonly one: string | undefined
  readonly other: string | undefined
  readonly from: JsonValue | undefined
  readonly to: JsonValue | undefined
}

function effectOf({ one, other, from, to }: Compared): LimitFacts["effect"] {
  if (from === undefined) return "narrows"
  if (to === undefined) return "widens"
  if (!isNumber(from) || !isNumber(to) || one === undefined || other === undefined) return "shifts"
  if (one === "multipleOf") {
    if (Number(to) % Number(from) === 0) return "narrows"
    return Number(from) % Number(to) === 0 ? "widens" : "shifts"
  }
  const rise = Number(to) - Number(from)
  if (rise === 0) return other.startsWith("exclusive") ? "narrows" : "widens"
  return rise > 0 === /^(?:min|exclusiveMin)/.test(one) ? "narrows" : "widens"
}
