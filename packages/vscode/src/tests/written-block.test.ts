import { describe, expect, it } from "vitest"
import type { ListedBlock } from "./listed-tests.ts"
import { findWritten } from "./written-block.ts"

const block = (id: string, type = "request", around?: string): ListedBlock => ({
  id,
  type,
  line: 1,
  column: 1,
  ...(around === undefined ? {} : { in: around }),
})

describe("the written block of one that ran", () => {
  it("is in the same block, and of the same kind", () => {
    const blocks = [block("get-{{i}}", "assert"), block("get-{{i}}", "request", "loop"), block("get-{{j}}")]
    expect(findWritten(blocks, undefined, { id: "get-1", kind: "request" })).toBe(blocks[2])
    expect(findWritten(blocks, "loop", { id: "get-1", kind: "request" })).toBe(blocks[1])
    expect(findWritten(blocks, "other", { id: "get-1", kind: "request" })).toBeUndefined()
  })

  it("is preferably the one with an equal id", () => {
    const blocks = [block("{{any}}"), block("get-1")]
    expect(findWritten(blocks, undefined, { id: "get-1", kind: "request" })).toBe(blocks[1])
  })

  it.each([
    ["a-{{i}}-b-{{j}}-c", "a-1-b-2-c", true],
    ["a-{{i}}-b", "a-b", false],
    ["{{i}}x{{j}}x", "x", false],
    ["{{i}}x{{j}}x", "1x2x", true],
    ["plain", "plain-1", false],
  ])("%s can become %s: %s", (written, id, isExpansion) => {
    const found = findWritten([block(written)], undefined, { id, kind: "request" })
    expect(found !== undefined).toBe(isExpansion)
  })
})
