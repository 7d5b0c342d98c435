import { describe, expect, it } from "vitest"
import { escapePointer, pointerKeys } from "./pointer-text.ts"

describe("a JSON pointer", () => {
  it("escapes only slashes and tildes", () => {
    expect(pointerKeys("/a~1b/0/~01")).toEqual(["a/b", "0", "~1"])
    expect(["a/b", "0", "~1"].map((key) => `/${escapePointer(key)}`).join("")).toBe("/a~1b/0/~01")
  })

  it("has no keys for the whole value", () => {
    expect(pointerKeys("")).toEqual([])
  })
})
