import { describe, expect, it } from "vitest"
import type { Problem } from "@callsheet/format"
import { carriedProblems } from "./carried-problems.ts"
import { changeBetween } from "./text-change.ts"

const problemAt = (line: number): Problem => ({
  code: "operation-unknown",
  severity: "error",
  message: `at ${line}`,
  line,
  column: 1,
})

/** The lines of problems that were at each line of the one text, in the other. */
function carried(before: string, after: string): readonly (number | undefined)[] {
  const change = changeBetween(before, after)
  if (change === undefined) throw new Error("the texts differ")
  const problems = before.split("\n").map((_, index) => problemAt(index + 1))
  return carriedProblems(problems, before, change).map(({ line }) => line)
}

describe("problems that were found before", () => {
  it("move with the lines that they are at", () => {
    expect(carried("a\nb\nc\nd", "a\nb\nx\ny\nc\nd")).toEqual([1, 2, 5, 6])
    expect(carried("a\nb\nc\nd", "a\nbb\nc\nd")).toEqual([1, 2, 3, 4])
  })

  it("go with lines that were taken out", () => {
    expect(carried("a\nb\nc\nd\ne", "a\nXe")).toEqual([1, 2])
  })
})
