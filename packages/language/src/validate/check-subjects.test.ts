import { checkWorkflow } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { pairRequests } from "./check-subjects.ts"

/** Returns a workflow with a request per operation. */
function groundOf(operations: readonly string[]) {
  const blocks = operations.map((operation, index) => ({
    id: `r${index}`,
    type: "request",
    request: { api: "shop", operation },
  }))
  const { readable } = checkWorkflow({ file: "w.json", text: JSON.stringify({ version: 1, blocks }) })
  if (readable === undefined) throw new Error("the workflow is not readable")
  return { readable, targets: new Map() }
}

const pairsOf = (before: readonly string[], after: readonly string[]): readonly string[] =>
  [...pairRequests(groundOf(before), groundOf(after))].map(([own, earlier]) => `${earlier.id} ${own.id}`)

describe("pairRequests", () => {
  it("pairs requests of the same id first, then in the order of the file", () => {
    expect(pairsOf(["a", "b", "a", "a"], ["c", "a", "a"])).toEqual(["r2 r2", "r0 r1"])
  })

  it("takes linear time for thousands of requests that all differ", () => {
    const names = (prefix: string): readonly string[] =>
      Array.from({ length: 5_000 }, (_, index) => `${prefix}${index}`)
    expect(pairsOf(names("a"), names("b"))).toEqual([])
  })
})
