import { describe, expect, it } from "vitest"
import { differenceOf, diffRows } from "./diff-rows.ts"
import { pairRows } from "./pair-rows.ts"

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("")
const pairsOf = (before: readonly string[], after: readonly string[], open: readonly number[] = []) =>
  pairRows(diffRows(differenceOf(text(before), text(after)), new Set(open))).map((row) =>
    row.kind === "fold" ? `fold ${row.count}` : `${row.before ?? "-"} ${row.after ?? "-"} ${row.kind}`,
  )
const many = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)

describe("the rows of two texts side by side", () => {
  it("pair the lines of a change, and number both sides after it", () => {
    expect(pairsOf(["a", "b", "c", "d"], ["a", "x", "d"])).toEqual([
      "1 1 same",
      "2 2 changed",
      "3 - changed",
      "4 3 same",
    ])
    expect(pairsOf(["a"], ["n", "a"])).toEqual(["- 1 changed", "1 2 same"])
    expect(pairsOf([], ["a"])).toEqual(["- 1 changed"])
  })

  it("fold unchanged lines, and number those after an open fold", () => {
    expect(pairsOf(many, ["new", ...many])).toEqual([
      "- 1 changed",
      "1 2 same",
      "2 3 same",
      "3 4 same",
      "fold 17",
    ])
    expect(pairsOf(many, ["new", ...many], [5]).at(-1)).toBe("20 21 same")
    expect(pairsOf(many, [...many, "new"]).slice(-2)).toEqual(["20 20 same", "- 21 changed"])
  })
})
