// `callsheet list tests --json` and `--lines` tell an editor where everything is.

import { describe, expect, it } from "vitest"
import { callsheet, type Files } from "../harness/callsheet.ts"

const checkout = `{
  "version": 1,
  "inputs": { "sku": { "type": "string", "required": true } },
  "blocks": [
    { "id": "all", "type": "group", "blocks": [
      { "id": "get-{{$index}}", "type": "script", "script": { "name": "a", "exportName": "b" } }
    ] },
    { "id": "last", "type": "assert", "assertions": [], "description": "The end." }
  ]
}
`
const settings = `{
  "version": 1,
  "helpers": ["log*"],
  "suites": {
    "nightly": {
      "before": ["login"],
      "workflows": [{ "workflow": "checkout", "as": "each", "data": "rows.csv" }]
    }
  }
}
`
const files: Files = {
  "callsheet.json": settings,
  "rows.csv": "sku\nA\nB\n",
  "apis/workflow/checkout.json": checkout,
  "apis/workflow/login.json": { version: 1, blocks: [] },
  "apis/shop/environments/local.json": {},
  "apis/shop/openapi.yaml": `openapi: 3.1.0
info: { title: Shop, version: "1" }
paths:
  /ping:
    get:
      operationId: ping
      responses: {}
  /other:
    $ref: other.yaml
`,
  "apis/shop/other.yaml": "post:\n  responses: {}\n",
}

const listed = async (words: readonly string[], changed: Files = {}) => {
  const { stdout, exitCode } = await callsheet(["list", ...words], { files: { ...files, ...changed } })
  return { exitCode, ...(JSON.parse(stdout) as { tests?: unknown[]; operations?: unknown[] }) }
}

describe("callsheet list tests", () => {
  it("lists workflows with blocks and suites with entries, each with its line", async () => {
    const { tests, exitCode } = await listed(["tests", "--json"])
    expect(exitCode).toBe(0)
    expect(tests).toEqual([
      {
        workflow: "checkout",
        file: "apis/workflow/checkout.json",
        blocks: [
          { id: "all", type: "group", line: 5, column: 13 },
          { id: "get-{{$index}}", type: "script", in: "all", line: 6, column: 15 },
          { id: "last", type: "assert", description: "The end.", line: 8, column: 13 },
        ],
      },
      { workflow: "login", file: "apis/workflow/login.json", isHelper: true, blocks: [] },
      {
        suite: "nightly",
        file: "callsheet.json",
        line: 5,
        column: 16,
        entries: [
          { name: "login", workflow: "login", role: "before", line: 6, column: 18 },
          { name: "each", workflow: "checkout", role: "main", rows: 2, line: 7, column: 21 },
        ],
      },
    ])
  })

  it("keeps the blocks of a workflow that has other problems", async () => {
    const broken = checkout.replace('"assertions": []', '"assertions": 1')
    const { tests } = await listed(["tests", "--json"], { "apis/workflow/checkout.json": broken })
    expect(JSON.stringify(tests)).toContain('"id":"last"')
  })

  it("lists neither rows of a file with problems nor entries of a broken callsheet.json", async () => {
    const { tests } = await listed(["tests", "--json"], { "rows.csv": "sku\n" })
    expect(JSON.stringify(tests)).not.toContain('"rows"')
    const broken = await listed(["tests", "--json"], { "callsheet.json": "{" })
    expect(broken.tests).toHaveLength(2)
  })

  it("is for programs only", async () => {
    const result = await callsheet(["list", "tests"], { files })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain("tests needs --json")
  })
})

describe("callsheet list operations --lines", () => {
  it("adds the file and the line of each operation", async () => {
    const { operations } = await listed(["operations", "--json", "--lines"])
    expect(operations).toMatchObject([
      { operation: "ping", file: "apis/shop/openapi.yaml", line: 6 },
      { operation: "POST /other", file: "apis/shop/other.yaml", line: 2 },
    ])
    expect(JSON.stringify(await listed(["operations", "--json"]))).not.toContain('"line"')
  })

  it("refuses to do so for anything else", async () => {
    for (const words of [
      ["operations", "--lines"],
      ["apis", "--json", "--lines"],
    ])
      expect(await callsheet(["list", ...words], { files })).toMatchObject({ exitCode: 2, stdout: "" })
  })
})
