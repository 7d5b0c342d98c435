import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createJsonLocator, jsonPointersAt } from "./locate.ts"
import type { JsonPointer } from "./pointer.ts"
import type { JsonValue } from "./value.ts"

describe("jsonPointersAt", () => {
  it("inverts the locator", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        const locate = createJsonLocator(text)
        const pointers = pointersOf(value as JsonValue).toReversed()
        for (const at of ["key", "value"] as const) {
          const offsets = pointers.map((pointer) => locate(pointer, at))
          expect(jsonPointersAt(text, offsets)).toEqual(pointers)
        }
      }),
    )
  })

  it("returns the container between two members, and the root outside everything", () => {
    const text = ' {"a": [1, 22] , "b": 1} '
    const offsets = [text.length, text.indexOf("22") + 1, text.lastIndexOf(",") + 1, 0]
    expect(jsonPointersAt(text, offsets)).toEqual([[], ["a", 1], [], []])
  })

  it("finds thousands of positions in a text nested thousands deep, quickly", () => {
    const text = "[".repeat(20_000) + "]".repeat(20_000)
    const offsets = Array.from({ length: 200 }, (_, index) => index * 5)
    expect(jsonPointersAt(text, offsets).map(({ length }) => length)).toEqual(offsets)
  })
})

function pointersOf(value: JsonValue, pointer: JsonPointer = []): readonly JsonPointer[] {
  if (typeof value !== "object" || value === null) return [pointer]
  const inner = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [pointer, ...inner.flatMap(([step, item]) => pointersOf(item as JsonValue, [...pointer, step]))]
}
