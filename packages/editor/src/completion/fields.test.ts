import { describe, expect, it } from "vitest"
import { editorOf } from "../testing/editor-of.ts"

const files = {
  "apis/workflow/w.json": { version: 1, blocks: [] },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true, description: "The shop's address." },
      retries: { type: "number", required: false },
      apiKey: { type: "string", required: false, secret: true },
    },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://localhost" },
  "apis/shop/requests/orders/gift.json": { version: 1, operation: "createOrder" },
  "callsheet.json": { version: 1 },
}

const workflow = "apis/workflow/w.json"
const { complete } = editorOf({ files })

describe("the fields of a file", () => {
  it.each([
    ["a workflow", workflow, '{ "version": 1, | }', ["blocks", "onFailure", "validateContracts", "inputs"]],
    [
      "a saved request",
      "apis/shop/requests/orders/gift.json",
      '{ "operation": "a", "|" }',
      ["version", "description", "params", "body", "bodyType", "timeoutMs", "followRedirects"],
    ],
    [
      "a loop by its mode",
      workflow,
      '{ "blocks": [{ "id": "a", "type": "loop", "mode": "until", "script": {}, | }] }',
      ["blocks", "description", "maxIterations", "delayMs", "timeoutMs", "iteratorVar"],
    ],
    [
      "an assertion by its operator",
      workflow,
      '{ "blocks": [{ "type": "assert", "assertions": [{ "source": "a", "operator": "exists", | }] }] }',
      [],
    ],
    [
      "an input",
      workflow,
      '{ "inputs": { "a": { "type": "string", | } } }',
      ["required", "default", "description"],
    ],
    [
      "a declaration",
      "apis/shop/environments/schema.json",
      '{ "variables": { "a": { | } } }',
      ["type", "required", "description", "secret", "default"],
    ],
    [
      "a value file, without secrets",
      "apis/shop/environments/local.json",
      '{ "level": "local", | }',
      ["baseUrl", "retries", "extends", "tls"],
    ],
    [
      "a suite",
      "callsheet.json",
      '{ "suites": { "a": { "env": {}, | } } }',
      ["workflows", "description", "before", "finally"],
    ],
    [
      "the baseline",
      "callsheet.baseline.json",
      '{ "violations": [{ "api": "shop", "status": 1, | }] }',
      ["operation", "path", "schema", "reason", "expires"],
    ],
  ])("in %s", async (_, file, text, labels) => {
    expect((await complete(file, text)).labels).toEqual(labels)
  })

  it("are described, required ones first", async () => {
    const { items } = await complete("apis/shop/environments/local.json", "{ | }")
    expect(items[0]).toMatchObject({ label: "baseUrl", documentation: "The shop's address." })
    const own = await complete(workflow, '{ "blocks": [{ "type": "script", | }] }')
    expect(own.items.map(({ label, detail }) => [label, detail])).toEqual([
      ["id", "required"],
      ["script", "required"],
      ["description", undefined],
      ["timeoutMs", "default: 30000"],
    ])
  })
})

describe("an inserted field", () => {
  it.each([
    ['{ "blocks": [], "|" }', "inputs", '{ "blocks": [], "inputs": {} }'],
    ['{ "blocks": [] | }', "inputs", '{ "blocks": [], "inputs": {} }'],
    ['{ "blocks": []\n  |\n  "version": 1 }', "inputs", '{ "blocks": [],\n  "inputs": {},\n  "version": 1 }'],
    ['{ in|\n  "blocks": [] }', "inputs", '{ "inputs": {},\n  "blocks": [] }'],
    ['{ "in|: {} }', "inputs", '{ "inputs": {} }'],
    ['{ "|": [] }', "blocks", '{ "blocks": [] }'],
    ['{ "onF|', "onFailure", '{ "onFailure": "halt"'],
    ["{ |", "version", '{ "version": 1'],
  ])("in %s", async (text, label, result) => {
    expect((await complete(workflow, text)).take(label)).toBe(result)
  })

  it("has places to fill in if the client knows snippets", async () => {
    const snippets = editorOf({ files, hasSnippets: true })
    const taken = async (text: string, label: string) => (await snippets.complete(workflow, text)).take(label)
    expect(await taken('{ "|" }', "onFailure")).toBe('{ "onFailure": "${1|halt,continue|}" }')
    expect(await taken('{ "|" }', "inputs")).toBe('{ "inputs": {$1} }')
    expect(await taken('{ "blocks": [{ "type": "script", "id": "a", | }] }', "script")).toBe(
      '{ "blocks": [{ "type": "script", "id": "a", "script": {\n  "name": "$1",\n  "exportName": "$2"\n} }] }',
    )
    expect(await taken('{ "blocks": [|] }', "group block")).toBe(
      '{ "blocks": [{\n  "id": "$1",\n  "type": "group",\n  "blocks": [$2]\n}] }',
    )
  })
})

describe("an inserted value", () => {
  it.each([
    ['{ "onFailure": | }', "continue", '{ "onFailure": "continue" }'],
    ['{ "onFailure": "h|" }', "continue", '{ "onFailure": "continue" }'],
    ['{ "onFailure": "|\n  "version": 1 }', "halt", '{ "onFailure": "halt",\n  "version": 1 }'],
    ['{ "onFailure": "h|"\n  "version": 1 }', "halt", '{ "onFailure": "halt",\n  "version": 1 }'],
    ['{ "onFailure" | }', "halt", '{ "onFailure" : "halt" }'],
    ['{ "validateContracts": "|" }', "true", '{ "validateContracts": true }'],
    ['{ "validateContracts": f| }', "false", '{ "validateContracts": false }'],
    ['{ "blocks": [{ "type": "|" }] }', "loop", '{ "blocks": [{ "type": "loop" }] }'],
    [
      '{ "blocks": [{ "type": "condition", "if": { "source": "a", "operator": | } }] }',
      "contains",
      '{ "blocks": [{ "type": "condition", "if": { "source": "a", "operator": "contains" } }] }',
    ],
    [
      '{ "blocks": [{ "id": "a" } |] }',
      "group block",
      '{ "blocks": [{ "id": "a" }, {\n  "id": "",\n  "type": "group",\n  "blocks": []\n}] }',
    ],
  ])("in %s", async (text, label, result) => {
    expect((await complete(workflow, text)).take(label)).toBe(result)
  })

  it("is compared with what the user has typed, quotes included", async () => {
    const { items } = await complete(workflow, '{ "onFailure": |"halt" }')
    expect(items.map(({ filterText }) => filterText)).toEqual(['"halt', '"continue'])
  })
})
