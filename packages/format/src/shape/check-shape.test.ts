// What shapes of several types let pass, and what they say of other values.

import { describe, expect, it } from "vitest"
import { checkShape } from "./check-shape.ts"
import { array, either, enumOf, nothing, number } from "./shape.ts"

describe("a shape of one of several types", () => {
  const shape = either("a whole number, a word or null", number({ integer: true }), enumOf("halt"), nothing)

  it.each([3, "halt", null])("takes %j", (value) => {
    expect(checkShape(shape, value)).toEqual([])
  })

  it("says what is wrong by the shape that takes values of such a type", () => {
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

  it("takes a value of another type for none of them", () => {
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
