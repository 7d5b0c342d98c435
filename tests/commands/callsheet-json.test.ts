// Checks `callsheet.json` with the built command.

import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"

const files = {
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/ping": { get: { operationId: "ping", responses: { 200: { description: "" } } } } },
  },
  "apis/shop/environments/local.json": {},
  "apis/shop/environments/live.json": { level: "production" },
  "apis/workflow/ping.json": {
    version: 1,
    blocks: [{ id: "ping", type: "request", request: { api: "shop", operation: "ping" } }],
  },
  "apis/workflow/nothing.json": { version: 1, blocks: [] },
}

const withSettings = (settings: string) => ({ files: { ...files, "callsheet.json": settings } })

describe("callsheet validate", () => {
  it("accepts a right callsheet.json", async () => {
    const right = '{ "version": 1, "suites": { "s": { "workflows": ["p*"] } } }'
    expect(await callsheet(["validate"], withSettings(right))).toMatchObject({ exitCode: 0, stderr: "" })
  })

  it("reports each mistake with its line and column", async () => {
    const wrong = `{
  "version": 1,
  "defaults": { "env": { "shop": "live" } },
  "suites": {
    "s": {
      "workflows": ["pong", { "workflow": "ping", "data": "../x.csv", "inputs": { "a": 1 } }]
    }
  }
}
`
    const { exitCode, stdout } = await callsheet(["validate", "--format", "text"], withSettings(wrong))
    expect(exitCode).toBe(1)
    const lines = stdout.split("\n").filter((line) => line.startsWith("callsheet.json:"))
    expect(lines.map((line) => line.replace(/: .*\(/, " "))).toEqual([
      "callsheet.json:3:34 field-value)",
      "callsheet.json:6:21 workflow-unknown)",
      "callsheet.json:6:59 link-outside)",
      "callsheet.json:6:83 input-unknown)",
    ])
    expect(stdout).toContain('did you mean "ping"?')
  })

  it("checks the rows of data files, and refuses data where it has no effect", async () => {
    const inputs = { sku: { type: "string", required: true }, quantity: { type: "number" } }
    const suite = {
      before: [{ workflow: "buy", as: "seed", inputs: { sku: "A" }, data: "rows.csv" }],
      workflows: [
        { workflow: "buy", data: "rows.csv", finally: [{ workflow: "ping", data: "rows.csv" }] },
        { workflow: "buy", as: "again", data: "rows.csv" },
        { workflow: "buy", as: "late", data: "late.csv" },
      ],
      finally: [{ workflow: "ping", data: "rows.csv" }],
    }
    const { exitCode, stdout } = await callsheet(["validate", "--format", "text"], {
      files: {
        ...files,
        "apis/workflow/buy.json": { version: 1, inputs, blocks: [] },
        "rows.csv": "sku,quantity,size\nA,1,S\nB,two,M\n",
        "late.csv": "quantity\n1\n",
        "callsheet.json": JSON.stringify({ version: 1, suites: { s: suite } }),
      },
    })
    expect(exitCode).toBe(1)
    const lines = stdout.split("\n").filter((line) => /(?:json|csv):\d/.test(line))
    expect(lines.map((line) => line.replace(/^callsheet\.json:1:\d+/, "callsheet.json"))).toEqual([
      ...Array<string>(3).fill('callsheet.json: only an entry of "workflows" can have "data" (field-value)'),
      expect.stringMatching(/^warning: late\.csv:1:1: .*"sku".* \(input-missing\)$/),
      expect.stringMatching(/^rows\.csv:1:14: .*"size" \(input-unknown\)$/),
      expect.stringMatching(/^rows\.csv:3:3: .*"quantity" is not a number.* \(input-type\)$/),
    ])
  })
})

describe("callsheet run", () => {
  it.each([
    ['{ "version": 1, "suites": { "s": {} } }', "callsheet.json:1:34: suites.s: "],
    ["{", "callsheet.json:1:2: "],
    ['{ "version": 1, "defaults": { "env": { "shop": "live" } } }', "callsheet.json:1:48: the environment"],
  ])("refuses to start with %s", async (settings, message) => {
    const { exitCode, stdout, stderr } = await callsheet(["run", "ping"], withSettings(settings))
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain(message)
  })

  it("doesn't mind a production default of an API that it doesn't use", async () => {
    const settings = '{ "version": 1, "defaults": { "env": { "shop": "live" } } }'
    expect((await callsheet(["run", "nothing"], withSettings(settings))).exitCode).toBe(0)
  })
})
