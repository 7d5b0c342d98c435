// A replay uses the recorded verdict on a contract, unless the document, the operation or the request changed.

import { readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { blocksOf, check, send, withoutTimes } from "./replay-project.ts"

const token = "0123-token-canary"
const schemas = "apis/shop/schemas.yaml"
const schemasText = `
Order:
  type: object
  required: [id]
  properties:
    id: { type: integer }
Latest:
  type: object
  properties:
    id: { type: string }
Token:
  type: object
  properties:
    token: { type: string, pattern: "^[0-9]{4}-" }
`
const json = (name: string) => ({
  description: "",
  content: { "application/json": { schema: { $ref: `schemas.yaml#/${name}` } } },
})
const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/token": { post: { operationId: "getToken", responses: { 200: json("Token") } } },
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [{ name: "size", in: "query", schema: { type: "integer" } }],
        responses: { 200: json("Order") },
      },
      post: { operationId: "createOrder", responses: { 200: json("Order") } },
    },
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "getOrder", responses: { 200: json("Order") } },
    },
    "/orders/latest": { get: { operationId: "getLatest", responses: { 200: json("Latest") } } },
  },
}

const list = (size: string) => send("list", "listOrders", { params: { query: { size } } })
const good = {
  version: 1,
  validateContracts: true,
  blocks: [
    send("token", "getToken"),
    list("many"),
    {
      ...send("use", "createOrder", {
        params: { header: { authorization: "Bearer {{token.response.body.token}}" } },
      }),
    },
    send("latest", "getOrder", { params: { path: { id: "latest" } } }),
    check("id", "list.response.body.id", 7),
  ],
}

let api: ApiServer
let folder: string

const call = (...words: readonly string[]) => callsheet(words, { folder, timeoutMs: 60_000 })
const replay = (...words: readonly string[]) => call("replay", "r", "--json", ...words)

/** Changes a file while `task` runs. */
async function changed<T>(file: string, change: (text: string) => string, task: () => Promise<T>) {
  const path = join(folder, file)
  const text = readFileSync(path, "utf8")
  const next = change(text)
  expect(next).not.toBe(text)
  writeFileSync(path, next)
  try {
    return await task()
  } finally {
    writeFileSync(path, text)
  }
}

beforeAll(async () => {
  api = await startApi({
    "POST /token": { body: { token } },
    "GET /orders": { body: { id: 7 } },
    "POST /orders": { body: { id: 8 } },
    "GET /orders/latest": { body: { id: 8 } },
  })
  folder = await createFolder({
    "apis/shop/openapi.json": document,
    [schemas]: schemasText,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/good.json": good,
  })
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

describe("a replay with the recorded document", () => {
  it("repeats the verdicts, also those on masked values, and the problems of requests", async () => {
    const recorded = await call("run", "good", "--record=r", "--json")
    expect(recorded.exitCode).toBe(0)
    for (const words of [[], ["--strict"]]) {
      const { exitCode, report } = await replay(...words)
      expect(exitCode).toBe(0)
      expect(withoutTimes(report)).toEqual(withoutTimes(recorded.report))
      const blocks = blocksOf(report)
      expect(blocks["token"]).toMatchObject({
        contract: { status: "passed" },
        response: { body: { token: "***" } },
      })
      expect(blocks["list"]?.requestProblems).toMatchObject([{ path: "/query/size" }])
    }
  })

  it("repeats a violation with its place in the document", async () => {
    const recorded = await changed(
      schemas,
      (text) => text.replace("id: { type: integer }", "id: { type: string }"),
      async () => {
        const recorded = await call("run", "good", "--record=r", "--json")
        const { exitCode, report } = await replay()
        expect(exitCode).toBe(1)
        expect(withoutTimes(report)).toEqual(withoutTimes(recorded.report))
        return recorded
      },
    )
    expect(blocksOf(recorded.report)["list"]?.contract?.problems).toMatchObject([
      { path: "/body/id", file: schemas, line: 6 },
    ])
  })

  it("doesn't decide about an edited assertion by the record", async () => {
    await call("run", "good", "--record=r")
    const edit = (text: string) => text.replace('"value": 7', '"value": 8')
    const { exitCode, report } = await changed("apis/workflow/good.json", edit, () => replay())
    expect(exitCode).toBe(1)
    expect(blocksOf(report)["id"]?.error?.code).toBe("assertion-failed")
  })

  it("checks a request that changed", async () => {
    await call("run", "good", "--record=r")
    const edit = (text: string) => text.replace('"size": "many"', '"size": "2"')
    const { report } = await changed("apis/workflow/good.json", edit, () => replay())
    expect(blocksOf(report)["list"]?.requestProblems).toBeUndefined()
    expect(blocksOf(report)["list"]?.requestDifference).toMatchObject([{ what: "url" }])
  })

  it("reports nothing about contracts if the workflow doesn't validate them any more", async () => {
    await call("run", "good", "--record=r")
    const edit = (text: string) => text.replace('"validateContracts": true', '"validateContracts": false')
    const { report } = await changed("apis/workflow/good.json", edit, () => replay())
    expect(blocksOf(report)["list"]).not.toHaveProperty("requestProblems")
    expect(blocksOf(report)["list"]).not.toHaveProperty("contract")
  })

  it("checks the same request against the operation that a block names now", async () => {
    await call("run", "good", "--record=r")
    const { report } = await changed(
      "apis/workflow/good.json",
      (text) => text.replace(/"getOrder",\s+"overrides": \{[^}]*\}\s*\}\s*\}/, '"getLatest"'),
      () => replay(),
    )
    expect(blocksOf(report)["latest"]?.requestDifference).toBeUndefined()
    expect(blocksOf(report)["latest"]?.contract?.problems).toMatchObject([{ path: "/body/id" }])
  })
})

describe("a replay with another document", () => {
  it("finds what a changed file of the document forbids", async () => {
    await call("run", "good", "--record=r")
    const edit = (text: string) => text.replace("id: { type: integer }", "id: { type: string }")
    const { exitCode, report } = await changed(schemas, edit, () => replay())
    expect(exitCode).toBe(1)
    expect(blocksOf(report)["list"]?.error?.code).toBe("contract-broken")
  })

  it("can't decide about a masked value any more", async () => {
    await call("run", "good", "--record=r")
    const { exitCode, report } = await changed(
      schemas,
      (text) => `${text}# changed\n`,
      () => replay(),
    )
    expect(exitCode).toBe(0)
    expect(blocksOf(report)["token"]?.undecidable).toContain("/body/token")
  })

  it.each<[string, (line: string) => string]>([
    ["no digests", (line) => line.replace(/,"documents":.*$/, "}}")],
    ["digests that are not an object", (line) => line.replace(/"documents":.*$/, '"documents":[7]}}')],
    ["a digest that is not text", (line) => line.replace(/"documents":.*$/, '"documents":{"shop":null}}}')],
    [
      "paths outside the project",
      (line) => line.replace('"documents":{"shop":{', '"documents":{"shop":{"../../etc/passwd":"x",'),
    ],
    [
      "an operation of another shape",
      (line) => line.replace(/"answers":\{"api".*"contentType":"[^"]*"\}/, '"answers":null'),
    ],
    [
      "a verdict without a status",
      (line) => line.replace(/"contract":\{"status":"\w+"/, '"contract":{"x":1'),
    ],
    ["problems of another shape", (line) => line.replace(/"problems":\[\]/, '"problems":[{"path":5}]')],
  ])("checks again if the record has %s", async (_, edit) => {
    await call("run", "good", "--record=r")
    const path = join(folder, "r")
    const lines = gunzipSync(readFileSync(path)).toString().split("\n")
    const next = lines.map(edit)
    expect(next).not.toEqual(lines)
    writeFileSync(path, gzipSync(next.join("\n")))
    const { exitCode, report } = await replay()
    expect(exitCode).toBe(0)
    expect(blocksOf(report)["list"]?.contract).toEqual({ status: "passed", problems: [] })
    expect(blocksOf(report)["token"]?.undecidable).toContain("/body/token")
  })
})
