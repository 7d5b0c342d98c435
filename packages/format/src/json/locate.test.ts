import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createJsonLocator } from "./locate.ts"
import type { JsonPointer } from "./pointer.ts"

/** Yields every pointer into a value, with the value there. */
function* placesOf(value: unknown, pointer: JsonPointer = []): Generator<[JsonPointer, unknown]> {
  yield [pointer, value]
  if (typeof value !== "object" || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield* placesOf(inner, [...pointer, Array.isArray(value) ? Number(key) : key])
  }
}

describe("createJsonLocator", () => {
  it("finds the key and the value at every pointer in any text", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const locate = createJsonLocator(text)
        for (const [pointer, expected] of placesOf(JSON.parse(text))) {
          const rest = text.slice(locate(pointer, "value"))
          const start = JSON.stringify(expected, null, indent)
          expect(rest[0]).toBe(start[0])
          if (typeof expected !== "object" || expected === null) expect(rest.startsWith(start)).toBe(true)
          const last = pointer.at(-1)
          if (typeof last === "string") {
            expect(text.slice(locate(pointer, "key")).startsWith(JSON.stringify(last))).toBe(true)
          }
        }
      }),
    )
  })

  it("finds keys that are written with escapes", () => {
    const text = '{ "\\u0061" :\t[1, {"b\\"": true}] }'
    const locate = createJsonLocator(text)
    expect(locate(["a"], "key")).toBe(text.indexOf('"\\u0061"'))
    expect(locate(["a", 1, 'b"'], "value")).toBe(text.indexOf("true"))
  })

  it("points to the container of a missing value, and never into a scalar", () => {
    const text = '{"a": {"b": [1]}, "s": "text"}'
    const locate = createJsonLocator(text)
    expect(locate(["a", "missing"], "value")).toBe(6)
    expect(locate(["a", "b", 7, "x"], "key")).toBe(12)
    expect(locate(["s", "length"], "value")).toBe(text.indexOf('"text"'))
    expect(locate(["constructor"], "key")).toBe(0)
  })

  it("ignores brackets in strings", () => {
    const text = '["]}[{", "\\"]", 3]'
    expect(createJsonLocator(text)([2], "value")).toBe(text.indexOf("3"))
  })

  it("finds the end of ten thousand nested groups and handles millions of containers", () => {
    const depth = 10_000
    const text = '{"blocks":['.repeat(depth) + "1" + "]}".repeat(depth)
    const pointer = Array.from({ length: depth * 2 }, (_, index) => (index % 2 === 0 ? "blocks" : 0))
    expect(createJsonLocator(text)(pointer, "value")).toBe(text.indexOf("1"))
    const millions = "[".repeat(3_000_000) + "]".repeat(3_000_000)
    expect(createJsonLocator(millions)([0, 0], "value")).toBe(2)
  })
})
