import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { changeText } from "./change-text.ts"
import { smallChanges } from "./small-changes.ts"

describe("smallChanges", () => {
  it("changes only the words that differ", () => {
    const before = "export a='secret-a' # a\nb=1\n"
    expect(smallChanges(before, before.replace("export a=", "export key="))).toEqual([
      { from: 7, to: 8, by: "key" },
    ])
  })

  it("keeps what is between two changes of a line", () => {
    expect(smallChanges("{{old.x}} keep {{old.y}}", "{{new.x}} keep {{new.y}}")).toHaveLength(2)
  })

  it("gives the new text for any two texts", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "\r", ".", "é", "😀") })
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(changeText(before, smallChanges(before, after))).toBe(after)
      }),
    )
  })
})
