import { parseJson } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import {
  valueAtSteps,
  addAssertions,
  addCondition,
  addOutput,
  isComparable,
  largeInteger,
  pathOf,
  tokenOf,
} from "./value-edits.ts"
import { valueOf } from "../block-edits.ts"
import { valueItems } from "./value-items.ts"

const text = `{
  "version": 1,
  "blocks": [
    { "id": "book", "type": "request", "request": { "api": "shop", "operation": "getBook" } },
    {
      "id": "each", "type": "loop", "mode": "times", "count": 2, "iteratorVar": "i",
      "blocks": [
        { "id": "get-{{i}}", "type": "request", "request": {"api": "shop", "operation": "getBook"} },
        { "id": "fine", "type": "assert", "assertions": [ { "source": "a", "operator": "exists" } ] }
      ]
    }
  ]
}
`
const document = () => {
  const parsed = parseJson(text)
  if (!parsed.ok) throw new Error("it is JSON")
  return { text, value: parsed.value }
}
const title = { block: "book", steps: ["response", "body", "title"], value: "Faust" }

describe("a block from a received value", () => {
  it("is an assertion in a block after the request, with no other byte changed", () => {
    const assertion = { source: pathOf(title), operator: "equals", value: "Faust" }
    const done = addAssertions(document(), "book", [assertion])
    expect(done?.selected).toEqual([["blocks", 1]])
    const [before, after] = text.split(`"getBook" } },\n`)
    expect(done?.text.startsWith(`${before}"getBook" } },\n`)).toBe(true)
    expect(done?.text.endsWith(after ?? "?")).toBe(true)
    expect(done?.text).toContain('"id": "check-book"')
    expect(done?.text).toContain('"source": "book.response.body.title"')
  })

  it("joins existing assertions after the request, inside a loop by the id as written", () => {
    const seen = { block: "get-{{i}}", steps: ["response", "status"], value: 200 }
    const assertion = { source: pathOf(seen), operator: "equals", value: 200 }
    const done = addAssertions(document(), seen.block, [assertion])
    expect(done?.selected).toEqual([["blocks", 1, "blocks", 1]])
    const added = ', {"source": "get-{{i}}.response.status", "operator": "equals", "value": 200} ]'
    expect(done?.text.replace(added, " ]")).toBe(text)
  })

  it("is a condition after the checks of the request", () => {
    const status = { block: "book", steps: ["response", "status"], value: 200 }
    const checked = addAssertions(document(), "book", [{ source: pathOf(status), operator: "exists" }])
    const text = checked?.text ?? ""
    const done = addCondition({ text, value: valueOf(text) }, title)
    expect(done?.selected).toEqual([["blocks", 2]])
    const [, , condition] = (JSON.parse(done?.text ?? "") as { blocks: unknown[] }).blocks
    expect(condition).toEqual({
      id: "if-title",
      type: "condition",
      if: { source: "book.response.body.title", operator: "hasValue" },
      then: [],
    })
    const flag = addCondition(document(), { ...title, value: true })
    expect(flag?.text).toMatch(/"operator": "equals",\s+"value": true/)
  })

  it("is an output named after its last step", () => {
    expect(addOutput(document(), title)?.text).toMatch(/"title": "book\.response\.body\.title"/)
    expect(addOutput(document(), { ...title, block: "gone" })).toBeUndefined()
  })

  it("is found by its exact path", () => {
    expect(tokenOf({ ...title, steps: ["response", "headers", "x.y"] })).toBe(
      '{{book.response.headers["x.y"]}}',
    )
    expect(pathOf({ block: "get-{{i}}", steps: ["response", "body", "0", "a b"] })).toBe(
      "get-{{i}}.response.body.0.a b",
    )
    expect(valueAtSteps({ "a/b": [{ x: null }] }, ["a/b", "0", "x"])).toBeNull()
    expect(valueAtSteps({}, ["constructor"])).toBeUndefined()
  })

  it("compares nothing that contains a masked secret, and asks for the digits of a large integer", () => {
    const labels = (value: Parameters<typeof isComparable>[0]) =>
      valueItems("w", { ...title, value }).map(({ label }) => label)
    expect(isComparable({ token: "Bearer ***" })).toBe(false)
    expect(labels("***")).toEqual([
      "Assert exists",
      "Assert has a value",
      "Save as transform",
      "Branch on it (condition)",
      "Copy token",
    ])
    expect(labels("Faust")).toContain("Assert equals")
    expect(labels("Faust")).toContain("Assert contains…")
    expect(largeInteger("9007199254740993")).toBe(9007199254740993n)
    expect(largeInteger("1234567890123456")).toBeUndefined()
    expect(labels("9007199254740993").slice(0, 2)).toEqual([
      "Assert equals the number",
      "Assert equals the text",
    ])
    expect(labels(null)).not.toContain("Assert has a value")
  })
})
