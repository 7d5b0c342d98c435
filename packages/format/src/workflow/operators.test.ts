import { describe, expect, it } from "vitest"
import type { JsonValue } from "../json/value.ts"
import { checkOperator, operatorNames, type OperatorName } from "./operators.ts"

const found = (value: JsonValue) => ({ found: true, value }) as const
const absent = { found: false, at: 0 } as const

describe("checkOperator", () => {
  it.each<[OperatorName, JsonValue, JsonValue, boolean]>([
    ["equals", { a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
    ["equals", { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ["equals", [1, 2], [2, 1], false],
    ["equals", 1, "1", false],
    ["equals", 0, -0, true],
    ["equals", null, null, true],
    ["equals", {}, [], false],
    ["equals", 9007199254740993n, 9007199254740993n, true],
    ["equals", 9007199254740993n, 9007199254740992n, false],
    ["equals", 1e20, 100000000000000000000n, true],
    ["notEquals", 1, 2, true],
    ["notEquals", 1, 1, false],
    ["exists", null, null, true],
    ["notExists", null, null, false],
    ["hasValue", 0, null, true],
    ["hasValue", "", null, true],
    ["hasValue", null, null, false],
    ["hasNoValue", null, null, true],
    ["hasNoValue", false, null, false],
    ["greaterThan", 2, 1, true],
    ["greaterThan", 1, 1, false],
    ["greaterThan", "2", 1, false],
    ["greaterThan", 9007199254740993n, 9007199254740992, true],
    ["lessThan", 1, 2, true],
    ["lessThan", "a", "b", false],
    ["contains", "text", "ex", true],
    ["contains", "12", 1, false],
    ["contains", [{ a: 1 }], { a: 1 }, true],
    ["contains", [1], "1", false],
    ["contains", { a: 1 }, "a", false],
  ])("%s passes or fails, row %#", (operator, actual, expected, passed) => {
    expect(checkOperator(operator, found(actual), expected).passed).toBe(passed)
  })

  it.each<[OperatorName, boolean]>([
    ["equals", false],
    ["notEquals", true],
    ["exists", false],
    ["notExists", true],
    ["hasValue", false],
    ["hasNoValue", true],
    ["greaterThan", false],
    ["lessThan", false],
    ["contains", false],
  ])("%s on a source that does not resolve returns %j and says so", (operator, passed) => {
    expect(checkOperator(operator, absent, null)).toEqual({ passed, message: "the source does not resolve" })
  })

  it("has a row for each of the nine operators", () => {
    expect(operatorNames).toHaveLength(9)
  })

  it("compares values nested deeper than the stack", () => {
    const deep = (): JsonValue => {
      let value: JsonValue = 1
      for (let level = 0; level < 100_000; level++) value = [value]
      return value
    }
    expect(checkOperator("equals", found(deep()), deep()).passed).toBe(true)
  })
})
