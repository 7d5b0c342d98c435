import { describe, expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders/{id}": {
      get: { operationId: "getOrder", tags: ["orders", "shop"], summary: "One\n order", responses: {} },
    },
    "/ping": { post: { responses: {} } },
  },
}

const files = {
  "apis/shop/openapi.json": document,
  "apis/shop/environments/local.json": {},
  "apis/shop/environments/staging.json": {},
  "apis/pay/requests/charges/create.json": { version: 1, method: "POST", path: "/charges" },
  "apis/workflow/checkout.json": { version: 1, blocks: [] },
}

const apis = [
  { name: "pay", environments: [] },
  { name: "shop", environments: ["local", "staging"] },
]
const operations = [
  { api: "shop", resources: ["orders", "shop"], operation: "getOrder", method: "GET", path: "/orders/{id}" },
  { api: "shop", resources: ["ping"], operation: "POST /ping", method: "POST", path: "/ping" },
]
const workflows = [{ name: "checkout" }]

describe("callsheet list", () => {
  it("lists everything as JSON, or only the requested key", async () => {
    const all = await callsheet(["list", "--json"], { files })
    expect(JSON.parse(all.stdout)).toEqual({ apis, operations, workflows })
    for (const [what, rows] of Object.entries({ apis, operations, workflows })) {
      const one = await callsheet(["list", what, "--json"], { files })
      expect([JSON.parse(one.stdout), one.exitCode]).toEqual([{ [what]: rows }, 0])
    }
  })

  it("lists everything in columns", async () => {
    const { stdout } = await callsheet(["list"], { files })
    expect(stdout).toBe(
      [
        "API   ENVIRONMENTS",
        "pay",
        "shop  local, staging",
        "",
        "API   RESOURCES     OPERATION   METHOD  PATH          SUMMARY",
        "shop  orders, shop  getOrder    GET     /orders/{id}  One order",
        "shop  ping          POST /ping  POST    /ping",
        "",
        "WORKFLOW",
        "checkout",
        "",
      ].join("\n"),
    )
  })

  it("lists the suites of callsheet.json with their descriptions", async () => {
    const suites = { smoke: { workflows: ["*"], description: "Fast\nones." }, nightly: { workflows: [] } }
    const all = { ...files, "callsheet.json": { version: 1, suites } }
    const { stdout } = await callsheet(["list"], { files: all })
    expect(stdout).toMatch(/\n\nSUITE +DESCRIPTION\nsmoke +Fast ones\.\nnightly\n$/)
    const rows = [{ name: "smoke", description: "Fast\nones." }, { name: "nightly" }]
    const json = await callsheet(["list", "--json"], { files: all })
    expect(JSON.parse(json.stdout)).toEqual({ apis, operations, workflows, suites: rows })
    const one = await callsheet(["list", "suites", "--json"], { files: all })
    expect(JSON.parse(one.stdout)).toEqual({ suites: rows })
    const none = await callsheet(["list", "suites", "--json"], { files })
    expect([JSON.parse(none.stdout), none.exitCode]).toEqual([{ suites: [] }, 0])
    const broken = await callsheet(["list"], { files: { ...files, "callsheet.json": "{" } })
    expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining("callsheet.json:1:2: ")])
  })

  it("lists the operations of a Swagger 2.0 document", async () => {
    const { openapi: _, ...rest } = document
    const old = { ...files, "apis/shop/openapi.json": { swagger: "2.0", ...rest } }
    const { stdout, exitCode } = await callsheet(["list", "operations", "--json"], { files: old })
    expect([JSON.parse(stdout), exitCode]).toEqual([{ operations }, 0])
  })

  it("lists the operations that match every word", async () => {
    const found = async (...words: readonly string[]) => {
      const { stdout } = await callsheet(["list", "operations", ...words, "--json"], { files })
      return (JSON.parse(stdout) as { operations: { operation: string }[] }).operations.map(
        ({ operation }) => operation,
      )
    }
    expect(await found("one", "ORDERS")).toEqual(["getOrder"])
    expect(await found("shop")).toEqual(["getOrder", "POST /ping"])
    expect(await found("post", "order")).toEqual([])
    const { exitCode, stderr } = await callsheet(["list", "apis", "shop"], { files })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("callsheet list operations shop")])
  })

  it("lists what can be read, and reports what can't", async () => {
    const broken = { ...files, "apis/pay/openapi.yaml": "openapi: [" }
    const result = await callsheet(["list", "operations", "--json"], { files: broken })
    expect(result.exitCode).toBe(2)
    expect(JSON.parse(result.stdout)).toEqual({ operations })
    expect(result.stderr).toMatch(/^apis\/pay\/openapi\.yaml:\d+:\d+: .*\(yaml-syntax\)/)
  })

  it("prints nothing on standard output if there is nothing to list", async () => {
    const nothing = { "apis/pay/note.txt": "" }
    expect(await callsheet(["list", "workflows"], { files: nothing })).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: "nothing to list\n",
    })
    expect((await callsheet(["list", "workflows", "--json"], { files: nothing })).stdout).toBe(
      '{\n  "workflows": []\n}\n',
    )
  })

  it("rejects a directory that is not a project, and unknown list names", async () => {
    expect(await callsheet(["list"])).toMatchObject({ exitCode: 2, stdout: "" })
    expect((await callsheet(["list", "workflow"], { files })).stderr).toContain('did you mean "workflows"?')
  })
})
