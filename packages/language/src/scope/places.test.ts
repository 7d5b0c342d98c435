import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"
import { describe, expect, it } from "vitest"
import { inLookUpOrder } from "./rules.ts"
import { WorkflowNames, type VisibleName } from "./places.ts"

const request = (id: string) => ({ id, type: "request", request: { api: "shop" } })

const workflow = {
  version: 1,
  inputs: { customer: { type: "string" } },
  blocks: [
    request("first"),
    {
      id: "maybe",
      type: "condition",
      then: [request("inside")],
      else: [{ id: "named", type: "transform", transforms: { a: "first.response" } }],
    },
    {
      id: "outer",
      type: "loop",
      mode: "forEach",
      iteratorVar: "row",
      blocks: [
        request("a"),
        {
          id: "inner",
          type: "loop",
          mode: "until",
          iteratorVar: "round",
          until: { source: "b.response.status", operator: "equals", value: 200 },
          blocks: [request("b"), { id: "check", type: "assert", assertions: [] }],
        },
        request("after"),
      ],
    },
    request("last"),
  ],
}

type Pointer = readonly (string | number)[]

function scopeOf(value: JsonValue | undefined, pointer: Pointer) {
  let found = value
  for (const step of pointer)
    found = isJsonArray(found) ? found[Number(step)] : isJsonObject(found) ? found[step] : undefined
  const block = isJsonObject(found) ? found : {}
  const visible = new WorkflowNames(value).visibleTo(block, block["type"] === "loop")
  return {
    hasIndex: visible.hasIndex,
    names: inLookUpOrder<VisibleName>({ ...visible, variable: [], environment: [] }),
  }
}

const names = (...pointer: Pointer) => scopeOf(workflow, pointer).names.map(({ name }) => name)

describe("the scope of a block", () => {
  it("has inputs, then earlier blocks, nearest first, and nothing without a result", () => {
    expect(names("blocks", 0)).toEqual(["customer"])
    expect(names("blocks", 3)).toEqual(["customer", "after", "b", "a", "named", "inside", "first"])
    expect(names("blocks", 1, "else", 0)).toEqual(["customer", "first"])
  })

  it("has the iterators of enclosing loops, innermost first, and every block of their bodies", () => {
    const pointer = ["blocks", 2, "blocks", 1, "blocks", 1]
    const found = ["round", "row", "customer", "b", "a", "named", "inside", "first", "after"]
    expect(names(...pointer)).toEqual(found)
    expect(scopeOf(workflow, pointer).hasIndex).toBe(true)
    expect(scopeOf(workflow, ["blocks", 3]).hasIndex).toBe(false)
  })

  it("in the check of a loop, has the blocks of that loop", () => {
    expect(names("blocks", 2, "blocks", 1).slice(0, 4)).toEqual(["round", "row", "customer", "b"])
  })

  it("handles invalid files, and blocks nested 20,000 deep", () => {
    expect(scopeOf(undefined, ["blocks", 0]).names).toEqual([])
    expect(scopeOf({ blocks: [1, null, { id: 7 }, request("x")] }, ["blocks", 4]).names).toHaveLength(1)
    let deep: Record<string, unknown> = request("bottom")
    for (let depth = 0; depth < 20_000; depth++) deep = { id: `${depth}`, type: "group", blocks: [deep] }
    expect(scopeOf({ blocks: [deep, request("x")] } as never, ["blocks", 1]).names).toMatchObject([
      { name: "bottom" },
    ])
  })
})
