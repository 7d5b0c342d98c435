// `ctx.expect`: reads the arguments of a check and sends them to the runner, which decides it.

import { inspect, types } from "node:util"
import { checks, isCheckName, jsonTypes, readDate, type CheckName, type JsonValue } from "@callsheet/format"
import type { Expectation } from "@callsheet/sdk"
import type { ScriptCheck } from "../../../ports.ts"
import { checkResult, nameValue } from "./check-result.ts"
import { childMessages } from "./messages.ts"

export type Called = Pick<ScriptCheck, "place" | "text">
export type PlaceOf = (called: (...given: never[]) => unknown) => Called

interface ExpectTools {
  /** Decides a check. Returns the reason if it fails. */
  readonly decide: (check: ScriptCheck) => string | undefined
  /** Returns the text that a path leads to, for a pattern. */
  readonly read: (check: Pick<ScriptCheck, "subject" | "text">) => unknown
  readonly placeOf: PlaceOf
  /** True if the block reports every check. Otherwise, a check that fails throws. */
  readonly isReported: boolean
}

const says = childMessages["script-error"]

/** Creates `ctx.expect`. `unfinished` returns the first call without a check. */
export function createExpect(tools: ExpectTools) {
  const open = new Set<Called>()
  const expect = (subject?: unknown): Expectation => {
    if (types.isPromise(subject)) throw new TypeError(says.expectsPromise())
    const called = tools.placeOf(expect)
    open.add(called)
    const start = { subject: jsonOf(subject, "expect"), ...called } as const
    const make = (isNot: boolean): object =>
      Object.fromEntries(
        Object.keys(checks)
          .filter(isCheckName)
          .map((name) => {
            const check = (...given: readonly unknown[]): void => {
              open.delete(called)
              const read = { ...start, name, isNot, ...argumentsOf(name, given) }
              const reason = tools.decide(withPattern(read, tools))
              if (reason === undefined || tools.isReported) return
              const error = new Error(reason)
              error.name = "AssertionError"
              // Start the stack at the line that calls the check.
              Error.captureStackTrace(error, check)
              throw error
            }
            return [name, check]
          }),
      )
    return Object.assign(make(false), { not: make(true) }) as Expectation
  }
  return { expect, unfinished: () => [...open][0] }
}

/** A check that a pattern still has to decide. Patterns run here, where the time limit of the script applies. */
type ReadCheck = ScriptCheck & { readonly pattern?: RegExp | undefined }

function withPattern({ pattern, ...check }: ReadCheck, { read }: ExpectTools): ScriptCheck {
  if (check.name !== "toMatch") return check
  const value = read(check)
  if (typeof value !== "string")
    return value === undefined ? check : { ...check, decided: says.noText(nameKind(value)) }
  const text = check.expected as string
  return { ...check, decided: pattern === undefined ? value.includes(text) : pattern.test(value) }
}

const nameKind = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "an array"
      : typeof value === "object"
        ? "an object"
        : `a ${typeof value}`

type Arguments = Pick<ReadCheck, "expected" | "api" | "pattern">

/** Reads the arguments of a check. Throws if they can't be meant, so that no check passes by mistake. */
function argumentsOf(name: CheckName, given: readonly unknown[]): Arguments {
  const [first, second] = given
  const refuse = (expected: string): never => {
    throw new TypeError(
      says.wrongArgument(name, expected, given.map((one) => inspect(one, { depth: 0 })).join(", ")),
    )
  }
  const isNumber = (value: unknown): value is number | bigint =>
    typeof value === "bigint" || (typeof value === "number" && !Number.isNaN(value))
  switch (checks[name].takes) {
    case "value":
      return first === undefined ? refuse("a JSON value") : { expected: json(first, name) }
    case "number":
      return isNumber(first) ? { expected: limit(first) } : refuse("a number")
    case "range":
      if (!isNumber(first) || !isNumber(second) || first > second)
        return refuse("a lower and an upper number")
      return { expected: [limit(first), limit(second)] }
    case "type":
      return jsonTypes.some((type) => type === first)
        ? { expected: first as string }
        : refuse(`one of ${jsonTypes.join(", ")}`)
    case "list":
      return Array.isArray(first) && first.length > 0
        ? { expected: json(first, name) }
        : refuse("a list of values")
    case "date": {
      const time = typeof first === "number" && Number.isFinite(first) ? new Date(first) : first
      const date = types.isDate(time) || typeof time === "string" ? json(time, name) : null
      return readDate(date) === undefined
        ? refuse("a Date, a date in ISO 8601 or milliseconds since 1970")
        : { expected: date }
    }
    case "pattern":
      if (typeof first === "string") return { expected: first }
      // Flags that keep a position would make a second check differ.
      return types.isRegExp(first)
        ? { expected: String(first), pattern: new RegExp(first.source, first.flags.replaceAll(/[gy]/g, "")) }
        : refuse("a string or a regular expression")
    case "schema":
      if (typeof first !== "string" || (second !== undefined && typeof second !== "string"))
        return refuse("the name of a schema, and of an API if several have it")
      return { expected: first, api: second }
  }
}

/** A number with its limits: JSON has no infinity, but a range may be open. */
const limit = (value: number | bigint): number | bigint =>
  typeof value === "bigint" || Number.isFinite(value)
    ? value
    : value > 0
      ? Number.MAX_VALUE
      : -Number.MAX_VALUE

function json(value: unknown, name: string): JsonValue {
  return jsonOf(value, name) ?? null
}

/** Copies a value as JSON. Undefined for `undefined`. */
function jsonOf(value: unknown, name: string): JsonValue | undefined {
  if (value === undefined) return undefined
  const copied = checkResult("transform", { value })
  if (!copied.ok) throw new TypeError(says.wrongValue(name, copied.returned || nameValue(value)))
  return (copied.result as { readonly value: JsonValue }).value
}
