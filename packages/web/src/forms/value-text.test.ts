import { describe, expect, it } from "vitest"
import { changedForm, formOf, numberOf, formatValue, valueOf } from "./value-text.ts"

describe("a value in a field", () => {
  it("keeps every digit of a large integer, on its own and in JSON", () => {
    expect(numberOf("9007199254740993")).toBe(9007199254740993n)
    expect(formatValue(9007199254740993n)).toBe("9007199254740993")
    expect(valueOf('{"id": 12345678901234567890}', "json")).toEqual({ id: 12345678901234567890n })
    expect(formOf(9007199254740993n)).toBe("number")
  })

  it.each(["", " ", "1e", "0x10", "01", "Infinity", "NaN", "1e400", "null", '"1"', "1 2"])(
    "doesn't read %j as a number",
    (text) => expect(numberOf(text)).toBeUndefined(),
  )

  it("is not written while it is empty", () => {
    expect(valueOf("tru", "boolean")).toBeUndefined()
    expect(valueOf('{"a":', "json")).toBeUndefined()
    expect(valueOf('{"a": 1, "a": 2}', "json")).toBeUndefined()
    expect(valueOf("", "text")).toBe("")
  })

  it("is kept in another form if possible", () => {
    expect(changedForm("42", "number")).toBe(42)
    expect(changedForm("9007199254740993", "number")).toBe(9007199254740993n)
    expect(changedForm(42, "text")).toBe("42")
    expect(changedForm("{{id}}", "number")).toBe(0)
    expect(changedForm('{"a":1}', "json")).toEqual({ a: 1 })
    expect(changedForm({ a: 1 }, "text")).toBe('{"a":1}')
    expect(changedForm("{{id}}", "json")).toEqual({})
    expect(changedForm("false", "boolean")).toBe(false)
    expect(changedForm(3, "null")).toBeNull()
  })
})
