import { describe, expect, it } from "vitest"
import { fuzzyScore } from "./fuzzy-score.ts"

const best = (query: string, names: readonly string[]): readonly string[] =>
  names
    .filter((name) => fuzzyScore(query, name) !== undefined)
    .toSorted((a, b) => (fuzzyScore(query, b) ?? 0) - (fuzzyScore(query, a) ?? 0))

describe("fuzzyScore", () => {
  it("prefers equal names, then starts, then words", () => {
    const names = ["relist-all", "all-list", "list-items", "list", "l-o-i-s-t"]
    expect(best("list", names)).toEqual(["list", "list-items", "all-list", "relist-all", "l-o-i-s-t"])
  })

  it("leaves out names without the characters in this order", () => {
    expect(best("ab", ["ba", "a-b", "A_B"])).toEqual(["a-b", "A_B"])
  })

  it("matches any name with an empty query", () => {
    expect(best("", ["x"])).toEqual(["x"])
  })
})
