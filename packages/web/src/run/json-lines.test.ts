// Checks that the lines of JSON give the same value, and that each line knows its pointer.

import { describe, expect, it } from "vitest"
import { jsonLines } from "./json-lines.ts"

const written = (value: Parameters<typeof jsonLines>[0]): string =>
  jsonLines(value)
    .map(
      ({ indent, key, text }) =>
        `${"  ".repeat(indent)}${key === undefined ? "" : `${JSON.stringify(key)}: `}${text}`,
    )
    .join("\n")

describe("jsonLines", () => {
  it("writes what JSON.stringify writes", () => {
    const value = { a: [1, { "b/c": null }, [], {}], "d~": "x\n", e: true, f: [[2]] }
    expect(written(value)).toBe(JSON.stringify(value, null, 2))
    expect(written([])).toBe("[]")
    expect(written(null)).toBe("null")
  })

  it("gives each value its JSON pointer", () => {
    const pointers = jsonLines({ a: [1, { "b/c": null }], "d~": 2 }).map(({ pointer }) => pointer)
    expect(pointers).toEqual(["", "/a", "/a/0", "/a/1", "/a/1/b~1c", undefined, undefined, "/d~0", undefined])
  })

  it("handles any depth", () => {
    let deep: Parameters<typeof jsonLines>[0] = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(jsonLines(deep)).toHaveLength(40_001)
  })
})
