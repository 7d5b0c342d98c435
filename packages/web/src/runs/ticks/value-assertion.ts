// Assertions on the ticked values of a response, before a block has them. Pure.

import {
  comparingOperators,
  essence,
  isJsonArray,
  isJsonObject,
  parseEdited,
  stringifyJson,
  type JsonValue,
  type OperatorName,
} from "@callsheet/format"
import { isComparable } from "../../kinds/values/value-edits.ts"
import type { Steps } from "./use-ticks.ts"

/** An assertion on a value of a result, whose block may not exist yet. */
export interface ValueAssertion {
  /** The steps after the block's id: `["response", "body", "id"]`. */
  readonly steps: Steps
  readonly operator: OperatorName
  readonly value?: JsonValue | undefined
}

export interface Expectation {
  readonly operator: OperatorName
  /** The expected value as JSON. */
  readonly text: string
}

export const isComparing = (operator: OperatorName): boolean =>
  comparingOperators.some((one) => one === operator)

/** Returns what to expect of a value until the user says otherwise. */
export function firstExpectation(steps: Steps, value: JsonValue): Expectation {
  // The real value is different from a masked one. The members of an object or of a list of objects often change.
  if (!isComparable(value) || isJsonObject(value)) return exists
  if (isJsonArray(value) && value.some((item) => isJsonObject(item) || isJsonArray(item))) return exists
  const [part, member, name] = steps
  if (part === "response" && member === "durationMs" && typeof value === "number")
    return { operator: "lessThan", text: String(timeLimit(value)) }
  if (part === "response" && member === "headers" && name === "content-type" && typeof value === "string")
    return { operator: "contains", text: stringifyJson(essence(value)) }
  return { operator: "equals", text: stringifyJson(value) }
}

const exists: Expectation = { operator: "exists", text: "" }

/** In milliseconds. A response may take twice as long as it did. */
const timeLimit = (durationMs: number): number =>
  [500, 1_000, 2_000, 5_000, 10_000, 30_000].find((limit) => limit >= durationMs * 2) ??
  Math.ceil((durationMs * 2) / 60_000) * 60_000

/** Returns undefined if the expected value is not valid JSON. */
export function assertionOf(steps: Steps, { operator, text }: Expectation): ValueAssertion | undefined {
  if (!isComparing(operator)) return { steps, operator }
  const parsed = parseEdited(text)
  return parsed.ok ? { steps, operator, value: parsed.value } : undefined
}
