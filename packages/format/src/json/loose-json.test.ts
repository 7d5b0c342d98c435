import fc from "fast-check"
import { expect, it } from "vitest"
import { jsonPlaceAt, looseJson, stringifyJson, valueAt } from "../index.ts"

it.each([
  ['{"a": 1, "b": ', { a: 1, b: null }],
  ['{"a": "x', { a: "x" }],
  ['{"a": {"type": "loop" "mode": ', { a: { type: "loop", mode: null } }],
  ["{a: [1, , tru", { a: [1, null, "tru"] }],
  ['{"a": 1\n "a": \n}', { a: 1 }],
  ["", null],
] as const)("reads %s", (text, value) => {
  expect(looseJson(text)).toEqual(value)
})

it("reads a container at each place that an editor finds", () => {
  const text = '{"list": [{"a": "x"}, , {"b": , "c": {"d": '
  const { parent } = jsonPlaceAt(text, text.length)
  expect(parent).toEqual(["list", 2, "c"])
  expect(valueAt(looseJson(text), parent)).toEqual({ d: null })
})

it("reads whole JSON as it is, and never fails", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value)
      expect(stringifyJson(looseJson(text))).toBe(stringifyJson(value))
      looseJson(text.slice(0, cut % text.length))
    }),
  )
})
