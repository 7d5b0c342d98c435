// What the contract promises about a response: its status, and that the fields which were sent come back.

import { formatPath, kindOf, type Assertion, type JsonValue, type ValueType } from "@callsheet/format"
import {
  responseTypes,
  successBody,
  successResponses,
  typeAt,
  type Operation,
  type Steps,
} from "@callsheet/openapi"
import type { SentField } from "./draft-parts.ts"

export function statusAssertions(id: string, operation: Operation): readonly Assertion[] {
  const source = formatPath([id, "response", "status"])
  const statuses = successResponses(operation).map(({ status }) => status)
  const [only] = statuses
  if (only === undefined || only === "default") return []
  return statuses.length === 1 && /^\d+$/.test(only)
    ? [{ source, operator: "equals", value: Number(only) }]
    : [{ source, operator: "lessThan", value: 300 }]
}

/** Any status below 500, for an operation that the state of other things may refuse. */
export const anyRefusal = (id: string): readonly Assertion[] => [
  { source: formatPath([id, "response", "status"]), operator: "lessThan", value: 500 },
]

const conflicts = new Set(["402", "409", "412", "423", "424"])

/** Returns the documented status by which an operation refuses a valid request. */
export const conflictOf = (operation: Operation): string | undefined =>
  responseTypes(operation).find(({ status }) => conflicts.has(status))?.status

/** Returns whether the document promises that an item is not found. */
export const promisesNotFound = (operation: Operation): boolean =>
  responseTypes(operation).some(({ status }) => ["404", "4XX", "default"].includes(status))

interface Comparison {
  readonly id: string
  readonly operation: Operation
  /** Where the response has the item. */
  readonly place: Steps | undefined
  readonly fields: readonly SentField[]
  /** The path of the item in an earlier response, to compare values that are new in every run. */
  readonly earlier?: Earlier | undefined
}

export interface Earlier {
  readonly path: Steps
  readonly type: ValueType | undefined
}

const MAX_ASSERTIONS = 12

/** Returns assertions that the sent fields come back, where the response documents them as the same kind of value. */
export function fieldAssertions(comparison: Comparison): readonly Assertion[] {
  const { id, operation, place, fields, earlier } = comparison
  if (place === undefined) return []
  const item = typeAt(successBody(operation), place)
  return fields
    .filter((field) => comesBack(typeAt(item, field.steps), field))
    .flatMap((field): readonly Assertion[] => {
      const { steps, value } = field
      const source = formatPath([id, "response", "body", ...place, ...steps])
      if (!isDynamic(value)) return [{ source, operator: "equals", value }]
      if (earlier === undefined || !comesBack(typeAt(earlier.type, steps), field)) return []
      return [{ source, operator: "equals", value: `{{${formatPath([...earlier.path, ...steps])}}}` }]
    })
    .slice(0, MAX_ASSERTIONS)
}

const isDynamic = (value: JsonValue): boolean => typeof value === "string" && value.includes("{{$")

/** Returns whether a response has a sent value as it was sent. Servers write times, URLs and secrets in another way. */
function comesBack(type: ValueType | undefined, { steps, value, kinds: sent }: SentField): boolean {
  if (type?.kinds === undefined) return false
  const isToken = typeof value === "string" && value.includes("{{")
  const kinds = isToken ? [...(sent ?? ["string", "number"])] : [kindOf(value)]
  if (!kinds.some((kind) => type.kinds?.has(kind))) return false
  if (!isToken && type.values !== undefined && !type.values.includes(value)) return false
  const format = type.notes?.().format ?? ""
  if (/^(?:date|time|duration|uri|url|byte|binary|password|iri)/.test(format)) return false
  return !/pass(?:word|phrase)|secret|token|pin$|cvc/i.test(steps.at(-1) ?? "")
}
