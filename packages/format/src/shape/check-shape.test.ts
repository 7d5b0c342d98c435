// Checks that shapes with several types accept each of them and report other values.

import { describe, expect, it } from "vitest"
import { checkShape } from "./check-shape.ts"
import { array, either, enumOf, nothing, number } from "./shape.ts"

describe("a shape with several types", () => {
  const shape = either("a whole number, a word or null", number({ integer: true }), enumOf("halt"), nothing)

  it.each([3, "halt", null])("accepts %j", (value) => {
    expect(checkShape(shape, value)).toEqual([])
  })

  it("reports what is wrong by the shape that accepts that type of value", () => {
    expect(
      checkShape(
        array(() => shape),
        [1, 1.5, "stop"],
      ),
    ).toMatchObject([
      { code: "field-value", pointer: [2], message: '[2] is "stop"; expected "halt"' },
      { code: "field-value", pointer: [1], message: "[1] is 1.5; expected a whole number" },
    ])
  })

  it("rejects a value of any other type", () => {
    expect(
      checkShape(
        array(() => shape),
        [true],
      ),
    ).toMatchObject([
      {
        code: "field-type",
        pointer: [0],
        message: "[0] is a boolean; expected a whole number, a word or null",
      },
    ])
  })
})
