import { expect, it } from "vitest"
import { splitProblems } from "./problems.ts"

it("splits printed problems, each with its hint, and puts errors first", () => {
  const printed =
    "warning: a.json:1:1: odd (level-unset)\nb.json:2:1: wrong (field-type)\n  hint: write 5\r\nno block (block-unknown)\n"
  expect(splitProblems(printed)).toEqual([
    "b.json:2:1: wrong (field-type)\n  hint: write 5",
    "no block (block-unknown)",
    "warning: a.json:1:1: odd (level-unset)",
  ])
  expect(splitProblems("")).toEqual([])
})
