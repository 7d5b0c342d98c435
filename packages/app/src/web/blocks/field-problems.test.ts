import { checkWorkflow, isJsonObject, parseJson, type JsonValue } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { assignProblems, locateProblems, pointerKey } from "./field-problems.ts"

const text = `{ "version": 1, "blocks": [
  { "id": "get", "type": "request", "request": { "api": "shop", "operation": "{{", "overrides": {
    "params": { "query": { "a": 1 } }, "body": { "x..y": 2 } }, "oh": 1 } },
  { "id": "check", "type": "assert", "timeoutMs": -1, "assertions": [
    { "source": "a", "operator": "equals" }, { "source": "b", "operator": "has" } ] }
] }`

const parsed = parseJson(text)
const blocks = parsed.ok && isJsonObject(parsed.value) ? (parsed.value["blocks"] as JsonValue[]) : []
const { problems } = checkWorkflow({ file: "w.json", text })

const located = (index: number) =>
  locateProblems({ text, base: ["blocks", index], value: blocks[index] ?? null }, problems)
    .filter(({ pointer }) => pointer.length > 0)
    .map(({ pointer, problem }) => [pointer.join("/"), problem.code])

describe("the field of a problem", () => {
  it("is found by where the problem stands in the text, be it at a key or at a value", () => {
    expect(located(0)).toEqual([
      ["request/overrides/params/query/a", "field-type"],
      ["request/oh", "field-unknown"],
    ])
    expect(located(1)).toEqual([
      ["timeoutMs", "field-value"],
      ["assertions/0", "field-missing"],
      ["assertions/1/operator", "field-value"],
    ])
  })

  it("is the closest one that is shown, else the whole form", () => {
    const all = locateProblems({ text, base: ["blocks", 1], value: blocks[1] ?? null }, problems)
    const shown = new Set([pointerKey(["assertions", 0]), pointerKey(["assertions"])])
    const assigned = assignProblems(all, shown)
    const codes = (pointer: readonly (string | number)[]) =>
      assigned.get(pointerKey(pointer))?.map(({ code, message }) => `${code} ${message.slice(0, 12)}`)
    expect(codes(["assertions", 0])).toHaveLength(1)
    expect(codes(["assertions"])?.[0]).toMatch(/^field-value/)
    expect(codes([])?.at(-1)).toMatch(/^field-value/)
  })

  it("is the same behind a byte order mark", () => {
    const marked = `\ufeff${text}`
    const found = locateProblems({ text: marked, base: ["blocks", 1], value: blocks[1] ?? null }, problems)
    expect(found.filter(({ pointer }) => pointer.length > 0)).toHaveLength(3)
  })
})
