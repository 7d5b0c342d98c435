import { describe, expect, it } from "vitest"
import { jsonPrefix } from "./json-prefix.ts"

const value = { a: [1, { "b/c": null }, [], {}, 'x\n"é'], 'd~"': true, e: [[[-0.5]]], f: false }
const whole = JSON.stringify(value)

describe("the start of a value as JSON", () => {
  it("is a prefix of what JSON.stringify gives", () => {
    for (let length = 0; length <= whole.length + 2; length++)
      expect(jsonPrefix(value, length)).toBe(whole.slice(0, length))
  })

  it("may be indented", () => {
    const indented = JSON.stringify(value, null, 2)
    for (let length = 0; length <= indented.length + 2; length++)
      expect(jsonPrefix(value, length, true)).toBe(indented.slice(0, length))
  })

  it("writes all digits of big integers", () => {
    expect(jsonPrefix({ id: 12345678901234567890n, list: [-9007199254740993n] }, 100)).toBe(
      '{"id":12345678901234567890,"list":[-9007199254740993]}',
    )
  })

  it.each([null, "text", 1, [], {}, [[]], { a: {} }])("is all of a small value: %j", (small) => {
    expect(jsonPrefix(small, 100)).toBe(JSON.stringify(small))
  })

  it("looks no further than necessary, and handles any depth", () => {
    const huge = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
    const start = performance.now()
    for (let turn = 0; turn < 100; turn++) jsonPrefix(huge, 1000)
    expect(performance.now() - start).toBeLessThan(1000)
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(jsonPrefix(deep as never, 50_000)).toHaveLength(40_001)
  })
})
