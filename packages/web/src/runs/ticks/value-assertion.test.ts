import { describe, expect, it } from "vitest"
import { assertionOf, firstExpectation } from "./value-assertion.ts"

const body = (value: Parameters<typeof firstExpectation>[1]) =>
  firstExpectation(["response", "body", "a"], value)

describe("the first expectation of a ticked value", () => {
  it("is the value, unless it is masked or its members may change", () => {
    expect(body("Faust")).toEqual({ operator: "equals", text: '"Faust"' })
    expect(body(null)).toEqual({ operator: "equals", text: "null" })
    expect(body(["a", "b"])).toEqual({ operator: "equals", text: '["a","b"]' })
    for (const value of [{ id: 1 }, [{ id: 1 }], "Bearer ***", ["***"]])
      expect(body(value)).toEqual({ operator: "exists", text: "" })
  })

  it("leaves room for a slower response, and for parameters of the media type", () => {
    const time = (value: number) => firstExpectation(["response", "durationMs"], value).text
    expect([12, 300, 14_000, 40_000].map(time)).toEqual(["500", "1000", "30000", "120000"])
    expect(
      firstExpectation(["response", "headers", "content-type"], "application/json; charset=utf-8"),
    ).toEqual({ operator: "contains", text: '"application/json"' })
  })

  it("is an assertion only if its value is JSON", () => {
    const steps = ["response", "status"]
    expect(assertionOf(steps, { operator: "equals", text: "200" })).toEqual({
      steps,
      operator: "equals",
      value: 200,
    })
    expect(assertionOf(steps, { operator: "equals", text: "x" })).toBeUndefined()
    expect(assertionOf(steps, { operator: "exists", text: "x" })).toEqual({ steps, operator: "exists" })
  })
})
