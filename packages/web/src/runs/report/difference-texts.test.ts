import type { JsonValue } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { differenceTexts } from "./difference-texts.ts"

const formatBoth = (expected: JsonValue, actual: JsonValue) =>
  differenceTexts({ source: "a.b", operator: "equals", expected, actual, status: "failed" })

const members = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`key${index}`, index]))

describe("the texts of two different values", () => {
  it("show no difference if only the order of members differs", () => {
    const turned = Object.fromEntries(Object.entries(members).toReversed())
    const texts = formatBoth({ inner: [turned], own: null }, { own: null, inner: [members] })
    expect(texts?.expected).toBe(texts?.actual)
  })

  it("include members that only one value has, and keep null", () => {
    const texts = formatBoth({ ...members, mine: null, __proto: 1 }, { theirs: 2, ...members })
    const lines = (text = "") => text.split("\n").map((line) => line.replace(/,$/, ""))
    const [expected, actual] = [lines(texts?.expected), lines(texts?.actual)]
    expect(expected.filter((line) => !actual.includes(line))).toEqual(['  "mine": null', '  "__proto": 1'])
    expect(actual.filter((line) => !expected.includes(line))).toEqual(['  "theirs": 2'])
  })

  it("are not created for small, very large or scalar values", () => {
    expect(formatBoth({ id: 1 }, { id: 2 })).toBeUndefined()
    expect(formatBoth(["x".repeat(1_000_000)], [1])).toBeUndefined()
    expect(formatBoth("x".repeat(200), "y".repeat(200))).toBeUndefined()
    expect(formatBoth(members, "text")).toBeUndefined()
  })

  it("are not created for extremely deep values", () => {
    const deep = (): JsonValue => JSON.parse("[".repeat(20_000) + "]".repeat(20_000)) as JsonValue
    expect(formatBoth(deep(), deep())).toBeUndefined()
  })
})
