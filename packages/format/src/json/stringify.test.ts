import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseJson } from "./parse-json.ts"
import { stringifyJson } from "./stringify.ts"
import type { JsonValue } from "./value.ts"

const withBigInts = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom(null, true, false, 0, -1.5, 1e21, "", 'a"\\\n\u2028', "\ud800"),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom("a", "b", "__proto__", "", 'q"'), tie("value"), { maxKeys: 4 }),
  ),
})).value

describe("stringifyJson", () => {
  it("writes what JSON.stringify writes", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 10 }), (value, indent) => {
        expect(stringifyJson(value as JsonValue, { indent })).toBe(JSON.stringify(value, null, indent))
      }),
    )
  })

  it("writes a bigint like JSON.stringify writes a number", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 4 }), (value, indent) => {
        const text = stringifyJson([value as JsonValue, 9007199254740993n], { indent })
        const expected = JSON.stringify([value, "BIG"], null, indent).replace(
          /"BIG"(?=\s*\]$)/,
          "9007199254740993",
        )
        expect(text).toBe(expected)
      }),
    )
  })

  it("reads back as the same value, with every digit of big integers", () => {
    fc.assert(
      fc.property(withBigInts, fc.constantFrom(0, 2), (value, indent) => {
        expect(parseJson(stringifyJson(value, { indent }))).toEqual({ ok: true, value })
      }),
    )
  })

  it.each([0, 2])("writes a hundred thousand nested levels (indent %i)", (indent) => {
    const depth = 100_000
    let value: JsonValue = 1n
    for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
    const text = stringifyJson(value, { indent })
    expect(text.replaceAll(/\s/g, "").length).toBe(depth * 2 + (depth / 2) * 4 + 1)
    expect(parseJson(text).ok).toBe(true)
  })

  it("throws for a value that contains itself, but not for one that occurs twice", () => {
    const circle: { self?: unknown; id: bigint } = { id: 1n }
    circle.self = [circle]
    expect(() => stringifyJson(circle)).toThrow(TypeError)
    const shared = { id: 1n }
    expect(stringifyJson([shared, shared, { shared }])).toBe(`[{"id":1},{"id":1},{"shared":{"id":1}}]`)
  })
})
