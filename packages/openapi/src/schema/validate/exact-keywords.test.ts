import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { complaintsOfBody, judge } from "../../testing/judge.ts"

describe("integers beyond 2^53", () => {
  const big = 9_223_372_036_854_775_807n

  it.each<[schema: JsonObject, body: JsonValue, isGood: boolean]>([
    [{ type: "integer" }, big, true],
    [{ type: "number" }, big, true],
    [{ type: "string" }, big, false],
    [{ type: "integer", format: "int64" }, big, true],
    [{ type: "integer", format: "int64" }, big + 1n, false],
    [{ type: "integer", format: "int32" }, big, false],
    [{ maximum: big }, big, true],
    [{ maximum: big }, big + 1n, false],
    [{ exclusiveMaximum: big }, big - 1n, true],
    [{ minimum: 0 }, -big, false],
    [{ multipleOf: 7 }, big, true],
    [{ multipleOf: 2 }, big, false],
    [{ multipleOf: 0.5 }, big, true],
    [{ enum: [big, "a"] }, big, true],
    [{ enum: [big, "a"] }, big - 1n, false],
    [{ const: big }, big - 1n, false],
    [{ uniqueItems: true }, [big, big - 1n], true],
    [{ uniqueItems: true }, [big, big], false],
    [{ properties: { a: { type: "integer" } } }, { a: big }, true],
  ])("%s", async (schema, body, isGood) => {
    for (const as of ["json", "yaml"] as const) {
      const view = await judge({ version: "3.1", as, schema }, { body })
      expect(view.status).toBe(isGood ? "passed" : "failed")
    }
  })

  it("are quoted with every digit", async () => {
    expect(await complaintsOfBody({ schema: { maximum: big } }, big + 1n)).toEqual([
      "/body: expected 9223372036854775807 or less, received 9223372036854775808",
    ])
  })
})

describe("string lengths in characters", () => {
  const pair = "\u{1f600}"
  const half = pair.slice(0, 1)

  it.each<[schema: JsonObject, body: string, isGood: boolean]>([
    [{ maxLength: 3 }, pair.repeat(3), true],
    [{ maxLength: 3 }, pair.repeat(4), false],
    [{ maxLength: 3 }, `${pair.repeat(3)}a`, false],
    [{ maxLength: 3 }, "abcd", false],
    [{ maxLength: 1 }, half + half, false],
    [{ maxLength: 0 }, "", true],
    [{ minLength: 3 }, pair.repeat(2), false],
    [{ minLength: 3 }, `${pair.repeat(2)}a`, true],
    [{ minLength: 3 }, `ab${pair}`, true],
    [{ minLength: 3 }, "ab", false],
    [{ minLength: 2 }, half + half, true],
    [{ minLength: 0 }, "", true],
  ])("%j of %j", async (schema, body, isGood) => {
    expect((await judge({ schema }, { body })).status).toBe(isGood ? "passed" : "failed")
  })
})
