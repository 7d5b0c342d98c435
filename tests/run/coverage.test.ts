import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Coverage } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"

const json = { content: { "application/json": { schema: {} }, "text/*": { schema: {} } } }
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        responses: { 200: { description: "", ...json }, "4XX": { description: "" } },
      },
      post: { operationId: "createOrder", responses: { 201: { description: "" } } },
    },
    "/orders/{id}": {
      get: { operationId: "getOrder", responses: { 200: { description: "" }, default: { description: "" } } },
      delete: { operationId: "deleteOrder", responses: { 204: { description: "" } } },
    },
  },
}

const send = (id: string, operation: string) => ({
  id,
  type: "request",
  request: {
    api: "shop",
    operation,
    ...(operation === "getOrder" ? { overrides: { params: { path: { id } } } } : {}),
  },
})
const loop = {
  id: "loop",
  type: "loop",
  mode: "times",
  count: 2,
  iteratorVar: "i",
  blocks: [send("again-{{i}}", "listOrders")],
}

let api: ApiServer
let files: Record<string, unknown>
beforeAll(async () => {
  api = await startApi({
    "GET /orders": { body: [] },
    "POST /orders": { status: 418 },
    "GET /orders/missing": { status: 404 },
    "GET /orders/there": { body: {} },
  })
  files = {
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/one.json": {
      version: 1,
      blocks: [send("all", "listOrders"), loop, send("missing", "getOrder")],
    },
    "apis/workflow/two.json": { version: 1, blocks: [send("new", "createOrder")] },
  }
})
afterAll(() => api.close())

describe("--reporter coverage", () => {
  it("lists which operations, statuses and media types were used, and by which blocks", async () => {
    const folder = await createFolder(files)
    const words = ["run", "--all", "--reporter", "coverage=out/coverage.json"]
    expect((await callsheet(words, { folder })).exitCode).toBe(0)
    const coverage = JSON.parse((await readText(folder, "out/coverage.json")) ?? "") as Coverage
    expect(coverage.operations).toEqual({ exercised: 3, documented: 4, percent: 75 })
    expect(coverage.statuses).toEqual({ exercised: 2, documented: 6, percent: 33.3 })
    expect(coverage.mediaTypes).toEqual({ exercised: 1, documented: 2, percent: 50 })
    const [shop] = coverage.apis
    expect(shop?.api).toBe("shop")
    const blocks = ["one: all", "one: again-0", "one: again-1"]
    expect(shop?.details).toEqual([
      {
        operation: "listOrders",
        method: "GET",
        path: "/orders",
        blocks,
        answers: [
          {
            status: "200",
            blocks,
            mediaTypes: [
              { mediaType: "application/json", blocks },
              { mediaType: "text/*", blocks: [] },
            ],
          },
          { status: "4XX", blocks: [], mediaTypes: [] },
        ],
        undocumented: [],
      },
      expect.objectContaining({ operation: "createOrder", blocks: ["two: new"], undocumented: ["418"] }),
      expect.objectContaining({
        operation: "getOrder",
        answers: [
          { status: "200", blocks: [], mediaTypes: [] },
          { status: "default", blocks: ["one: missing"], mediaTypes: [] },
        ],
      }),
      expect.objectContaining({ operation: "deleteOrder", blocks: [] }),
    ])
  })

  it("prints a table on a terminal", async () => {
    const { stdout } = await callsheet(["run", "one", "--reporter", "coverage"], { files })
    expect(stdout.split("\n").map((line) => line.replaceAll(/ {2,}/g, "  "))).toEqual([
      "shop",
      "  OPERATION  METHOD  PATH  STATUSES  BLOCKS",
      "✓  listOrders  GET  /orders  ✓200 −4XX  one: all, one: again-0, one: again-1",
      "−  createOrder  POST  /orders  −201",
      "✓  getOrder  GET  /orders/{id}  −200 ✓default  one: missing",
      "−  deleteOrder  DELETE  /orders/{id}  −204",
      "operations 2/4 (50 %)  statuses 2/6 (33.3 %)  media types 1/2 (50 %)",
      "",
    ])
  })

  it("leaves the JSON report unchanged", async () => {
    const folder = await createFolder(files)
    const words = ["run", "one", "--reporter", "json", "--reporter", "coverage=c.json"]
    const { report } = await callsheet(words, { folder })
    expect(Object.keys(report?.runs[0]?.blocks[0] ?? {}).sort()).toEqual(
      ["durationMs", "id", "request", "response", "status", "type"].sort(),
    )
  })
})

describe("--coverage-min", () => {
  it("fails a run that uses too few operations, and reports how many it used", async () => {
    const enough = await callsheet(["run", "one", "--coverage-min", "50"], { files })
    expect(enough).toMatchObject({ exitCode: 0, stderr: "" })
    const tooFew = await callsheet(["run", "one", "--coverage-min", "50.1"], { files })
    expect(tooFew.exitCode).toBe(1)
    expect(tooFew.stderr).toBe("coverage: 2 of 4 operations ran (50%); --coverage-min requires 50.1%\n")
  })

  it.each(["101", "-1", "x", ""])("rejects %j", async (percent) => {
    const { exitCode, stderr } = await callsheet(["run", "one", `--coverage-min=${percent}`], { files })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("percent")])
  })
})
