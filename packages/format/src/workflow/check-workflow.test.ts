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

  it("reports where a misspelled field is and suggests the right one", () => {
    const text = '{\n  "version": 1,\n  "onFailiure": "halt",\n  "blocks": []\n}'
    expect(check(text).problems).toEqual([
      {
        code: "field-unknown",
        severity: "error",
        message: 'unknown field "onFailiure"',
        hint: 'did you mean "onFailure"?',
        file,
        line: 3,
        column: 3,
      },
    ])
  })

  it.each([
    ['{"blocks": []}', "version-invalid"],
    ['{"version": "1", "blocks": []}', "version-invalid"],
    ['{"version": 2, "blocks": []}', "version-invalid"],
    ['{"version": 1}', "field-missing"],
    ['{"version": 1, "blocks": {}}', "field-type"],
    ['{"version": 1, "blocks": [], "onFailure": "stop"}', "field-value"],
    ["", "json-syntax"],
    ['{"version": 1, "version": 1, "blocks": []}', "json-syntax"],
    [workflow({ ...get, type: "__proto__" }), "field-value"],
    [workflow({ ...get, type: "requst" }), "field-value"],
    [workflow({ id: "a", type: "assert" }), "exactly-one"],
    [
      workflow({ id: "a", type: "assert", assertions: [], script: { name: "s", exportName: "f" } }),
      "exactly-one",
    ],
    [
      workflow({ id: "a", type: "assert", assertions: [{ source: "get", operator: "constructor" }] }),
      "field-value",
    ],
    [
      workflow({ id: "a", type: "assert", assertions: [{ source: "get", operator: "equals" }] }),
      "field-missing",
    ],
    [
      workflow({ id: "a", type: "assert", assertions: [{ source: "a..b", operator: "exists" }] }),
      "field-value",
    ],
    [workflow({ id: "g", type: "request", request: { api: "shop" } }), "field-missing"],
    [workflow({ ...get, request: { api: "{{api}}", operation: "x" } }), "token-malformed"],
    [workflow({ ...get, request: { ...get.request, headers: {} } }), "field-unknown"],
    [workflow({ ...get, request: { ...get.request, overrides: { body: { "a..b": 1 } } } }), "field-value"],
    [
      workflow({ ...get, request: { ...get.request, overrides: { body: { a: { b: ["{{"] } } } } }),
      "token-malformed",
    ],
    [workflow({ ...get, description: "{{}}" }), "token-malformed"],
    [workflow({ ...get, id: "a.b" }), "id-invalid"],
    [workflow({ ...get, id: "$a" }), "id-invalid"],
    [workflow({ ...get, id: "" }), "id-invalid"],
    [workflow({ ...get, id: "a\u001b" }), "id-invalid"],
    [workflow({ ...get, id: "get-{{i}}" }), "token-malformed"],
    [workflow(get, get), "id-duplicate"],
    [workflow(get, { id: "g", type: "group", blocks: [get] }), "id-duplicate"],
    [workflow({ id: "l", type: "loop", mode: "times", blocks: [] }), "field-missing"],
    [workflow({ id: "l", type: "loop", mode: "times", count: -1, blocks: [] }), "field-value"],
    [workflow({ id: "l", type: "loop", mode: "times", count: 1.5, blocks: [] }), "field-value"],
    [workflow({ id: "l", type: "loop", mode: "times", count: 1, source: "a", blocks: [] }), "field-unknown"],
    [workflow({ id: "l", type: "loop", mode: "toString", count: 1, blocks: [] }), "field-value"],
    [workflow({ id: "l", type: "loop", mode: "until", blocks: [] }), "exactly-one"],
    [
      workflow({
        id: "l",
        type: "loop",
        mode: "until",
        until: { source: "a", operator: "exists" },
        execution: "parallel",
        blocks: [],
      }),
      "field-unknown",
    ],
    [
      workflow({
        id: "l",
        type: "loop",
        mode: "until",
        until: { source: "a", operator: "exists" },
        maxIterations: 0,
        blocks: [],
      }),
      "field-value",
    ],
    [
      workflow({
        id: "l",
        type: "loop",
        mode: "until",
        until: { source: "a", operator: "exists" },
        delayMs: -1,
        blocks: [],
      }),
      "field-value",
    ],
    [
      workflow({
        id: "l",
        type: "loop",
        mode: "until",
        until: { source: "a", operator: "exists" },
        delayMs: 2147483648,
        blocks: [],
      }),
      "field-value",
    ],
    [
      workflow({ id: "s", type: "script", script: { name: "s", exportName: "f" }, timeoutMs: 0 }),
      "field-value",
    ],
    [
      workflow({ id: "l", type: "loop", mode: "times", count: 1, iteratorVar: "i.j", blocks: [] }),
      "id-invalid",
    ],
    [
      workflow({
        id: "l",
        type: "loop",
        mode: "times",
        count: 1,
        iteratorVar: "i",
        blocks: [{ ...get, id: "get-{{j}}" }],
      }),
      "token-malformed",
    ],
    [
      workflow({ id: "l", type: "loop", mode: "times", count: 1, iteratorVar: "get", blocks: [get] }),
      "id-duplicate",
    ],
    ['{"version": 1, "inputs": {"n": {}}, "blocks": []}', "field-missing"],
    [
      '{"version": 1, "inputs": {"n": {"type": "string", "default": "{{x}}"}}, "blocks": []}',
      "token-malformed",
    ],
    ['{"version": 1, "inputs": {"a.b": {"type": "string"}}, "blocks": []}', "id-invalid"],
  ])("rejects %s", (text, code) => {
    expect(codes(text)).toEqual([code])
    expect(check(text).workflow).toBeUndefined()
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

  it("reports everything at once, in file order", () => {
    const problems = check(
      workflow({ id: "a", type: "assert" }, { id: 1, type: "group", blocks: [] }, { type: "script" }),
    ).problems
    expect(problems.map(({ code }) => code)).toEqual([
      "exactly-one",
      "field-type",
      "field-missing",
      "field-missing",
    ])
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

  it("reads 10,000 nested groups and finds the error at the bottom", () => {
    const nest = (bottom: string) =>
      `{"version":1,"blocks":[${Array.from({ length: 10_000 }, (_, at) => `{"id":"g${at}","type":"group","blocks":[`).join("")}${bottom}${"]}".repeat(10_000)}]}`
    expect(lines(nest(""))).toEqual([])
    expect(codes(nest('{"id":"x","type":"asert"}'))).toEqual(["field-value"])
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
