import { describe, expect, it } from "vitest"
import type { JsonValue } from "../json/value.ts"
import { checkNames, judge, readDate, wordsOf, type CheckName } from "./checks.ts"

describe("a check", () => {
  it.each<readonly [CheckName, JsonValue, JsonValue, boolean | RegExp]>([
    ["toEqual", { a: 1, b: [2n ** 60n] }, { b: [2n ** 60n], a: 1 }, true],
    ["toEqual", [1, 2], [2, 1], false],
    ["toContain", "abc", "bc", true],
    ["toContain", [{ id: 1 }], { id: 1 }, true],
    ["toContain", [], null, false],
    ["toContain", { a: 1 }, "a", /an object, neither/],
    ["toContain", "1", 1, /toContain expects a string/],
    ["toHaveLength", [], 0, true],
    ["toHaveLength", "a\u{1f600}", 3, true],
    ["toHaveLength", null, 0, /null, which has no length/],
    ["toHaveLength", { length: 2 }, 2, /an object, which has no length/],
    ["toBeAtLeast", 3, 3, true],
    ["toBeAtLeast", 2n ** 60n, 5, true],
    ["toBeAtLeast", "4", 3, /a string, not a number/],
    ["toBeAtMost", 3.5, 3, false],
    ["toBeBetween", 5, [5, 5], true],
    ["toBeBetween", 2n ** 60n, [0, 2n ** 61n], true],
    ["toBeBetween", true, [0, 1], /a boolean, not a number/],
    ["toBeType", 1, "integer", true],
    ["toBeType", 2n ** 60n, "integer", true],
    ["toBeType", 1.5, "integer", false],
    ["toBeType", 1.5, "number", true],
    ["toBeType", null, "object", false],
    ["toBeType", [], "array", true],
    ["toBeOneOf", { a: 1 }, [1, { a: 1 }], true],
    ["toBeOneOf", "1", [1], false],
    ["toBeBefore", "2026-01-01", "2026-01-01T00:00:01Z", true],
    ["toBeBefore", "2026-01-01T10:00:00+02:00", "2026-01-01T09:00:00Z", true],
    ["toBeAfter", "Sat, 28 Nov 2026 21:30:42 GMT", "2026-11-28T21:30:41Z", true],
    ["toBeAfter", "2026-01-01", "2026-01-01", false],
    ["toBeAfter", "tomorrow", "2026-01-01", /a text that is not a date/],
    ["toBeAfter", 1_700_000_000, "2026-01-01", /a number, not a date/],
    ["toBeBefore", null, "2026-01-01", /null, not a date/],
  ])("%s of %o with %o is %s", (name, value, expected, verdict) => {
    const found = judge(name, value, { expected })
    if (verdict instanceof RegExp) expect(found).toMatch(verdict)
    else expect(found).toBe(verdict)
  })

  it.each([
    "1",
    "2026",
    "2026-13-01",
    "2026-02-30",
    "2026-01-01T25:00:00Z",
    "01/02/2026",
    "2026-1-1",
    "Monday",
    "",
    " 2026-01-01",
    "2026-01-01T00:00:00Z and more",
  ])("doesn't read %o as a date, though Date.parse may", (text) => {
    expect(readDate(text)).toBeUndefined()
  })

  it("reads a time without a zone as UTC", () => {
    expect(readDate("2026-01-01T00:00:00")).toBe(Date.UTC(2026, 0, 1))
    expect(readDate("2026-01-01 00:00:00.5")).toBe(Date.UTC(2026, 0, 1) + 500)
  })

  it("has words for reports, with and without not", () => {
    expect(checkNames).toHaveLength(12)
    for (const name of checkNames) expect(wordsOf(name).phrase).not.toBe(wordsOf(`not.${name}`).phrase)
    expect(wordsOf("notEquals").phrase).toBe("does not equal")
  })
})
