import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isEqual, type JsonValue } from "@callsheet/format"
import { areDistinct, findRepeated } from "./exact-keywords.ts"

/** Few distinct values, so that equal ones are frequent. */
const scalar = fc.constantFrom<JsonValue>(0, 1, -0, "", "a", "1", true, null, 1e20, 10n ** 20n, 2n ** 53n)
const { item } = fc.letrec<{ item: JsonValue }>((tie) => ({
  item: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("item"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("id", "a", "b", "__proto__"), tie("item"), { maxKeys: 3 }),
  ),
}))

/** Compares every pair. */
function repeatedPair(items: readonly JsonValue[]): readonly [number, number] | undefined {
  for (const [later, value] of items.entries()) {
    const first = items.slice(0, later).findIndex((earlier) => isEqual(earlier, value))
    if (first !== -1) return [first, later]
  }
  return undefined
}

describe("equal items of a list", () => {
  it("are found as by comparing every pair", () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (items) => {
        expect(findRepeated(items)).toEqual(repeatedPair(items))
        expect(areDistinct(items)).toBe(repeatedPair(items) === undefined)
      }),
      { numRuns: 2000 },
    )
  })

  it.each<[what: string, items: readonly JsonValue[], isDistinct: boolean]>([
    ["objects that differ in their ids", [{ id: 1 }, { id: 2 }, { id: "1" }, {}], true],
    ["objects that differ only deep inside", [{ a: { b: 1 } }, { a: { b: 2 } }], true],
    ["objects that are equal except for the order", [{ a: 1, b: [2] }, { c: 1 }, { b: [2], a: 1 }], false],
    ["an object and an array", [{}, []], true],
    ["a number and the equal bigint", [1e20, { a: 1 }, 10n ** 20n], false],
    ["few texts", ["a", "b", "c"], true],
    ["few texts with two equal ones", ["a", "b", "a"], false],
    ["many texts with two equal ones", "a b c d e f g h i j a".split(" "), false],
    ["one object", [{}], true],
    ["two nulls", [null, {}, null], false],
  ])("%s", (_, items, isDistinct) => {
    expect(areDistinct(items)).toBe(isDistinct)
  })
})
