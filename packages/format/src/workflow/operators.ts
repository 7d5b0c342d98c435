// The nine assertion operators, one row each. The checker, the engine, the editor, the exports and the docs read this table.

import { describeType, isJsonArray, isNumber, type JsonValue } from "../json/value.ts"
import { isEqual } from "./equal.ts"
import type { Resolution } from "./path.ts"
import type { Assertion, Comparison } from "./types.ts"

interface Operator {
  readonly summary: string
  /** The words between source and value in a message: `status equals 200`. */
  readonly phrase: string
  /** The words before the expected value in a report, or instead of it. */
  readonly lead: string
  /** What other tools call it. */
  readonly otherWords: readonly string[]
  /** True if `value` is required. Otherwise, it is ignored. */
  readonly takesValue: boolean
  /** Returns whether the operator holds. `expected` is null if the operator takes no value. */
  readonly holds: (source: Resolution, expected: JsonValue) => boolean
  /** Its sign in a condition of Arazzo, and the opposite. Undefined if Arazzo says it in another way or not at all. */
  readonly arazzo: readonly [passes: string, fails: string] | undefined
  /** The chain after `expect()` in a script of Postman. */
  readonly postman: string
  /** A function of a k6 script. `value` is undefined if the source does not resolve. */
  readonly k6: string
}

const found = (source: Resolution, test: (value: JsonValue) => boolean): boolean =>
  source.found && test(source.value)

export const operators = {
  equals: {
    summary: "Deep-equal, arrays and objects included.",
    phrase: "equals",
    lead: "",
    otherWords: ["eq", "==", "===", "=", "equal", "is", "toBe", "toEqual"],
    takesValue: true,
    holds: (source, expected) => found(source, (value) => isEqual(value, expected)),
    arazzo: ["==", "!="],
    postman: "to.eql",
    k6: "same",
  },
  notEquals: {
    summary: "Not deep-equal; also passes if the source does not resolve.",
    phrase: "does not equal",
    lead: "anything but ",
    otherWords: ["ne", "neq", "!=", "!==", "<>", "notEqual", "isNot"],
    takesValue: true,
    holds: (source, expected) => !found(source, (value) => isEqual(value, expected)),
    arazzo: ["!=", "=="],
    postman: "to.not.eql",
    k6: "(value, expected) => !same(value, expected)",
  },
  exists: {
    summary: "The source path resolves. A key whose value is null exists.",
    phrase: "exists",
    lead: "something",
    otherWords: ["isDefined", "defined", "present"],
    takesValue: false,
    holds: (source) => source.found,
    arazzo: undefined,
    postman: "to.not.be.undefined",
    k6: "(value) => value !== undefined",
  },
  notExists: {
    summary: "The source path does not resolve.",
    phrase: "does not exist",
    lead: "nothing",
    otherWords: ["isUndefined", "undefined", "absent", "doesNotExist"],
    takesValue: false,
    holds: (source) => !source.found,
    arazzo: undefined,
    postman: "to.be.undefined",
    k6: "(value) => value === undefined",
  },
  hasValue: {
    summary: "The path resolves and the value is not null.",
    phrase: "has a value",
    lead: "a value",
    otherWords: ["isNotNull", "notNull", "notEmpty"],
    takesValue: false,
    holds: (source) => found(source, (value) => value !== null),
    arazzo: ["!=", "=="],
    postman: "to.exist",
    k6: "(value) => value !== undefined && value !== null",
  },
  hasNoValue: {
    summary: "The path does not resolve, or the value is null.",
    phrase: "has no value",
    lead: "nothing or null",
    otherWords: ["isNull", "null", "empty", "isEmpty"],
    takesValue: false,
    holds: (source) => !found(source, (value) => value !== null),
    arazzo: ["==", "!="],
    postman: "to.not.exist",
    k6: "(value) => value === undefined || value === null",
  },
  greaterThan: {
    summary: "Both sides are numbers and the source is greater.",
    phrase: "is greater than",
    lead: "more than ",
    otherWords: ["gt", ">"],
    takesValue: true,
    holds: (source, expected) =>
      found(source, (value) => isNumber(value) && isNumber(expected) && value > expected),
    arazzo: [">", "<="],
    postman: "to.be.above",
    k6: '(value, expected) => typeof value === "number" && typeof expected === "number" && value > expected',
  },
  lessThan: {
    summary: "Both sides are numbers and the source is less.",
    phrase: "is less than",
    lead: "less than ",
    otherWords: ["lt", "<"],
    takesValue: true,
    holds: (source, expected) =>
      found(source, (value) => isNumber(value) && isNumber(expected) && value < expected),
    arazzo: ["<", ">="],
    postman: "to.be.below",
    k6: '(value, expected) => typeof value === "number" && typeof expected === "number" && value < expected',
  },
  contains: {
    summary: "The source is a string containing the value, or an array that contains it.",
    phrase: "contains",
    lead: "a value that contains ",
    otherWords: ["includes", "include", "has", "contain"],
    takesValue: true,
    holds: (source, expected) =>
      found(source, (value) => {
        if (typeof value === "string") return typeof expected === "string" && value.includes(expected)
        return isJsonArray(value) && value.some((item) => isEqual(item, expected))
      }),
    arazzo: undefined,
    postman: "to.include",
    k6: `(value, expected) =>
    typeof value === "string"
      ? typeof expected === "string" && value.includes(expected)
      : Array.isArray(value) && value.some((item) => same(item, expected))`,
  },
} as const satisfies Readonly<Record<string, Operator>>

export type OperatorName = keyof typeof operators
export type ComparingOperator = {
  [O in OperatorName]: (typeof operators)[O]["takesValue"] extends true ? O : never
}[OperatorName]

export const operatorNames = Object.keys(operators) as readonly OperatorName[]

const isComparing = (operator: OperatorName): operator is ComparingOperator => operators[operator].takesValue
export const comparingOperators = operatorNames.filter(isComparing)

/** Returns whether a check can pass although its source does not resolve. */
export const passesWithoutSource = (name: OperatorName): boolean =>
  operators[name].holds({ found: false, at: 0 }, null)

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

/** The hint for a comparison of dates, which no operator makes. */
export const compareDates =
  'compare dates in an assert block with "script": ctx.expect(…).toBeBefore(date), or toBeAfter'
