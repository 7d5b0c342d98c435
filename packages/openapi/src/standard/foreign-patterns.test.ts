import { describe, expect, it } from "vitest"
import { findForeignPart } from "./foreign-patterns.ts"

describe("findForeignPart", () => {
  it("finds a part from another language", () => {
    expect(findForeignPart("\\Aorder-[0-9]+\\z")).toMatchObject({ part: "\\A", advice: 'write "^"' })
  })

  it("does not search a pattern so long that the search would take minutes", () => {
    expect(findForeignPart(`[${"-[".repeat(500_000)}`)).toBeUndefined()
  })
})
