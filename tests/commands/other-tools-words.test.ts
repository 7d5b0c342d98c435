// Mistakes of people who know another tool: the message says how to write it here.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { assert, document, echo, request, shopFiles } from "../run/shop-project.ts"

const described = {
  ...document,
  paths: {
    ...document.paths,
    "/orders": {
      get: {
        operationId: "list",
        tags: ["orders"],
        responses: {
          200: {
            description: "Orders.",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: {
                    id: { type: "integer" },
                    createdAt: { type: "string", format: "date-time" },
                    items: { type: "array", items: { type: "object" } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
}

interface Found {
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly hint?: string
  readonly line: number
}

async function problemsOf(blocks: readonly unknown[], more: object = {}): Promise<readonly Found[]> {
  const files = {
    ...shopFiles("http://127.0.0.1:9", blocks),
    "apis/shop/openapi.json": described,
    ...more,
  }
  const { stdout } = await callsheet(["validate", "--json"], { files })
  const { problems } = JSON.parse(stdout) as { problems: readonly Found[] }
  // The document of `echo` has no parameters.
  return problems.filter(({ code }) => code !== "parameter-unknown")
}

const list = (id: string) => request(id, { resource: "orders", operation: "list" })
const hints = (found: readonly Found[]) => found.map(({ hint }) => hint)

describe("validate", () => {
  it("says how to write the paths of other tools as sources", async () => {
    const sources = [
      ["$.id", "a.response.body.id"],
      ["$", "a.response.body"],
      ["$[0].id", "a.response.body.0.id"],
      ['$["items"][0]["sku"]', "a.response.body.items.0.sku"],
      ["response.status", "a.response.status"],
      ["response.id", "a.response.body.id"],
      ["response.statusCode", "a.response.status"],
      ["res.status", "a.response.status"],
      ["res.body.id", "a.response.body.id"],
      ["res.getHeader('Location')", "a.response.headers.location"],
      ["body.id", "a.response.body.id"],
      ["json.id", "a.response.body.id"],
      ["statusCode", "a.response.status"],
      ["headers.Location", "a.response.headers.location"],
      ["duration", "a.response.durationMs"],
      ["responseTime", "a.response.durationMs"],
      ['jsonpath "$.id"', "a.response.body.id"],
      ['header "Location"', "a.response.headers.location"],
      ["pm.response.code", "a.response.status"],
      ["pm.response.json().id", "a.response.body.id"],
      ["pm.response.headers.get('X-Id')", "a.response.headers.x-id"],
      ["responseBody.id", "a.response.body.id"],
      ["previous.response.status", "a.response.status"],
      ["$response.body#/id", "a.response.body.id"],
      ["$statusCode", "a.response.status"],
      ["$steps.a.outputs.id", "a.response.body.id"],
      ["steps.a.response.status", "a.response.status"],
      ["a.status", "a.response.status"],
      ["a.body.id", "a.response.body.id"],
      ["a.response.statusCode", "a.response.status"],
      ["a.response.data.id", "a.response.body.id"],
      ["a.response.json.id", "a.response.body.id"],
      ["a.response.time", "a.response.durationMs"],
    ] as const
    const blocks = sources.map(([source], index) => assert(`check-${index}`, [source, "equals", 1]))
    const found = await problemsOf([list("a"), ...blocks])
    expect(found.map(({ code, hint }) => [code, hint])).toEqual(
      sources.map(([, own]) => ["source-unresolved", `did you mean "${own}"?`]),
    )
  })

  it("says how to write paths of other tools in placeholders", async () => {
    const found = await problemsOf([
      list("a"),
      echo("b", { one: "{{response.body.id}}", two: "{{$.id}}", three: "{{$json.id}}" }),
    ])
    const hint = 'did you mean "a.response.body.id"?'
    expect(hints(found)).toEqual([hint, hint, hint])
  })

  it("names no block if no response was received before", async () => {
    const found = await problemsOf([assert("check", ["response.status", "equals", 200]), list("a")])
    expect(hints(found)).toEqual(['did you mean "<block>.response.status"?'])
  })

  it.each([
    ["{{a}}", "a"],
    ["{{a.response.status}}", "a.response.status"],
    ["{{ a.response.body.id }}", "a.response.body.id"],
    ["{{a.response}}", "a.response"],
  ])("says that the source %s is written without braces", async (source, own) => {
    const [first, ...others] = await problemsOf([list("a"), assert("check", [source, "equals", 1])])
    expect(others).toEqual([])
    expect(first).toMatchObject({ severity: "error", hint: `write "${own}"` })
    expect(first?.message).toContain("without braces")
  })

  it("accepts an input that contains a path", async () => {
    const files = {
      "apis/workflow/w.json": {
        version: 1,
        inputs: { path: { type: "string" } },
        blocks: [list("a"), assert("check", ["{{path}}", "equals", 1])],
      },
    }
    expect(await problemsOf([], files)).toEqual([])
  })

  it.each([
    ["{a.response.status}", "a.response.status"],
    ["${a.response.status}", "a.response.status"],
    ["#{a.response.status}", "a.response.status"],
  ])("refuses the source %s and shows it without braces", async (source, own) => {
    const found = await problemsOf([list("a"), assert("check", [source, "equals", 1])])
    expect(hints(found)).toContain(`write it without braces: "${own}"`)
  })

  it("says how to quote a key", async () => {
    const found = await problemsOf([list("a"), assert("check", ["a['response'].status", "equals", 1])])
    expect(hints(found)).toEqual(['write keys in double quotes: a["response"].status'])
  })

  it.each(["item.id", "item", "each.id", "$item.id", "it.id", "element.id", "value.id"])(
    "explains %s in a loop without an iterator",
    async (name) => {
      const inner = echo("b", { id: `{{${name}}}` })
      const loop = { id: "all", type: "loop", mode: "forEach", source: "a.response.body.items" }
      const found = await problemsOf([list("a"), { ...loop, blocks: [inner] }])
      expect(hints(found)).toEqual(['to read the item of the loop "all", set its "iteratorVar" to this name'])
    },
  )

  it.each([
    ["item.id", "order.id"],
    ["$item.id", "order.id"],
    ["row", "order"],
    ["index", "$index"],
    ["loop.index", "$index"],
    ["i", "$index"],
  ])("says how to write %s in a loop with an iterator", async (name, own) => {
    const inner = echo("b", { id: `{{${name}}}` })
    const loop = { id: "all", type: "loop", mode: "forEach", source: "a.response.body.items" }
    const found = await problemsOf([list("a"), { ...loop, iteratorVar: "order", blocks: [inner] }])
    expect(hints(found)).toEqual([`did you mean "${own}"?`])
  })

  it.each([
    [{ query: {} }, "params.query"],
    [{ path: {} }, "params.path"],
    [{ headers: {} }, "params.header"],
    [{ header: {} }, "params.header"],
    [{ cookies: {} }, "params.cookie"],
    [{ queryParams: {} }, "params.query"],
    [{ pathParams: {} }, "params.path"],
    [{ json: {} }, "body"],
    [{ data: {} }, "body"],
    [{ payload: {} }, "body"],
    [{ parameters: {} }, "params"],
    [{ params: { headers: {} } }, "header"],
    [{ params: { queries: {} } }, "query"],
  ])("says where the override %j belongs", async (overrides, own) => {
    const found = await problemsOf([request("a", { resource: "orders", operation: "list", overrides })])
    expect(hints(found)).toEqual([`did you mean "${own}"?`])
  })

  it.each([
    [{ api: "shop" }, "request.api"],
    [{ operation: "list" }, "request.operation"],
    [{ overrides: {} }, "request.overrides"],
    [{ params: {} }, "request.overrides.params"],
    [{ headers: {} }, "request.overrides.params.header"],
    [{ body: {} }, "request.overrides.body"],
    [{ operationId: "list" }, "request.operation"],
  ])("says where %j of a block belongs", async (field, own) => {
    const found = await problemsOf([{ ...list("a"), ...field }])
    expect(hints(found)).toEqual([`did you mean "${own}"?`])
  })

  it.each([
    ["apiName", "api"],
    ["operationId", "operation"],
    ["tag", "resource"],
    ["params", "overrides.params"],
    ["query", "overrides.params.query"],
    ["body", "overrides.body"],
  ])("says what the field %s of a request means", async (field, own) => {
    const found = await problemsOf([{ id: "a", type: "request", request: { [field]: {} } }])
    expect(hints(found)).toContain(`did you mean "${own}"?`)
  })

  it.each([
    ["eq", "equals"],
    ["==", "equals"],
    ["toBe", "equals"],
    ["!=", "notEquals"],
    ["gt", "greaterThan"],
    ["<", "lessThan"],
    ["includes", "contains"],
    ["isDefined", "exists"],
    ["isNull", "hasNoValue"],
  ])("says what the operator %s is called here", async (operator, own) => {
    const found = await problemsOf([list("a"), assert("check", ["a.response.status", operator, 200])])
    expect(hints(found)).toEqual([`did you mean "${own}"?`])
  })

  it.each([
    ["http", "request"],
    ["if", "condition"],
    ["forEach", "loop"],
    ["test", "assert"],
    ["extract", "transform"],
    ["javascript", "script"],
  ])("says what a block of the type %s is called here", async (type, own) => {
    const found = await problemsOf([{ id: "a", type }])
    expect(hints(found)).toContain(`did you mean "${own}"?`)
  })
})

describe("a name in the braces of another tool", () => {
  it.each([
    ["${a.response.body.id}", "a.response.body.id"],
    ["/orders/${a.response.body.id}/lines", "a.response.body.id"],
    ["{a.response.body.id}}", "a.response.body.id"],
    ["{a.response.body.id}", "a.response.body.id"],
    ["#{a.response.body.id}", "a.response.body.id"],
    ["${ tier }", "tier"],
    ["{tier}}", "tier"],
    ["x-${sku}-y", "sku"],
  ])("%s is a warning", async (text, own) => {
    const files = {
      "apis/workflow/w.json": {
        version: 1,
        inputs: { sku: { type: "string", default: "A" } },
        blocks: [list("a"), echo("b", { q: text })],
      },
    }
    const [found, ...others] = await problemsOf([], files)
    expect(others).toEqual([])
    expect(found).toMatchObject({ code: "token-malformed", severity: "warning", hint: `write "{{${own}}}"` })
  })

  it.each([
    "${unknown.name}",
    "{id}",
    "{tier}",
    '{"a": 1}',
    "{{a.response.body.id}}",
    "price: $5 {approx}",
    "\\{{a.response.body.id}}",
    "{}",
    "function () { return 1 }",
    "${",
  ])("%s is not reported", async (text) => {
    expect(await problemsOf([list("a"), echo("b", { q: text })])).toEqual([])
  })

  it("is a warning before a run and in a saved request", async () => {
    const files = {
      ...shopFiles("http://127.0.0.1:9", [
        list("a"),
        request("b", { instance: "saved" }),
        echo("c", { q: "${a.response.status}" }),
      ]),
      "apis/shop/openapi.json": described,
      "apis/shop/requests/tools/saved.json": {
        version: 1,
        operation: "echo",
        params: { query: { q: "${a.response.status}" } },
      },
    }
    const { stdout } = await callsheet(["run", "w"], { files })
    expect(stdout.match(/is not a placeholder, so it is used as it is written/g)).toHaveLength(2)
    const checked = await callsheet(["validate"], { files })
    expect(checked.stdout.match(/is not a placeholder/g)).toHaveLength(2)
  })
})

describe("an id that is used twice", () => {
  const group = (id: string, ...blocks: readonly unknown[]) => ({ id, type: "group", blocks })
  const loop = (id: string, iteratorVar: string, ...blocks: readonly unknown[]) => ({
    id,
    type: "loop",
    mode: "times",
    count: 1,
    iteratorVar,
    blocks,
  })

  it.each<[string, readonly unknown[], string]>([
    ["in the same list", [echo("a"), echo("a")], "a block at apis/workflow/w.json:11"],
    ["inside a group", [echo("a"), group("g", echo("a"))], "a block at apis/workflow/w.json:11"],
    ["around the other", [group("a", echo("a"))], "a block at apis/workflow/w.json:11"],
    ["for the third time", [echo("a"), echo("b"), group("g", echo("a"))], "apis/workflow/w.json:11"],
    ["by an input", [echo("sku")], "an input at apis/workflow/w.json:4"],
    ["by an iterator", [loop("l", "n", echo("n"))], "an iterator at apis/workflow/w.json:15"],
  ])("%s names the file and line of the other one", async (_, blocks, place) => {
    const workflow = { version: 1, inputs: { sku: { type: "string", default: "A" } }, blocks }
    const found = await problemsOf([], { "apis/workflow/w.json": workflow })
    expect(found.map(({ code }) => code)).toEqual(["id-duplicate"])
    expect(found[0]?.message).toContain(place)
  })

  it("names the input that an iterator hides", async () => {
    const inputs = { sku: { type: "string", default: "A" } }
    const workflow = { version: 1, inputs, blocks: [loop("l", "sku", echo("b"))] }
    const found = await problemsOf([], { "apis/workflow/w.json": workflow })
    expect(found[0]?.message).toContain("the input at apis/workflow/w.json:4")
  })
})

describe("a comparison of dates", () => {
  it.each([
    ["a.response.body.createdAt", "lessThan", "2026-01-01"],
    ["a.response.body.createdAt", "greaterThan", 5],
    ["a.response.headers.date", "lessThan", 5],
    ["a.response.status", "lessThan", "2026-01-01T00:00:00Z"],
    ["a.response.body.createdAt", "greaterThan", "{{$isoTimestamp}}"],
  ])("%s %s %j says what to use instead", async (source, operator, value) => {
    const found = await problemsOf([list("a"), assert("check", [source, operator, value])])
    expect(found.map(({ code }) => code)).toEqual(["operator-type"])
    expect(found[0]?.hint).toContain("compare dates in an assert block")
  })
})
