import type { BlockReport, RunReport } from "@callsheet/format"
import { createRunHistory } from "@callsheet/server"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { editorOf } from "../testing/editor-of.ts"
import { shopFiles } from "../testing/shop-files.ts"

const environment = {
  CALLSHEET_VAR__SHOP__RETRIES: "8080",
  CALLSHEET_VAR__SHOP__CLIENT_SECRET: "process-secret",
}
const files = {
  ...shopFiles,
  "apis/shop/environments/base.json": { baseUrl: "http://ann:pass-word@base.example" },
  "apis/shop/environments/local.json": { extends: "base" },
}
const { hover, root, state } = editorOf({ files, environment })
const workflow = "apis/workflow/buy.json"
const order = '{ "id": "order", "type": "request", "request": { "api": "shop", "operation": "createOrder" } }'
const inBlock = (marked: string) =>
  hover(
    workflow,
    `{ "version": 1, "inputs": { "sku": { "type": "string" } }, "blocks": [${order}, ${marked}] }`,
  )
const inRequest = (marked: string) =>
  inBlock(`{ "id": "b", "type": "request", "request": { "api": "shop", ${marked} } }`)
const inAssertion = (marked: string) =>
  inBlock(`{ "id": "c", "type": "assert", "assertions": [{ ${marked} }] }`)

describe("a hover on an operation", () => {
  it("shows its documentation", async () => {
    expect(await inRequest('"operation": "list|Orders"')).toBe(
      [
        "**GET** `/orders`",
        "Find orders",
        "Parameters:\n\n- `state` (query, string, required): Only these.\n- `page` (query, integer)",
        "Responses:\n\n- `200` (array of Order): Found",
      ].join("\n\n"),
    )
  })

  it("shows no link, image or HTML of the document", async () => {
    const shown = await inRequest('"operation": "create|Order"')
    expect(shown).toContain(String.raw`Buy \[things\](https:\//evil.example)`)
    expect(shown).toContain(String.raw`\<b\>Now\</b\> !\[x\](http:\//evil.example/x.png) www\.evil.example`)
    expect(shown).toContain("Body: `application/json` object, requires `sku`")
  })

  it("works in saved requests and the baseline", async () => {
    expect(await hover("apis/shop/requests/orders/gift.json", '{ "operation": "get|Order" }')).toContain(
      "`/orders/{id}`",
    )
    const entry = '{ "violations": [{ "api": "shop", "operation": "GET /hea|lth" }] }'
    expect(await hover("callsheet.baseline.json", entry)).toContain("**GET** `/health`")
  })
})

describe("a hover on a name", () => {
  const shop = [
    "`shop` (API, 4 operations)",
    "**Shop** 1",
    'Base URL:\n\n- **base**: `"http://***@base.example"` (`apis/shop/environments/base.json:2`)\n- **local**: `"http://***@base.example"` (inherited from base, `apis/shop/environments/base.json:2`)',
  ].join("\n\n")

  it("of an API shows its document and its base URLs", async () => {
    expect(await inBlock('{ "id": "b", "type": "request", "request": { "api": "sh|op" } }')).toBe(shop)
    const entry = '{ "violations": [{ "api": "sh|op", "operation": "GET /health" }] }'
    expect(await hover("callsheet.baseline.json", entry)).toBe(shop)
    expect(await hover("callsheet.json", '{ "suites": { "a": { "env": { "sh|op": "local" } } } }')).toBe(shop)
    const script = 'export const f = (ctx) => ctx.env("sh|op").baseUrl'
    expect(await hover("apis/workflow/scripts/buy/check.ts", script)).toBe(shop)
  })

  it("of an environment shows its variables with their origins, and no secret", async () => {
    const shown = await hover("callsheet.json", '{ "defaults": { "env": { "shop": "lo|cal" } } }')
    expect(shown).toContain("`local` (environment of shop")
    expect(shown).toContain("Extends `base`")
    expect(shown).toContain("- **retries**: `***` (the process variable `CALLSHEET_VAR__SHOP__RETRIES`)")
    expect(shown).toContain("- **clientSecret**: `***`")
    expect(shown).not.toContain("hunter2")
    expect(shown).not.toContain("process-secret")
    expect(shown).not.toContain("pass-word")
  })

  it("of a workflow shows its size and its inputs", async () => {
    const entry = '{ "suites": { "a": { "workflows": ["oth|er", { "workflow": "nope" }] } } }'
    expect(await hover("callsheet.json", entry)).toBe(
      ["`other` (workflow, 0 blocks)", "Inputs:\n\n- `sku` (string)"].join("\n\n"),
    )
    const unknown = entry.replace("oth|er", "other").replace("nope", "no|pe")
    expect(await hover("callsheet.json", unknown)).toBeUndefined()
  })
})

describe("a hover on a variable", () => {
  it("shows its value per environment with its origin, and no password", async () => {
    const shown = await inRequest(
      '"operation": "createOrder", "overrides": { "body": { "note": "{{base|Url}}" } }',
    )
    expect(shown).toBe(
      [
        "`shop.baseUrl` (variable, string, required)",
        "The shop's address.",
        [
          '- **base**: `"http://***@base.example"` (`apis/shop/environments/base.json:2`)',
          '- **local**: `"http://***@base.example"` (inherited from base, `apis/shop/environments/base.json:2`)',
        ].join("\n"),
      ].join("\n\n"),
    )
  })

  it("masks secrets and process variables", async () => {
    const secret = await inBlock(
      '{ "id": "t", "type": "transform", "transforms": { "a": "env.shop.api|Key" } }',
    )
    expect(secret).toContain("- **local**: `***` (`apis/shop/environments/local.secrets.env:1`)")
    expect(secret).toContain("- **base**: no value")
    const process = await hover("apis/shop/environments/local.json", '{ "|retries": 5 }')
    expect(process).toContain("- **local**: `***` (the process variable `CALLSHEET_VAR__SHOP__RETRIES`)")
    const both = `${secret} ${process} ${await hover("apis/shop/environments/schema.json", '{ "version": 1, "variables": { "client|Secret": { "type": "string", "required": false, "secret": true } } }')}`
    expect(both).not.toMatch(/hunter2|8080|process-secret/)
  })

  it("shows the default", async () => {
    const plain = editorOf({ files })
    expect(await plain.hover("apis/shop/environments/local.json", '{ "|retries": null }')).toContain(
      "- **base**: `3` (default, `apis/shop/environments/schema.json:",
    )
  })

  it("in a secrets file is on the name only", async () => {
    const file = "apis/shop/environments/local.secrets.env"
    const shown = await hover(file, "api|Key=hunter2-key\n")
    expect(shown).toContain("`shop.apiKey` (variable, string, secret)")
    expect(shown).not.toContain("hunter2")
    expect(await hover(file, "apiKey=hunt|er2-key\n")).toBeUndefined()
  })
})

describe("a hover on a path", () => {
  const source = (path: string) => inAssertion(`"source": "${path}", "operator": "exists"`)

  it("shows its type by the contract, and nothing of a run that isn't stored", async () => {
    expect(await source("order.response.body.to|tal")).toBe("`order.response.body.total` (result, number)")
    expect(await source("s|ku")).toBe("`sku` (input, string)")
    expect(await source("no|pe.response")).toBeUndefined()
  })

  it("shows the value in the last run, masked by today's secrets, too", async () => {
    const body = {
      id: "a",
      total: 12,
      tags: ["hunter2-key", "x"],
      note: `${"-".repeat(50)}hunter2-key`,
      state: "***",
    }
    const response = { status: 201, headers: {}, body, durationMs: 2, sizeBytes: 5 }
    const block: BlockReport = { id: "order", type: "request", status: "passed", durationMs: 3, response }
    const startedAt = "2026-11-22T03:00:00.000Z"
    const outcome = { status: "passed", durationMs: 1 } as const
    const counts = { passed: 1, failed: 0, skipped: 0 }
    const run: RunReport = {
      workflow: "buy",
      startedAt,
      environments: {},
      inputs: { sku: "pen" },
      counts,
      blocks: [block],
      ...outcome,
    }
    const history = createRunHistory({ state: join(state, "callsheet"), root })
    const summary = {
      run: "20261122T030000001Z-0123456789abcdef",
      workflow: "buy",
      startedAt,
      environments: {},
      ...outcome,
    }
    expect(history.keep({ summary, report: { version: 1, runs: [run], ...outcome } })).toBe(true)
    const fresh = editorOf({ files, environment, at: { root, state } })
    const inFresh = (path: string) =>
      fresh.hover(
        workflow,
        `{ "inputs": { "sku": { "type": "string" } }, "blocks": [${order}, { "id": "c", "type": "assert", "assertions": [{ "source": "${path}" }] }] }`,
      )
    expect(await inFresh("order.response.body.to|tal")).toContain("In the last run:\n\n```json\n12\n```")
    const all = await inFresh("order.response.bo|dy")
    expect(all).toContain('"***",\n    "x"')
    expect(all).not.toContain("hunter2")
    expect(await inFresh("s|ku")).toContain('"pen"')
    const { items } = await fresh.complete(
      workflow,
      `{ "blocks": [${order}, { "id": "c", "type": "assert", "assertions": [{ "source": "order.response.body.t|" }] }] }`,
    )
    expect(items.map(({ label, detail }) => [label, detail])).toContainEqual([
      "order.response.body.total",
      "number · 12",
    ])
    // A note about a value is cut, so that half a secret could be left.
    const notes = await fresh.complete(
      workflow,
      `{ "blocks": [${order}, { "id": "c", "type": "assert", "assertions": [{ "source": "order.response.body.|" }] }] }`,
    )
    expect(notes.labels).toContain("order.response.body.note")
    expect(JSON.stringify(notes.items)).not.toContain("hunter")
  })
})

describe("a hover on anything else", () => {
  it.each([
    [
      "a field",
      () => inBlock('{ "id": "c", "type": "loop", "mode": "until", "|maxIterations": 3 }'),
      "`maxIterations` (default 100)\n\nMaximum number of iterations.",
    ],
    [
      "an operator",
      () => inAssertion('"source": "order.response.status", "operator": "exi|sts"'),
      "`exists`\n\nThe source path resolves.",
    ],
    ["a mode", () => inBlock('{ "id": "c", "type": "loop", "mode": "un|til" }'), "Until a check passes."],
    [
      "a saved request",
      () => inRequest('"instance": "gi|ft"'),
      "**gift** (`apis/shop/requests/orders/gift.json`)\n\nA gift.\n\n**POST** `/orders`",
    ],
    [
      "a parameter",
      () =>
        inRequest('"operation": "listOrders", "overrides": { "params": { "query": { "st|ate": "open" } } }'),
      "`state` (query, required, string)\n\nOnly these.",
    ],
    [
      "a part of the body",
      () => inRequest('"operation": "createOrder", "overrides": { "body": { "s|ku": "a" } }'),
      "`sku` (string)\n\nWhat to buy.",
    ],
    [
      "an inner part of the body",
      () => inRequest('"operation": "createOrder", "overrides": { "body": { "|address.city": "a" } }'),
      "`address.city` (string)",
    ],
    ["half-written JSON", () => hover(workflow, '{ "onFail|ure": "ha'), "`onFailure`"],
  ])("describes %s", async (_, shown, text) => {
    expect(await shown()).toContain(text)
  })

  it("says nothing about a text without a meaning", async () => {
    expect(await inBlock('{ "id": "c", "type": "group", "description": "fr|ee" }')).toBeUndefined()
    expect(await hover("callsheet.json", "{ | }")).toBeUndefined()
  })
})
