import { describe, expect, it } from "vitest"
import { formatProblem } from "../problems.ts"
import { checkWorkflow } from "./check-workflow.ts"
import { walkBlocks } from "./walk.ts"

const file = "apis/workflow/w.json"
const check = (text: string) => checkWorkflow({ file, text })
const lines = (text: string) => check(text).problems.map(formatProblem)
const workflow = (...blocks: readonly unknown[]) => JSON.stringify({ version: 1, blocks })
const codes = (text: string) => check(text).problems.map((problem) => problem.code)
const get = { id: "get", type: "request", request: { api: "shop", operation: "getOrder" } }

describe("checkWorkflow", () => {
  it("returns the typed value of a valid file and accepts $schema at the top", () => {
    const { workflow: value, problems } = check('{"$schema": "x", "version": 1, "blocks": []}')
    expect(problems).toEqual([])
    expect(value?.blocks).toEqual([])
  })

  it("accepts iterator tokens and $index in ids of nested loops", () => {
    const inner = {
      id: "in-{{i}}",
      type: "loop",
      mode: "times",
      count: 1,
      iteratorVar: "j",
      blocks: [{ ...get, id: "get-{{i}}-{{j.sku}}-{{$index}}" }],
    }
    expect(
      lines(
        workflow({ id: "out", type: "loop", mode: "times", count: 1, iteratorVar: "i", blocks: [inner] }),
      ),
    ).toEqual([])
  })

  it("suggests forEach if a number is a token", () => {
    const [problem] = check(
      workflow({ id: "l", type: "loop", mode: "times", count: "{{n}}", blocks: [] }),
    ).problems
    expect(problem).toMatchObject({ code: "field-type", hint: expect.stringContaining("forEach") as string })
  })

  it("reports wrong names along with wrong shapes, in and around broken blocks", () => {
    const broken = {
      id: "poll",
      type: "loop",
      mode: "somtimes",
      blocks: [{ id: "a", type: "group", blocks: [] }],
    }
    const problems = check(
      workflow(broken, { id: "a", type: "assert", assertions: [{ source: "a.{{", operator: "exists" }] }),
    ).problems
    expect(problems.map(({ code }) => code)).toEqual(["field-value", "id-duplicate", "token-malformed"])
  })

  it("keeps the positions of blocks around broken ones", () => {
    const broken = {
      id: "if",
      type: "condition",
      then: [1, get],
      else: [{ ...get, id: "other", request: 1 }],
    }
    const { readable, workflow: value } = check(workflow(broken, { ...get, id: "last" }))
    expect(value).toBeUndefined()
    expect(
      [...walkBlocks(readable!.workflow.blocks)].map(({ block, pointer }) => [block.id, pointer().join("/")]),
    ).toEqual([
      ["if", "blocks/0"],
      [expect.any(String), "blocks/0/then/0"],
      ["get", "blocks/0/then/1"],
      ["other", "blocks/0/else/0"],
      ["last", "blocks/1"],
    ])
    expect([...readable!.broken].map(({ id }) => id)).toContain("other")
    expect(readable!.isComplete).toBe(false)
  })

  it("ignores the content of a block with an unknown type, and of a list that doesn't belong to its block", () => {
    const unseen = { id: 5, type: "assert", assertions: [{ source: { a: 1 }, operator: "exists" }] }
    const deeper = { id: "deeper", type: "group", blocks: [unseen] }
    const odd = { id: "odd", type: { a: "loop" }, blocks: [deeper] }
    const request = { ...get, request: 1, blocks: [unseen], then: [unseen] }
    expect(codes(workflow(odd))).toEqual(["field-type"])
    expect(codes(workflow(request))).toEqual(["field-type", "field-unknown", "field-unknown"])
  })

  it("stops after a thousand shape errors and says so", () => {
    const blocks = Array.from({ length: 20_000 }, (_, at) => ({
      id: `b${at}`,
      type: at % 2 === 0 ? "group" : "requst",
    }))
    const { problems, readable } = check(workflow(...blocks))
    expect(problems).toHaveLength(1_001)
    expect(problems[0]!.message).toContain("the file has more than 1000 problems")
    expect(readable).toBeUndefined()
  })
  it.each([
    ["taken ids", () => `"id":"g",`],
    ["invalid ids", () => `"id":"g h i {",`],
    ["texts with broken tokens", (at: number) => `"id":"g${at}","description":"{{a b",`],
  ])(
    "stops after a thousand %s in 10,000 nested groups, quickly and with little output",
    (_, fields) => {
      const open = Array.from({ length: 10_000 }, (__, at) => `{${fields(at)}"type":"group","blocks":[`)
      const { problems } = check(`{"version":1,"blocks":[${open.join("")}${"]}".repeat(10_000)}]}`)
      expect(problems).toHaveLength(1_001)
      expect(problems[0]!.message).toContain("the file has more than 1000 problems")
      expect(new Set(problems.map(({ column }) => column)).size).toBe(1_001)
      expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(300)
    },
    4_000,
  )
})
