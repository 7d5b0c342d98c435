import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { multipleTest } from "./exact-keywords.ts"

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
