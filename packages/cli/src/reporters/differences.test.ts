import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { differences } from "./differences.ts"

const paths = (expected: JsonValue, actual: JsonValue, most = 10) =>
  differences(expected, actual, most).found.map(({ path }) => path)

const nest = (value: JsonValue) => Array.from({ length: 20_000 }).reduce<JsonValue>((inner) => [inner], value)

describe("differences", () => {
  it("lists each difference, in the order of the expected value", () => {
    expect(differences({ a: 1, b: [1, 2], c: 3 }, { c: 4, b: [1, 5, 6] }, 10)).toEqual({
      found: [
        { path: "a", expected: 1 },
        { path: "b[1]", expected: 2, actual: 5 },
        { path: "b[2]", actual: 6 },
        { path: "c", expected: 3, actual: 4 },
      ],
      more: false,
    })
  })

  it("compares like the operator equals", () => {
    expect(paths({ a: 1, b: 2n }, { b: 2, a: 1 })).toEqual([])
  })

  it("distinguishes an object from an array and from null", () => {
    expect(paths({ a: {}, b: null }, { a: [], b: {} })).toEqual(["a", "b"])
  })

  it("compares only own keys", () => {
    expect(paths({ constructor: 1 }, {})).toEqual(["constructor"])
  })

  it("stops at the limit, and says that there are more", () => {
    const many = Array.from({ length: 1000 }, (_, index) => index)
    const { found, more } = differences(many, many.map(String), 3)
    expect(found).toHaveLength(3)
    expect(more).toBe(true)
  })

  it("gives up on a value that is too large to walk", () => {
    const large = Array.from({ length: 1_000_000 }, () => 0)
    expect(differences(large, [...large.slice(1), 1], 3)).toEqual({ found: [], more: true })
  })

  it("walks any depth", () => {
    expect(differences(nest(1), nest(2), 3).found).toHaveLength(1)
  })
})
