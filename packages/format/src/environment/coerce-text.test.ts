import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { coerceText, isOfType } from "./coerce-text.ts"

describe("coerceText", () => {
  it.each([
    "0x10",
    "1_000",
    " 5",
    "5 ",
    "٣",
    "+5",
    "05",
    ".5",
    "5.",
    "1e",
    "Infinity",
    "NaN",
    "1e400",
    "",
    "true",
    "1,5",
  ])("doesn't read %j as a number", (text) => {
    expect(coerceText(text, "number")).toBeUndefined()
  })

  it("reads numbers by JSON's grammar and keeps every digit of big integers", () => {
    expect(coerceText("1e3", "number")).toBe(1000)
    expect(coerceText("-1.50", "number")).toBe(-1.5)
    expect(coerceText("12345678901234567890", "number")).toBe(12345678901234567890n)
  })

  it("accepts as a number exactly what JSON.parse accepts", () => {
    const numberLike = fc.array(fc.constantFrom(..."0 1 9 - + . e E".split(" ")), { maxLength: 8 })
    fc.assert(
      fc.property(numberLike, (parts) => {
        const text = parts.join("")
        let expected: unknown
        try {
          expected = JSON.parse(text)
        } catch {
          expected = undefined
        }
        const value = coerceText(text, "number")
        expect(typeof value === "bigint" ? Number(value) : value).toBe(
          expected === Infinity || expected === -Infinity ? undefined : expected,
        )
      }),
    )
  })

  it.each(["True", "TRUE", "1", "yes", "", " true"])("doesn't read %j as a boolean", (text) => {
    expect(coerceText(text, "boolean")).toBeUndefined()
  })

  it("reads booleans and leaves strings unchanged", () => {
    expect(coerceText("true", "boolean")).toBe(true)
    expect(coerceText("false", "boolean")).toBe(false)
    expect(coerceText(" 5 ", "string")).toBe(" 5 ")
    expect(coerceText("", "string")).toBe("")
  })
})

describe("isOfType", () => {
  it("accepts a big integer as a number, but not a text", () => {
    expect(isOfType(5n, "number")).toBe(true)
    expect(isOfType("5", "number")).toBe(false)
    expect(isOfType(null, "string")).toBe(false)
  })
})
