import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { locateJson } from "./located-json.ts"
import { jsonPlaceAt } from "./place-at.ts"
import { valueAt } from "./pointer.ts"
import { stringifyJson } from "./stringify.ts"

describe("locateJson", () => {
  it("reads whole JSON as it is, and never fails", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value, undefined, 2)
        expect(stringifyJson(locateJson(text).value ?? null)).toBe(stringifyJson(value))
        locateJson(text.slice(0, cut % text.length))
      }),
    )
  })

  it.each([
    ['{"a": 1, "b": ', { a: 1, b: null }],
    ['{"a": "x', { a: "x" }],
    ['{"a": {"type": "loop" "mode": ', { a: { type: "loop", mode: null } }],
    ["{a: [1, , tru", { a: [1, null, "tru"] }],
    ['{"a": 1\n "a": \n}', { a: 1 }],
    ["", undefined],
  ] as const)("reads %s", (text, value) => {
    expect(locateJson(text).value).toEqual(value)
  })

  it("reads a container at each place that an editor finds", () => {
    const text = '{"list": [{"a": "x"}, , {"b": , "c": {"d": '
    const { parent } = jsonPlaceAt(text, text.length)
    expect(parent).toEqual(["list", 2, "c"])
    expect(valueAt(locateJson(text).value ?? null, parent)).toEqual({ d: null })
  })

  it("finds keys and values inside their quotes", () => {
    const text = '{ "a\\n": ["x", { "b": 12 }] }'
    const json = locateJson(text)
    const at = (range: { from: number; to: number } | undefined) => range && text.slice(range.from, range.to)
    expect(at(json.rangeOf(["a\n"], "key"))).toBe("a\\n")
    expect(at(json.rangeOf(["a\n", 0], "value"))).toBe("x")
    expect(at(json.rangeOf(["a\n", 1, "b"], "value"))).toBe("12")
    expect(at(json.memberRangeOf(["a\n", 1, "b"]))).toBe('"b": 12')
    expect(json.rangeOf(["c"], "value")).toBeUndefined()
  })

  it("reads what is outside a half-written value", () => {
    const text = '{\n  "a": "x\n  "b": [1, ],\n  "c": tr\n'
    expect(locateJson(text).value).toMatchObject({ a: "x" })
  })

  it("grows ranges from inside to outside, and never fails", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{ } [ ] " , : a b 1 \n'.split(" ")) }),
        fc.nat(40),
        (text, offset) => {
          const json = locateJson(text)
          json.containers()
          const around = json.rangesAround(Math.min(offset, text.length))
          for (const { from, to } of around) expect(from <= offset && to <= text.length).toBe(true)
        },
      ),
    )
  })
})
