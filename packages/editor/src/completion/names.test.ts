import { describe, expect, it } from "vitest"
import { editorOf } from "../testing/editor-of.ts"
import { shopFiles } from "../testing/shop-files.ts"

const { complete } = editorOf({ files: shopFiles })
const workflow = "apis/workflow/buy.json"
const order = '{ "id": "order", "type": "request", "request": { "api": "shop", "operation": "createOrder" } }'

/** Completes in the last block of a workflow. */
const inBlock = (marked: string, more = "") =>
  complete(workflow, `{ "version": 1, ${more} "blocks": [${order}, ${marked}] }`)

const inRequest = (marked: string) => inBlock(`{ "id": "b", "type": "request", "request": { ${marked} } }`)

describe("a request block", () => {
  it.each([
    ["APIs", '"api": "|"', ["shop"]],
    [
      "operations",
      '"api": "shop", "operation": "|"',
      ["listOrders", "createOrder", "getOrder", "GET /health"],
    ],
    ["operations by method", '"api": "shop", "operation": "post|"', ["createOrder"]],
    ["operations by path", '"api": "shop", "operation": "/orders/{|"', ["getOrder"]],
    ["operations by summary", '"api": "shop", "operation": "buy|"', ["createOrder"]],
    ["operations by words in any order", '"api": "shop", "operation": "orders find|"', ["listOrders"]],
    [
      "all operations if the name is complete",
      '"api": "shop", "operation": "getOrder|"',
      ["listOrders", "createOrder", "getOrder", "GET /health"],
    ],
    ["resources", '"api": "shop", "resource": | ', ["orders", "system"]],
    ["a resource's operations", '"api": "shop", "resource": "System", "operation": "|"', ["GET /health"]],
    ["saved requests", '"api": "shop", "instance": "|"', ["gift"]],
    [
      "parameters",
      '"api": "shop", "operation": "listOrders", "overrides": { "params": { "query": { | } } }',
      ["state", "page"],
    ],
    [
      "parameters of a saved request's operation",
      '"api": "shop", "operation": "getOrder", "overrides": { "params": { "path": { "|" } } }',
      ["id"],
    ],
    [
      "values of a parameter",
      '"api": "shop", "operation": "listOrders", "overrides": { "params": { "query": { "state": "|" } } }',
      ["open", "paid"],
    ],
    [
      "parts of the body",
      '"api": "shop", "instance": "gift", "overrides": { "body": { | } }',
      ["sku", "note", "speed", "address", "isGift", "address.city"],
    ],
    [
      "values in the body",
      '"api": "shop", "operation": "createOrder", "overrides": { "body": { "speed": | } }',
      ["slow", "fast"],
    ],
    [
      "booleans in the body",
      '"api": "shop", "operation": "createOrder", "overrides": { "body": { "isGift": | } }',
      ["true", "false"],
    ],
    ["nothing for an unknown API", '"api": "nope", "operation": "|"', []],
  ])("offers %s", async (_, text, labels) => {
    expect((await inRequest(text)).labels).toEqual(labels)
  })

  it("finds an operation by each word that a client compares", async () => {
    const { items } = await inRequest('"api": "shop", "operation": "|"')
    expect(items[1]).toMatchObject({
      detail: "POST /orders",
      filterText: "createOrder POST /orders Buy [things](https://evil.example)",
    })
  })

  it("describes parameters and parts of the body", async () => {
    const { items } = await inRequest(
      '"api": "shop", "operation": "listOrders", "overrides": { "params": { "query": { | } } }',
    )
    expect(items[0]).toMatchObject({
      label: "state",
      detail: "required, string",
      documentation: "Only these.",
    })
    const body = await inRequest('"api": "shop", "operation": "createOrder", "overrides": { "body": { | } }')
    expect(body.items[0]).toMatchObject({
      label: "sku",
      detail: "required, string",
      documentation: "What to buy.",
    })
  })
})

describe("a saved request", () => {
  const request = "apis/shop/requests/orders/gift.json"
  it.each([
    ["operations", '{ "operation": "get|" }', ["listOrders", "getOrder", "GET /health"]],
    ["parameters", '{ "operation": "listOrders", "params": { "query": { | } } }', ["state", "page"]],
    [
      "parts of the body",
      '{ "operation": "createOrder", "body": { "sku": "a", | } }',
      ["note", "speed", "address", "isGift"],
    ],
    ["inner parts of the body", '{ "operation": "createOrder", "body": { "address": { | } } }', ["city"]],
    [
      "parts of the body by method and path",
      '{ "method": "POST", "path": "/orders", "body": { "address": { | } } }',
      ["city"],
    ],
    ["values in the body", '{ "operation": "createOrder", "body": { "speed": "f|" } }', ["slow", "fast"]],
    [
      "variables in placeholders",
      '{ "operation": "createOrder", "body": { "note": "for {{b|" } }',
      ["baseUrl"],
    ],
  ])("offers %s", async (_, text, labels) => {
    expect((await complete(request, text)).labels).toEqual(labels)
  })
})

describe("the names in texts", () => {
  const assertion = (source: string) =>
    inBlock(`{ "id": "check", "type": "assert", "assertions": [{ "source": ${source} }] }`)

  it("start with inputs, results and environments", async () => {
    const { labels } = await inBlock(
      '{ "id": "t", "type": "transform", "transforms": { "a": "|" } }',
      '"inputs": { "sku": { "type": "string" } },',
    )
    expect(labels).toEqual(["sku", "order", "env", "$uuid", "$timestamp", "$isoTimestamp", "$randomInt"])
  })

  it("of blocks that run later are left out", async () => {
    const first = '{ "id": "t", "type": "transform", "transforms": { "a": "|" } }'
    const { labels } = await complete(workflow, `{ "blocks": [${first}, ${order}] }`)
    expect(labels).not.toContain("order")
  })

  it.each([
    ['"order.|"', ["order.response"]],
    [
      '"order.response.|"',
      ["order.response.status", "order.response.body", "order.response.headers", "order.response.durationMs"],
    ],
    [
      '"order.response.body.|"',
      [
        "order.response.body.id",
        "order.response.body.total",
        "order.response.body.state",
        "order.response.body.tags",
      ],
    ],
    ['"order.response.body.to|', ["order.response.body.total"]],
    ['"env.shop.|"', ["env.shop.baseUrl", "env.shop.retries", "env.shop.apiKey", "env.shop.clientSecret"]],
  ])("go on with the response by the document: %s", async (source, labels) => {
    expect((await assertion(source)).labels).toEqual(labels)
  })

  it("contain the iterator and the index of a loop", async () => {
    const inner = '{ "id": "t", "type": "transform", "transforms": { "a": "{{|" } }'
    const { labels } = await inBlock(
      `{ "id": "l", "type": "loop", "mode": "times", "count": 2, "iteratorVar": "i", "blocks": [${inner}] }`,
    )
    expect(labels.slice(0, 5)).toEqual(["i", "order", "t", "env", "$index"])
  })

  it("contain the variables of the request's API in its request only", async () => {
    expect((await inRequest('"api": "shop", "overrides": { "body": { "note": "{{|" } }')).labels).toContain(
      "retries",
    )
    expect((await inBlock('{ "id": "t", "description": "{{|" }')).labels).not.toContain("retries")
  })

  it.each([
    ['"|"', "order", '"order"'],
    ["| }", "order", '"order" }'],
    ['"order.response.st|', "order.response.status", '"order.response.status"'],
    ['"order.response.|"', "order.response.body", '"order.response.body"'],
  ])("are written in place: %s", async (source, label, result) => {
    const { take } = await assertion(source)
    expect(take(label)).toContain(`"source": ${result}`)
  })

  it("close their placeholder", async () => {
    const text = '"api": "shop", "overrides": { "body": { "note": "a \\"b\\" {{ret|" } }'
    expect((await inRequest(text)).take("retries")).toContain('"note": "a \\"b\\" {{retries}}"')
  })
})

describe("an assertion", () => {
  const operator = async (source: string, more = "") =>
    (
      await inBlock(
        `{ "id": "c", "type": "assert", "assertions": [{ "source": "${source}", "operator": "|" ${more} }] }`,
      )
    ).labels

  it("offers the operators that fit the type first", async () => {
    expect((await operator("order.response.body.total")).slice(0, 4)).toEqual([
      "equals",
      "notEquals",
      "greaterThan",
      "lessThan",
    ])
    expect((await operator("order.response.body.id")).slice(0, 3)).toEqual([
      "equals",
      "notEquals",
      "contains",
    ])
    expect((await operator("order.response.body.tags"))[0]).toBe("hasValue")
  })

  it("leaves out an operator only if the comparison would be an error", async () => {
    expect(await operator("order.response.durationMs")).not.toContain("contains")
    expect(await operator("order.response.body.total")).toContain("contains")
    expect(await operator("unknown")).toHaveLength(9)
  })

  it("offers the documented values", async () => {
    const value = (source: string) =>
      inBlock(
        `{ "id": "c", "type": "assert", "assertions": [{ "source": "${source}", "operator": "equals", "value": | }] }`,
      )
    expect((await value("order.response.body.state")).labels).toEqual(["open", "paid"])
    expect((await value("order.response.status")).labels).toEqual(["201", "400"])
  })
})

describe("other names", () => {
  it.each([
    [
      "scripts",
      workflow,
      '{ "blocks": [{ "id": "a", "type": "script", "script": { "name": "|" } }] }',
      ["check"],
    ],
    [
      "workflows in a suite",
      "callsheet.json",
      '{ "suites": { "s": { "workflows": ["|"] } } }',
      ["buy", "other"],
    ],
    [
      "environments of an API",
      "callsheet.json",
      '{ "suites": { "s": { "env": { "shop": | } } } }',
      ["base", "local"],
    ],
    ["APIs of environments", "callsheet.json", '{ "defaults": { "env": { | } } }', ["shop"]],
    [
      "reporters",
      "callsheet.json",
      '{ "defaults": { "reporters": ["j|"] } }',
      expect.arrayContaining(["json", "junit"]),
    ],
    [
      "inputs of an entry",
      "callsheet.json",
      '{ "suites": { "s": { "workflows": [{ "workflow": "other", "inputs": { | } }] } } }',
      ["sku"],
    ],
    ["parents of an environment", "apis/shop/environments/local.json", '{ "extends": "|" }', ["base"]],
    ["APIs in the baseline", "callsheet.baseline.json", '{ "violations": [{ "api": | }] }', ["shop"]],
    [
      "operations in the baseline",
      "callsheet.baseline.json",
      '{ "violations": [{ "api": "shop", "operation": | }] }',
      ["GET /orders", "POST /orders", "GET /orders/{id}", "GET /health"],
    ],
    [
      "statuses in the baseline",
      "callsheet.baseline.json",
      '{ "violations": [{ "api": "shop", "operation": "POST /orders", "status": | }] }',
      ["201", "400"],
    ],
    [
      "places of a response in the baseline",
      "callsheet.baseline.json",
      '{ "violations": [{ "api": "shop", "operation": "GET /orders", "status": 200, "path": "|" }] }',
      ["/body", "/body/*", "/body/*/id", "/body/*/total", "/body/*/state", "/body/*/tags", "/body/*/tags/*"],
    ],
    [
      "rules of a place in the baseline",
      "callsheet.baseline.json",
      '{ "violations": [{ "api": "shop", "operation": "GET /orders", "status": 200, "path": "/body/*/state", "schema": | }] }',
      ["openapi.json#/components/schemas/Order/properties/state/enum"],
    ],
  ])("are offered: %s", async (_, file, text, labels) => {
    expect((await complete(file, text)).labels).toEqual(labels)
  })
})

describe("a secrets file", () => {
  const file = "apis/shop/environments/local.secrets.env"
  it("offers the names of secret variables that it does not set", async () => {
    const { labels, take } = await complete(file, "apiKey=hunter2-key\n|")
    expect(labels).toEqual(["clientSecret"])
    expect(take("clientSecret")).toBe("apiKey=hunter2-key\nclientSecret=")
    expect((await complete(file, "cl|=x\n")).take("apiKey")).toBe("apiKey=x\n")
  })

  it("never offers or contains a value", async () => {
    expect((await complete(file, "apiKey=hunter2-key\nclientSecret=|")).items).toEqual([])
    expect((await complete(file, 'apiKey="a\n|\nb"\n')).items).toEqual([])
    expect(JSON.stringify((await complete(file, "apiKey=hunter2-key\n|")).items)).not.toContain("hunter2")
  })
})

describe("a script", () => {
  const file = "apis/workflow/scripts/other/a.ts"
  const blocks = [JSON.parse(order) as unknown]
  const scripts = editorOf({
    files: {
      ...shopFiles,
      "apis/workflow/other.json": { version: 1, inputs: { sku: { type: "string" } }, blocks },
    },
  })
  it.each([
    ['ctx.get("|")', ["sku", "order", "env"]],
    [
      'ctx.get("order.response.body.|',
      [
        "order.response.body.id",
        "order.response.body.total",
        "order.response.body.state",
        "order.response.body.tags",
      ],
    ],
    ["ctx.has('order.re|')", ["order.response"]],
    ['ctx.inputs["|"]', ["sku"]],
    ['ctx.env("|")', ["shop"]],
    ['ctx.env("shop")["|"]', ["baseUrl", "retries", "apiKey", "clientSecret"]],
    ['console.log("|")', []],
  ])("offers names in %s", async (code, labels) => {
    const marked = `export function f(ctx) {\n  ${code}\n}\n`
    expect((await scripts.complete(file, marked)).labels).toEqual(labels)
  })
})

it("documents an operation when the client asks, without links", async () => {
  const { items } = await inRequest('"api": "shop", "operation": "buy|"')
  const editor = editorOf({ files: shopFiles })
  const uri = `file://${editor.root}/apis/workflow/buy.json`
  const resolved = await editor.ask("completionItem/resolve", {
    ...items[0],
    data: { uri, api: "shop", operation: "createOrder" },
  })
  const { value } = (resolved as { readonly documentation: { readonly value: string } }).documentation
  expect(value).toContain("**POST** `/orders`")
  expect(value).not.toContain("https://evil.example")
})

it("offers nothing after a quote that ends a string, or where a whole value is", async () => {
  const ended = '{ "onFailure": "halt"| }'
  expect((await complete(workflow, ended)).labels).toEqual(["halt", "continue"])
  expect((await complete(workflow, ended, '"')).labels).toEqual([])
  expect((await complete(workflow, '{ "onFailure": "|" }', '"')).labels).toEqual(["halt", "continue"])
  expect((await complete(workflow, '{ "blocks": |[] }')).labels).toEqual([])
})
