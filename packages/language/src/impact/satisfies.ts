// Decides whether a value that a project sends is still valid after a change.

import { isEqual, isJsonArray, isJsonObject, isNumber, type JsonValue, kindOf } from "@callsheet/format"
import type { Change } from "@callsheet/openapi"

/** Returns whether a known value satisfies the new document. False if that can't be decided. `isText`: of a parameter. */
export function satisfies(change: Change, value: JsonValue, isText: boolean): boolean {
  if (typeof value === "string" && value.includes("{{")) return false
  const isNumeric = change.kind === "limit-changed" && numericLimits.has(change.facts.keyword)
  const possible = meanings(value, isText).filter((meaning) => !isNumeric || !isText || isNumber(meaning))
  return possible.some((meaning) => accepts(change, meaning))
}

const numericLimits = new Set(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])

/** Returns the values that a text of a parameter may stand for. */
function meanings(value: JsonValue, isText: boolean): readonly JsonValue[] {
  if (!isText || typeof value !== "string") return [value]
  return [
    value,
    ...(/^-?\d+(?:\.\d+)?$/.test(value) ? [Number(value)] : []),
    ...(value === "true" || value === "false" ? [value === "true"] : []),
  ]
}

function accepts(change: Change, value: JsonValue): boolean {
  switch (change.kind) {
    case "enum-changed": {
      const { isOpen, wasOpen, added, removed } = change.facts
      if (isOpen) return true
      return wasOpen ? added.some((one) => isEqual(one, value)) : !removed.some((one) => isEqual(one, value))
    }
    case "type-changed": {
      const { to } = change.facts
      const kind = kindOf(value)
      return (
        to.length === 0 || to.includes(kind) || (isNumber(value) && isWhole(value) && to.includes("integer"))
      )
    }
    case "nullable-changed":
      return change.facts.nullable || value !== null
    case "limit-changed":
      return isWithin(change.facts.keyword, change.facts.to, value)
    default:
      return false
  }
}

const isWhole = (value: number | bigint): boolean => typeof value === "bigint" || Number.isInteger(value)

/** Returns whether a value is within a limit (JSON Schema 2020-12 validation, section 6). False for other keywords. */
function isWithin(keyword: string, limit: JsonValue | undefined, value: JsonValue): boolean {
  if (limit === undefined || limit === false) return true
  if (!isNumber(limit)) return false
  const size = sizeOf(keyword, value)
  // A limit of another type of value doesn't matter.
  if (size === undefined) return /^(?:min|max|exclusive|multipleOf)/.test(keyword)
  if (keyword === "multipleOf") return Number(size) % Number(limit) === 0
  if (keyword === "exclusiveMinimum") return size > limit
  if (keyword === "exclusiveMaximum") return size < limit
  return keyword.startsWith("min") ? size >= limit : size <= limit
}

function sizeOf(keyword: string, value: JsonValue): number | bigint | undefined {
  if (keyword.endsWith("Length")) return typeof value === "string" ? Array.from(value).length : undefined
  if (keyword.endsWith("Items")) return isJsonArray(value) ? value.length : undefined
  if (keyword.endsWith("Properties")) return isJsonObject(value) ? Object.keys(value).length : undefined
  return isNumber(value) ? value : undefined
}
