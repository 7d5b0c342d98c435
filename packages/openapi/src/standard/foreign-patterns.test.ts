import { expect, it } from "vitest"
import { findForeignPart } from "./foreign-patterns.ts"

it("does not search a pattern so long that the search would take minutes", () => {
  expect(findForeignPart(`[${"-[".repeat(500_000)}`)).toBeUndefined()
})
