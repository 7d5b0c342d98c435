import { describe, expect, it } from "vitest"
import type { Problem } from "@callsheet/format"
import { changeBetween } from "./text/text-change.ts"
import { carriedProblems } from "./problem-tracker.ts"

const problemAt = (line: number): Problem => ({
  code: "operation-unknown",
  severity: "error",
  message: `at ${line}`,
  line,
  column: 1,
})

/** Returns the lines of problems that were found in one text, after they are moved to the other. */
function carried(before: string, after: string): readonly (number | undefined)[] {
  const change = changeBetween(before, after)
  if (change === undefined) throw new Error("the texts differ")
  const problems = before.split("\n").map((_, index) => problemAt(index + 1))
  return carriedProblems(problems, before, change).map(({ line }) => line)
}

describe("problems found earlier", () => {
  it("move with their lines", () => {
    expect(carried("a\nb\nc\nd", "a\nb\nx\ny\nc\nd")).toEqual([1, 2, 5, 6])
    expect(carried("a\nb\nc\nd", "a\nbb\nc\nd")).toEqual([1, 2, 3, 4])
  })

  it("move within a line if text before them changes", () => {
    const problem = { ...problemAt(1), column: 5 }
    const columns = (after: string) =>
      carriedProblems([problem], "ab {{x}}", changeBetween("ab {{x}}", after) ?? expect.fail()).map(
        ({ column }) => column,
      )
    expect(columns("abcd {{x}}")).toEqual([7])
    expect(columns("ab {{xy}}")).toEqual([5])
    expect(columns("{{x}}")).toEqual([2])
  })

  it("disappear with deleted lines", () => {
    expect(carried("a\nb\nc\nd\ne", "a\nXe")).toEqual([1, 2])
  })
})
