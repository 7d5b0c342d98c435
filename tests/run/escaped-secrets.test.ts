// Checks secrets that a script, a server or callsheet's own messages repeat with escapes.

import { afterAll, beforeAll, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"

const key = `K3y's/"a.b}c"~1\\c4n4ry`
const coding = "X-Coding-C4n4ry"
const lines = "L1-cana\nL2-cana\nL3-cana"

let api: ApiServer
beforeAll(async () => {
  api = await startApi({
    "GET /token": {
      body: { jwt: `e30.${Buffer.from(JSON.stringify({ key })).toString("base64url")}.c2ln` },
    },
    "GET /coded": { body: "x", headers: { "content-encoding": coding } },
    "GET /wrong": { body: { [key]: 1 } },
  })
})
afterAll(() => api.close())

const script = `
export const show = (ctx) => {
  const { key, lines } = ctx.env("shop")
  console.log({ key }, new Map([[1, key]]), Buffer.from(key))
  console.table([key])
  ctx.log(encodeURIComponent(JSON.stringify({ key })), lines.replaceAll("\\n", "\\n      "))
}
export const get = (ctx) => ctx.get(ctx.env("shop").key)
export const fail = (ctx) => { throw { key: ctx.env("shop").key } }
`

const operation = (operationId: string, schema?: object) => ({
  get: {
    operationId,
    responses:
      schema === undefined ? {} : { 200: { description: "", content: { "application/json": { schema } } } },
  },
})
const send = (id: string) => ({ id, type: "request", request: { api: "shop", operation: id } })
const call = (exportName: string) => ({
  id: exportName,
  type: "script",
  script: { name: "say", exportName },
})
const variables = { baseUrl: { type: "string", required: true } }
const secret = { type: "string", required: true, secret: true }

const files = () => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/token": operation("token"),
      "/coded": operation("coded"),
      "/wrong": operation("wrong", { additionalProperties: { type: "string" } }),
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { ...variables, key: secret, coding: secret, lines: secret },
  },
  "apis/shop/environments/local.json": { baseUrl: api.url },
  "apis/workflow/w.json": {
    version: 1,
    onFailure: "continue",
    validateContracts: true,
    blocks: [...["show", "get", "fail"].map(call), ...["token", "coded", "wrong"].map(send)],
  },
  "apis/workflow/scripts/w/say.ts": script,
})

it("masks what a script prints, a server encodes and a message quotes", async () => {
  const env = {
    CALLSHEET_VAR__SHOP__KEY: key,
    CALLSHEET_VAR__SHOP__CODING: coding,
    CALLSHEET_VAR__SHOP__LINES: lines,
  }
  const words = ["run", "w", "--reporter=json", "--reporter=pretty=pretty.txt", "--verify-no-leak"]
  const { stdout, stderr, exitCode } = await callsheet(words, { files: files(), env })
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "" })
  expect(stdout.match(/\*\*\*/g)?.length).toBeGreaterThan(10)
  for (const part of ["c4n4ry", "C4n4ry", "a.b", "}c", "cana", "63346e347279", "63 34 6e 34"])
    expect(stdout).not.toContain(part)
  for (const said of ["is not a valid path", "content coding", "e30."]) expect(stdout).toContain(said)
})
