import { describe, expect, it } from "vitest"
import { withToken } from "./value-edits.ts"

const send = (id: string, query: Record<string, string>) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "list", overrides: { params: { query } } },
})
const workflow = { version: 1, blocks: [send("first", { q: "a b" }), send("second", { q: "a b" })] }
const at = (index: number) => ["blocks", index, "request", "overrides", "params", "query", "q"]
const insert = (index: number, field: object = {}) =>
  withToken(
    workflow,
    { pointer: at(index), text: "a b", from: 2, to: 3, reads: "text", ...field },
    "{{first.response.status}}",
    { block: "first" },
  )

describe("a placeholder for a received value", () => {
  it("replaces the selection of a later block's field", () => {
    expect(insert(1)).toEqual({ value: "a {{first.response.status}}", block: "second" })
    expect(insert(1, { reads: "path" })?.value).toBe("{{first.response.status}}")
  })

  it("isn't offered if the block can't read the value, or if the field has changed", () => {
    expect(insert(0)).toBeUndefined()
    expect(insert(1, { text: "a c" })).toBeUndefined()
    expect(insert(1, { pointer: ["blocks", 5, "request"] })).toBeUndefined()
  })
})
