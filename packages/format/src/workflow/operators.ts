// The nine assertion operators, one row each. The checker, the engine, the editor and the docs read this table.

import { describeType, isJsonArray, isNumber, type JsonValue } from "../json/value.ts"
import { isEqual } from "./equal.ts"
import type { Resolution } from "./path.ts"
import type { Assertion, Comparison } from "./types.ts"

interface Operator {
  readonly summary: string
  /** The words between source and value in a message: `status equals 200`. */
  readonly phrase: string
  /** True if `value` is required. Otherwise, it is ignored. */
  readonly takesValue: boolean
  /** Returns whether the operator holds. `expected` is null if the operator takes no value. */
  readonly holds: (source: Resolution, expected: JsonValue) => boolean
}

const found = (source: Resolution, test: (value: JsonValue) => boolean): boolean =>
  source.found && test(source.value)

export const operators = {
  equals: {
    summary: "Deep-equal, arrays and objects included.",
    phrase: "equals",
    takesValue: true,
    holds: (source, expected) => found(source, (value) => isEqual(value, expected)),
  },
  notEquals: {
    summary: "Not deep-equal; also passes if the source does not resolve.",
    phrase: "does not equal",
    takesValue: true,
    holds: (source, expected) => !found(source, (value) => isEqual(value, expected)),
  },
  exists: {
    summary: "The source path resolves. A key whose value is null exists.",
    phrase: "exists",
    takesValue: false,
    holds: (source) => source.found,
  },
  notExists: {
    summary: "The source path does not resolve.",
    phrase: "does not exist",
    takesValue: false,
    holds: (source) => !source.found,
  },
  hasValue: {
    summary: "The path resolves and the value is not null.",
    phrase: "has a value",
    takesValue: false,
    holds: (source) => found(source, (value) => value !== null),
  },
  hasNoValue: {
    summary: "The path does not resolve, or the value is null.",
    phrase: "has no value",
    takesValue: false,
    holds: (source) => !found(source, (value) => value !== null),
  },
  greaterThan: {
    summary: "Both sides are numbers and the source is greater.",
    phrase: "is greater than",
    takesValue: true,
    holds: (source, expected) =>
      found(source, (value) => isNumber(value) && isNumber(expected) && value > expected),
  },
  lessThan: {
    summary: "Both sides are numbers and the source is less.",
    phrase: "is less than",
    takesValue: true,
    holds: (source, expected) =>
      found(source, (value) => isNumber(value) && isNumber(expected) && value < expected),
  },
  contains: {
    summary: "The source is a string containing the value, or an array that contains it.",
    phrase: "contains",
    takesValue: true,
    holds: (source, expected) =>
      found(source, (value) => {
        if (typeof value === "string") return typeof expected === "string" && value.includes(expected)
        return isJsonArray(value) && value.some((item) => isEqual(item, expected))
      }),
  },
} as const satisfies Readonly<Record<string, Operator>>

export type OperatorName = keyof typeof operators
export type ComparingOperator = {
  [O in OperatorName]: (typeof operators)[O]["takesValue"] extends true ? O : never
}[OperatorName]

export const operatorNames = Object.keys(operators) as readonly OperatorName[]

const isComparing = (operator: OperatorName): operator is ComparingOperator => operators[operator].takesValue
export const comparingOperators = operatorNames.filter(isComparing)

export const isComparison = (assertion: Assertion): assertion is Comparison => isComparing(assertion.operator)

/** Returns whether an operator holds. `message` explains a source that does not resolve, or values of different types. */
export function checkOperator(name: OperatorName, source: Resolution, expected: JsonValue) {
  const operator: Operator = operators[name]
  const passed = operator.holds(source, expected)
  if (!source.found) return { passed, message: "the source does not resolve" }
  return { passed, message: passed ? undefined : explain(name, source.value, expected) }
}

function explain(name: OperatorName, actual: JsonValue, expected: JsonValue): string | undefined {
  switch (name) {
    case "greaterThan":
    case "lessThan":
      if (!isNumber(actual)) return `the source is ${describeType(actual)}, not a number${dateHint(actual)}`
      if (!isNumber(expected))
        return `the value is ${describeType(expected)}, not a number${dateHint(expected)}`
      return undefined
    case "contains":
      if (typeof actual !== "string" && !isJsonArray(actual)) {
        return `the source is ${describeType(actual)}, neither a string nor an array`
      }
      if (typeof actual === "string" && typeof expected !== "string") {
        return `the source is a string, so "contains" expects a string; received ${describeType(expected)}`
      }
      return undefined
    case "equals":
      if (describeType(actual) === describeType(expected)) return undefined
      return `expected ${describeType(expected)}, received ${describeType(actual)}`
    default:
      return undefined
  }
}

/** The start of a date in ISO 8601 or of an HTTP date. */
const date =
  /^\s*(?:[0-9]{4}-?[0-9]{2}-?[0-9]{2}(?:$|[T\s])|(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*, [0-9]{1,2}[ -])/

const dateHint = (value: JsonValue): string =>
  typeof value === "string" && date.test(value) ? `; ${compareDates}` : ""

/** What to do instead of comparing dates by an operator. */
export const compareDates =
  'compare dates in an assert block with "script": ctx.expect(…).toBeBefore(date), or toBeAfter'
