// The checks of `ctx.expect` in scripts, one row each. Their results are assertions, so reports, records and the app treat
// both alike.

import { describeType, isJsonArray, isNumber, ownOf, type JsonValue } from "../json/value.ts"
import { isEqual } from "./equal.ts"
import { operators, type OperatorName } from "./operators.ts"

/** A string says that the value can't be checked, so that neither the check nor its opposite holds. */
type Verdict = boolean | string

/** The value that a check compares with. */
type Argument = "value" | "number" | "range" | "type" | "list" | "date" | "pattern" | "schema"

interface Check {
  /** The words between source and value in a message, and with `not`. */
  readonly phrase: readonly [string, string]
  /** The words before the expected value in a report. */
  readonly lead: string
  readonly takes: Argument
  /** Returns whether the check holds. `pattern` and `schema` are decided elsewhere. */
  readonly holds?: (value: JsonValue, expected: JsonValue) => Verdict
}

export const jsonTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const

const compareNumbers =
  (holds: (value: number | bigint, limits: readonly (number | bigint)[]) => boolean) =>
  (value: JsonValue, expected: JsonValue): Verdict =>
    isNumber(value)
      ? holds(value, (isJsonArray(expected) ? expected : [expected]).filter(isNumber))
      : `the value is ${describeType(value)}, not a number`

const compareDates =
  (holds: (time: number, limit: number) => boolean) =>
  (value: JsonValue, expected: JsonValue): Verdict => {
    const time = readDate(value)
    return time === undefined
      ? `the value is ${typeof value === "string" ? "a text that is" : `${describeType(value)},`} not a date`
      : holds(time, readDate(expected) ?? NaN)
  }

export const checks = {
  toEqual: { phrase: ["equals", "does not equal"], lead: "", takes: "value", holds: isEqual },
  toContain: {
    phrase: ["contains", "does not contain"],
    lead: "a value that contains ",
    takes: "value",
    holds: (value, expected) => {
      if (isJsonArray(value)) return value.some((item) => isEqual(item, expected))
      if (typeof value !== "string")
        return `the value is ${describeType(value)}, neither a string nor an array`
      return typeof expected === "string"
        ? value.includes(expected)
        : `the value is a string, so toContain expects a string; received ${describeType(expected)}`
    },
  },
  toMatch: { phrase: ["matches", "does not match"], lead: "a text that matches ", takes: "pattern" },
  toHaveLength: {
    phrase: ["has the length", "does not have the length"],
    lead: "the length ",
    takes: "number",
    holds: (value, expected) =>
      typeof value === "string" || isJsonArray(value)
        ? value.length === expected
        : `the value is ${describeType(value)}, which has no length`,
  },
  toBeAtLeast: {
    phrase: ["is at least", "is not at least"],
    lead: "at least ",
    takes: "number",
    holds: compareNumbers((value, [limit = NaN]) => value >= limit),
  },
  toBeAtMost: {
    phrase: ["is at most", "is not at most"],
    lead: "at most ",
    takes: "number",
    holds: compareNumbers((value, [limit = NaN]) => value <= limit),
  },
  toBeBetween: {
    phrase: ["is between", "is not between"],
    lead: "a number from the first to the second of ",
    takes: "range",
    holds: compareNumbers((value, [low = NaN, high = NaN]) => value >= low && value <= high),
  },
  toBeType: {
    phrase: ["is of the type", "is not of the type"],
    lead: "a value of the type ",
    takes: "type",
    holds: (value, expected) => typesOf(value).some((type) => type === expected),
  },
  toBeOneOf: {
    phrase: ["is one of", "is not one of"],
    lead: "one of ",
    takes: "list",
    holds: (value, expected) => isJsonArray(expected) && expected.some((item) => isEqual(value, item)),
  },
  toBeBefore: {
    phrase: ["is before", "is not before"],
    lead: "a date before ",
    takes: "date",
    holds: compareDates((time, limit) => time < limit),
  },
  toBeAfter: {
    phrase: ["is after", "is not after"],
    lead: "a date after ",
    takes: "date",
    holds: compareDates((time, limit) => time > limit),
  },
  toMatchSchema: {
    phrase: ["matches the schema", "does not match the schema"],
    lead: "a value that matches the schema ",
    takes: "schema",
  },
} as const satisfies Readonly<Record<string, Check>>

export type CheckName = keyof typeof checks
/** The operator of an assertion that a script made. */
export type ScriptOperator = CheckName | `not.${CheckName}`

export const checkNames = Object.keys(checks) as readonly CheckName[]

export const isCheckName = (name: string): name is CheckName => Object.hasOwn(checks, name)

/** Returns whether a check of `ctx.expect` holds. `decided` is the verdict of a pattern or a schema. */
export function judge(
  name: CheckName,
  value: JsonValue,
  { expected, decided }: { readonly expected: JsonValue; readonly decided?: Verdict | undefined },
): Verdict {
  const check: Check = checks[name]
  return decided ?? check.holds?.(value, expected) ?? false
}

interface OperatorWords {
  readonly phrase: string
  readonly takesValue: boolean
  /** The words before the expected value in a report, or instead of it. */
  readonly lead: string
}

/** Returns the words of an assertion's operator, whether a file or a script made the assertion. */
export function wordsOf(operator: OperatorName | ScriptOperator): OperatorWords {
  const isNot = operator.startsWith("not.")
  const name = isNot ? operator.slice("not.".length) : operator
  // A newer version may have written the record that contains the operator.
  if (!isCheckName(name)) return ownOf(operators, name) ?? { phrase: name, takesValue: true, lead: "" }
  const { phrase, lead } = checks[name]
  return { phrase: phrase[isNot ? 1 : 0], takesValue: true, lead: `${isNot ? "anything but " : ""}${lead}` }
}

/** Returns whether an operator compares two whole values, so that a report can show where they differ. */
export const isEquality = (operator: OperatorName | ScriptOperator): boolean =>
  operator === "equals" || operator === "toEqual"

function typesOf(value: JsonValue): readonly (typeof jsonTypes)[number][] {
  if (value === null) return ["null"]
  if (isJsonArray(value)) return ["array"]
  if (typeof value === "object") return ["object"]
  if (typeof value === "string") return ["string"]
  if (typeof value === "boolean") return ["boolean"]
  return typeof value === "bigint" || Number.isInteger(value) ? ["number", "integer"] : ["number"]
}

/** ISO 8601 as in RFC 3339, with or without a time, and the dates of HTTP headers. `Date.parse` accepts much more. */
const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})?)?$/
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Returns the time of a date, in milliseconds since 1970. A time without a zone is in UTC. */
export function readDate(value: JsonValue): number | undefined {
  if (typeof value !== "string") return undefined
  const [, year, month, day] = isoDate.exec(value) ?? []
  const text = year === undefined || /[Zz]$|[+-]\d{2}:?\d{2}$|^.{10}$/.test(value) ? value : `${value}Z`
  if (year === undefined && !httpDate.test(value)) return undefined
  // 30 February would become a day in March.
  if (
    year !== undefined &&
    new Date(Date.UTC(+year, Number(month) - 1, Number(day))).getUTCDate() !== Number(day)
  )
    return undefined
  const time = Date.parse(text.replace(/^(.{10}) /, "$1T"))
  return Number.isNaN(time) ? undefined : time
}
