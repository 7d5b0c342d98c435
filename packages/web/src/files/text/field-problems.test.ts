import { checkWorkflow } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { assignProblems, locateProblems, pointerKey } from "./field-problems.ts"

const text = `{ "version": 1, "blocks": [
  { "id": "get", "type": "request", "request": { "api": "shop", "operation": "{{", "overrides": {
    "params": { "query": { "a": 1 } }, "body": { "x..y": 2 } }, "oh": 1 } },
  { "id": "check", "type": "assert", "timeoutMs": -1, "assertions": [
    { "source": "a", "operator": "equals" }, { "source": "b", "operator": "has" } ] }
] }`

const { problems } = checkWorkflow({ file: "w.json", text })
const codes = (located: ReturnType<typeof locateProblems>) =>
  located.map(({ pointer, problem }) => [pointer.join("/"), problem.code])

describe("the field of a problem", () => {
  it("is found by the problem's position in the text, at a key or a value", () => {
    expect(codes(locateProblems(text, problems))).toEqual([
      ["blocks/0/request/overrides/params/query/a", "field-type"],
      ["blocks/0/request/oh", "field-unknown"],
      ["blocks/1/timeoutMs", "field-value"],
      ["blocks/1/assertions/0", "field-missing"],
      ["blocks/1/assertions/1/operator", "field-value"],
    ])
  })

  it("is the closest visible one, or the whole form", () => {
    const all = locateProblems(text, problems)
    const assertions = ["blocks", 1, "assertions"]
    const shown = new Set([pointerKey([...assertions, 0]), pointerKey(assertions)])
    const assigned = assignProblems(all, shown)
    const codes = (pointer: readonly (string | number)[]) =>
      assigned.get(pointerKey(pointer))?.map(({ code, message }) => `${code} ${message.slice(0, 12)}`)
    expect(codes([...assertions, 0])).toHaveLength(1)
    expect(codes(assertions)?.[0]).toMatch(/^field-value/)
    expect(codes([])?.at(-1)).toMatch(/^field-value/)
  })

  it("is the same after a byte order mark", () => {
    expect(codes(locateProblems(`\ufeff${text}`, problems))).toEqual(codes(locateProblems(text, problems)))
  })
})
