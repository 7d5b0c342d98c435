import { describe, expect, it } from "vitest"
import { projectOf } from "../testing/project-of.ts"
import { renameVariable, variablePlaces } from "./rename-variable.ts"

const schema = { version: 1, variables: { key: { type: "string", required: false } } }
const shop = (requests: Readonly<Record<string, unknown>> = {}) => ({
  shop: { environments: { "schema.json": schema }, requests },
  pay: { environments: { "schema.json": schema } },
})

const send = (id: string, query: Readonly<Record<string, string>>, api = "shop") => ({
  id,
  type: "request",
  request: { api, operation: "GET /", overrides: { params: { query } } },
})

interface Parts {
  readonly blocks: readonly unknown[]
  readonly inputs?: unknown
  readonly requests?: Readonly<Record<string, unknown>>
}

/** Renames the variable `key` of the API "shop" in a workflow with these blocks. */
function rename({ blocks, inputs, requests = {} }: Parts, to = "token") {
  const workflow = { version: 1, ...(inputs === undefined ? {} : { inputs }), blocks }
  const project = projectOf({ workflows: { flow: workflow }, apis: shop(requests) })
  return renameVariable(project, { api: "shop", name: "key" }, to)
}

/** Returns a text of a request block after the rename. */
function renamed(text: string, to = "token"): string {
  const { texts, problems } = rename({ blocks: [send("a", { q: text })] }, to)
  expect(problems).toEqual([])
  const after = texts[0]?.after
  if (after === undefined) return text
  const value = JSON.parse(after) as {
    blocks: { request: { overrides: { params: { query: { q: string } } } } }[]
  }
  return value.blocks[0]?.request.overrides.params.query.q ?? ""
}

describe("renameVariable", () => {
  it.each([
    ["{{key}}", "{{token}}"],
    ["{{  key }}", "{{  token }}"],
    ["a {{key}} b {{key.path[0]}} {{other}} {{keys}}", "a {{token}} b {{token.path[0]}} {{other}} {{keys}}"],
    ["{{env.shop.key}} {{env.pay.key}}", "{{env.shop.token}} {{env.pay.key}}"],
    ['{{env["shop"]["key"]}} {{ ["key"] }}', '{{env["shop"]["token"]}} {{ ["token"] }}'],
    ['{{env.shop["k\\u0065y"].a}}', '{{env.shop["token"].a}}'],
    ["{{a.{{key}}.b}} {{x{{env.shop.key}}}}", "{{a.{{token}}.b}} {{x{{env.shop.token}}}}"],
    ["\\{{key}} \\\\{{key}}", "\\{{key}} \\\\{{token}}"],
    ["key env.shop.key {{$uuid}}", "key env.shop.key {{$uuid}}"],
    ["{{env.shop.key {{key}}", "{{env.shop.key {{key}}"],
    ["{{env.key}} {{shop.key}} {{env.shop}}", "{{env.key}} {{shop.key}} {{env.shop}}"],
    ['\u{1F600}{{key}}\n\t"{{key}}"', '\u{1F600}{{token}}\n\t"{{token}}"'],
  ])("turns %j into %j", (before, after) => {
    expect(renamed(before)).toBe(after)
  })

  it("changes only the names in a text: escapes, line endings and order stay", () => {
    const text =
      '{\r\n\t"version" : 1,\r\n\t"blocks": [ {"id":"a","type":"request","description":"\\u00e9\\/ {{ke\\u0079}} \\n",' +
      '"request":{"api":"shop","operation":"GET /","overrides":{"body":{"x":["\\t{{key}}\\u007b",1e2]}}}} ]\r\n}\r\n'
    const project = projectOf({ workflows: { flow: text }, apis: shop() })
    const { texts } = renameVariable(project, { api: "shop", name: "key" }, "token")
    expect(texts).toEqual([
      {
        file: "apis/workflow/flow.json",
        before: text,
        after: text.replace("{{key}}", "{{token}}").replace("{{ke\\u0079}}", "{{token}}"),
      },
    ])
  })

  it("follows paths in every kind of block, where a plain name is not a variable", () => {
    const { texts, warnings } = rename({
      blocks: [
        { id: "t", type: "transform", transforms: { out: "env.shop.key", plain: "key" } },
        {
          id: "c",
          type: "assert",
          assertions: [
            { source: "env.shop.key", operator: "equals", value: ["{{env.shop.key}}", "{{key}}"] },
          ],
        },
        {
          id: "l",
          type: "loop",
          mode: "forEach",
          source: "env.shop.key",
          blocks: [send("p", { q: "{{key}}" }, "pay")],
        },
      ],
    })
    const after = texts[0]?.after ?? ""
    expect(after.match(/env\.shop\.token/g)).toHaveLength(4)
    expect(after.match(/\bkey\b/g)).toHaveLength(3)
    expect(warnings).toEqual([])
  })

  it.each<[string, Parts]>([
    ["an input", { inputs: { key: { type: "string" } }, blocks: [send("a", { q: "{{key}}" })] }],
    ["an earlier block", { blocks: [send("key", {}), send("a", { q: "{{key}}" })] }],
    [
      "an iterator",
      {
        blocks: [
          {
            id: "l",
            type: "loop",
            mode: "times",
            count: 1,
            iteratorVar: "key",
            blocks: [send("a", { q: "{{key}}" })],
          },
        ],
      },
    ],
  ])("leaves a name that belongs to %s", (_, parts) => {
    expect(rename(parts)).toEqual({ texts: [], warnings: [], problems: [] })
  })

  it("changes a name that a later block has, because that block has no result yet", () => {
    const { texts } = rename({ blocks: [send("a", { q: "{{key}}" }), send("key", {})] })
    expect(texts[0]?.after).toContain("{{token}}")
  })

  it("leaves and reports a name of a block that may be skipped, or that tokens build", () => {
    const { texts, warnings } = rename({
      blocks: [
        { id: "c", type: "condition", if: { source: "x", operator: "exists" }, then: [send("key", {})] },
        send("a", { q: "{{key}}", r: "{{k{{x}}}}", s: "{{env.shop.{{x}}}}" }),
      ],
    })
    expect(texts).toEqual([])
    expect(warnings.map(({ file, line }) => [file, line])).toHaveLength(3)
  })

  it("leaves and reports an escaped name inside a token", () => {
    const query = { q: '{{env.shop.key["\\{{a"] }}', r: '{{env.shop.key["\\{{a"] }} }}' }
    const { texts, warnings } = rename({ blocks: [send("a", query)] })
    expect([texts, warnings.length]).toEqual([[], 2])
  })

  it("writes the full path if the new name already means something else", () => {
    const { texts, problems } = rename({
      inputs: { token: { type: "string" } },
      blocks: [send("a", { q: '{{key}} {{["key"].x}} {{env.shop.key}}' })],
    })
    expect(problems).toEqual([])
    expect(texts[0]?.after).toContain("{{env.shop.token}} {{env.shop.token.x}} {{env.shop.token}}")
  })

  it("fails if the variable could no longer be read", () => {
    const inputs = { token: { type: "string" }, env: { type: "string" } }
    const { problems } = rename({ inputs, blocks: [send("a", { q: "{{key}}" })] })
    expect(problems).toMatchObject([{ code: "id-duplicate", file: "apis/workflow/flow.json" }])
  })

  it("follows the API's saved requests, and full paths in those of other APIs", () => {
    const project = projectOf({
      workflows: {},
      apis: {
        ...shop({ "r/one": { version: 1, method: "GET", path: "/{{key}}", body: ["{{key}}"] } }),
        pay: { requests: { "r/two": { version: 1, method: "GET", path: "/{{key}}/{{env.shop.key}}" } } },
      },
    })
    const { texts } = renameVariable(project, { api: "shop", name: "key" }, "token")
    expect(texts.map(({ file }) => file)).toEqual([
      "apis/shop/requests/r/one.json",
      "apis/pay/requests/r/two.json",
    ])
    expect(texts[0]?.after.match(/token/g)).toHaveLength(2)
    expect(texts[1]?.after).toContain("/{{key}}/{{env.shop.token}}")
  })

  const saved = { "r/one": { version: 1, method: "GET", path: "/{{key}}" } }
  const sendSaved = (id: string, instance = "one") => ({
    id,
    type: "request",
    request: { api: "shop", instance },
  })

  it("resolves a name in a saved request by the workflows that send it", () => {
    const input = { inputs: { key: { type: "string" } }, requests: saved }
    const elsewhere = rename({ ...input, blocks: [sendSaved("a")] })
    expect([elsewhere.texts, elsewhere.warnings.length]).toEqual([[], 1])
    const unsent = rename({ ...input, blocks: [sendSaved("a", "two")] })
    expect(unsent.texts[0]?.after).toContain("/{{token}}")
  })

  it("fails if a name in a saved request is the variable in one workflow and something else in another", () => {
    const project = projectOf({
      workflows: {
        one: { version: 1, inputs: { key: { type: "string" } }, blocks: [sendSaved("a")] },
        two: { version: 1, blocks: [sendSaved("a")] },
      },
      apis: shop(saved),
    })
    const { problems, texts } = renameVariable(project, { api: "shop", name: "key" }, "token")
    expect(texts).toEqual([])
    expect(problems).toMatchObject([{ code: "id-duplicate", file: "apis/shop/requests/r/one.json", line: 4 }])
  })

  it("lists where a variable is read", () => {
    const project = projectOf({
      workflows: { flow: { version: 1, blocks: [send("a", { q: "{{key}}", r: "{{other}}" })] } },
      apis: shop(saved),
    })
    const places = variablePlaces(project, { api: "shop", name: "key" })
    expect(places.map(({ file, line }) => `${file ?? ""}:${line ?? 0}`)).toEqual([
      "apis/workflow/flow.json:13",
      "apis/shop/requests/r/one.json:4",
    ])
  })

  it("reads a million characters with a hundred thousand tokens in seconds", () => {
    const project = projectOf({
      workflows: { flow: { version: 1, blocks: [send("a", { q: "{{key}} x".repeat(100_000) })] } },
      apis: shop(),
    })
    const { texts } = renameVariable(project, { api: "shop", name: "key" }, "token")
    expect(texts[0]?.after.match(/token/g)).toHaveLength(100_000)
  }, 20_000)
})
