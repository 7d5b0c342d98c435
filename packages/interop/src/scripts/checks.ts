// What a source says about a response without code: checks, and variables set from it.

import { ownOf, type JsonValue, type OperatorName } from "@callsheet/format"
import { hasVariables } from "../text.ts"

/** A place in the response: `["status"]`, `["headers", "etag"]`, `["body", "items", "0"]`. */
export type ResponsePath = readonly string[]

export interface Check {
  readonly is: "check"
  /** The place in the response, or below `variable`. */
  readonly source: ResponsePath
  /** The variable that is checked instead of the response. */
  readonly variable?: string
  readonly operator: OperatorName
  /** Strings are texts, which may contain variables. */
  readonly value?: JsonValue
}

interface SetVariable {
  readonly is: "set"
  readonly variable: string
  /** The name of the result. By default, that of the variable. */
  readonly output?: string
  readonly source: ResponsePath
}

export type ResponseStep = Check | SetVariable

const comparisons: Readonly<Record<string, OperatorName>> = {
  "===": "equals",
  "==": "equals",
  "!==": "notEquals",
  "!=": "notEquals",
  "<": "lessThan",
  ">": "greaterThan",
}

/** Returns whether a place in the response can have a value. An assertion that never passes is an error of a project. */
function fits([part, ...path]: ResponsePath, value: JsonValue): boolean {
  if (part === undefined) return true
  const type = part === "headers" && path.length === 1 ? "string" : part === "body" ? undefined : "number"
  return type === undefined || typeof value === type || (typeof value === "string" && hasVariables(value))
}

/** Returns the operator and value of a comparison. Undefined if no operator of callsheet says the same. */
export function compareWith(
  source: ResponsePath,
  operator: string,
  value: JsonValue,
): { readonly operator: OperatorName; readonly value: JsonValue } | undefined {
  // A status is an integer, so that "at least 200" is "more than 199".
  const isInteger = source[0] === "status" && Number.isInteger(value)
  if (operator === ">=" && isInteger) return { operator: "greaterThan", value: Number(value) - 1 }
  if (operator === "<=" && isInteger) return { operator: "lessThan", value: Number(value) + 1 }
  const own = ownOf(comparisons, operator)
  const isOrder = own === "lessThan" || own === "greaterThan"
  if (!fits(source, value)) return undefined
  const isNumeric = typeof value === "number" || (typeof value === "string" && hasVariables(value))
  return own === undefined || (isOrder && !isNumeric) ? undefined : { operator: own, value }
}
