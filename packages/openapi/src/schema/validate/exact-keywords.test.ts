import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isEqual, type JsonObject, type JsonValue } from "@callsheet/format"
import { complaintsOfBody, judge } from "../../testing/judge.ts"
import { areDistinct, findRepeated, multipleTest } from "./exact-keywords.ts"

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

/** A decimal as `digits * 10 ** -places`, for exact arithmetic. */
interface Written {
  readonly digits: bigint
  readonly places: number
}

const isMultiple = (value: Written, unit: Written): boolean => {
  const scale = 10n ** BigInt(Math.max(value.places, unit.places))
  return (
    ((value.digits * scale) / 10n ** BigInt(value.places)) %
      ((unit.digits * scale) / 10n ** BigInt(unit.places)) ===
    0n
  )
}

const numberOf = ({ digits, places }: Written): number => Number(`${digits}e-${places}`)

describe("multipleOf", () => {
  it("divides decimals of up to 15 digits exactly", () => {
    const unit = fc.record({ digits: fc.bigInt(1n, 1000n), places: fc.nat(25) })
    const value = fc.record({ digits: fc.bigInt(-(10n ** 15n) + 1n, 10n ** 15n - 1n), places: fc.nat(25) })
    const few = fc.record({ digits: fc.bigInt(-100_000n, 100_000n), places: fc.nat(3) })
    fc.assert(
      fc.property(fc.oneof(value, few), fc.oneof(unit, few), (a, b) => {
        fc.pre(b.digits > 0n)
        expect(multipleTest(numberOf(b))(numberOf(a))).toBe(isMultiple(a, b))
      }),
      { numRuns: 5000 },
    )
  })

  it.each<[value: number | bigint, unit: number | bigint, isMultiple: boolean]>([
    [19.99, 0.01, true],
    [19.995, 0.01, false],
    [0.1 + 0.2, 0.1, false],
    [4.35, 0.05, true],
    [1e300, 0.01, true],
    [1e300, 7, false],
    [-0, 0.5, true],
    [5e-324, 0.01, false],
    [9007199254740993n, 0.1, true],
    [9007199254740993n, 2, false],
    [9007199254740992, 2n ** 53n, true],
    [1.7976931348623157e308, 1e-300, true],
    [123456789012345.67, 0.01, true],
    [3, 1.5, true],
    [7, 1e20, false],
  ])("reports %s of %s as %s", (value, unit, isMultiple) => {
    expect(multipleTest(unit)(value)).toBe(isMultiple)
  })
})
