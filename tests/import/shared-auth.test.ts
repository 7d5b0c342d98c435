import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

const operation = (operationId: string, more: object = {}) => ({
  operationId,
  responses: { 200: { description: "Done." } },
  ...more,
})

const document = {
  openapi: "3.0.3",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example" }],
  security: [{ basic: [] }, { bearerAuth: [] }],
  components: {
    securitySchemes: {
      bearerAuth: { type: "http", scheme: "bearer" },
      basic: { type: "http", scheme: "basic" },
      key: { type: "apiKey", in: "header", name: "X-Api-Key" },
    },
  },
  paths: {
    "/orders": {
      get: operation("listOrders"),
      post: operation("createOrder", { security: [{ key: [] }] }),
    },
    "/login": { post: operation("login", { security: [] }) },
    "/open": { get: operation("open") },
  },
}

const bearer = (token: string) => ({ type: "bearer", bearer: [{ key: "token", value: token }] })
const noAuth = { type: "noauth" }

const request = (name: string, method: string, path: string, more: object = {}) => ({
  name,
  request: { method, url: `{{baseUrl}}${path}`, ...more },
})

const collection = (url: string, item: readonly unknown[], auth: unknown = bearer("{{accessToken}}")) => ({
  info: {
    name: "Shop",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  item,
  auth,
  variable: [
    { key: "baseUrl", value: url },
    { key: "accessToken", value: "tok-1234567890" },
    { key: "user", value: "ada" },
  ],
})

const keys = {
  name: "Keys",
  auth: {
    type: "apikey",
    apikey: [
      { key: "key", value: "x-api-key" },
      { key: "value", value: "key-2222222222" },
      { key: "in", value: "header" },
    ],
  },
  item: [request("Create", "POST", "/orders")],
}

const words = ["shop.json", "--document", "openapi.json", "--api", "shop"]

/** Imports and runs a collection. Returns what the server received, and the written files. */
async function imported(item: readonly unknown[], auth?: unknown) {
  const api = await startApi({ "*": { body: {} } })
  const root = await folderWith({ "shop.json": collection(api.url, item, auth), "openapi.json": document })
  const { result, stderr } = await importInto(root, words)
  expect(stderr).not.toContain("error")
  expect((await validated(root)).filter((problem) => problem.startsWith("error"))).toEqual([])
  const ran = await callsheet(["run", ...(result?.workflows ?? [])], { folder: root })
  await api.close()
  expect(ran.exitCode, ran.stderr).toBe(0)
  const sent = api.requests.map(
    ({ method, url, headers }) =>
      `${method} ${url} ${headers.authorization ?? ""}${String(headers["x-api-key"] ?? "")}`,
  )
  const texts = await textsIn(root)
  const requests = Object.entries(texts).filter(([file]) => /workflow|requests/.test(file))
  return { root, sent, requests: requests.map(([, text]) => text).join(""), texts }
}

describe("authentication of a collection or folder", () => {
  it("becomes the variable of the document's security scheme, and requests send the same as before", async () => {
    const { root, sent, requests, texts } = await imported([
      request("List", "GET", "/orders"),
      request("Login", "POST", "/login", { auth: noAuth }),
      request("Again", "GET", "/orders"),
      keys,
    ])
    expect(sent).toEqual([
      "GET /orders Bearer tok-1234567890",
      "POST /login ",
      "GET /orders Bearer tok-1234567890",
      "POST /orders key-2222222222",
    ])
    expect(requests).not.toMatch(/authorization|api-key/i)
    expect(texts["apis/shop/environments/default.secrets.env"]).toBe(
      "bearerAuth=tok-1234567890\nkey=key-2222222222\n",
    )
    const { variables } = (await readJson(root, "apis/shop/environments/schema.json")) as {
      readonly variables: object
    }
    expect(Object.keys(variables)).toEqual(expect.not.arrayContaining(["accessToken"]))
  })

  it("becomes the user and the password of a basic scheme", async () => {
    const basic = {
      type: "basic",
      basic: [
        { key: "username", value: "{{user}}" },
        { key: "password", value: "pass-4711" },
      ],
    }
    const { sent, requests, texts } = await imported([request("List", "GET", "/orders")], basic)
    expect(sent).toEqual([`GET /orders Basic ${Buffer.from("ada:pass-4711").toString("base64")}`])
    expect(requests).not.toMatch(/authorization/i)
    expect(texts["apis/shop/environments/default.secrets.env"]).toContain("basic=ada:pass-4711")
  })

  it("stays a header if the scheme would authorize a request that has no credentials, or others", async () => {
    const open = await imported([
      request("List", "GET", "/orders"),
      request("Open", "GET", "/open", { auth: noAuth }),
    ])
    expect(open.sent).toEqual(["GET /orders Bearer tok-1234567890", "GET /open "])
    expect(open.requests).toContain("Bearer {{accessToken}}")
    const other = await imported([
      request("List", "GET", "/orders"),
      request("Again", "GET", "/orders"),
      request("Other", "GET", "/orders", { auth: bearer("other-9876543") }),
      request("Own", "GET", "/orders", { header: [{ key: "Authorization", value: "Bearer own-1111111" }] }),
    ])
    expect(other.sent).toEqual([
      "GET /orders Bearer tok-1234567890",
      "GET /orders Bearer tok-1234567890",
      "GET /orders Bearer other-9876543",
      "GET /orders Bearer own-1111111",
    ])
    expect(other.texts["apis/shop/environments/default.secrets.env"]).toContain("bearerAuth=tok-1234567890\n")
  })

  it("stays a header if a script sets the token", async () => {
    const login = {
      ...request("Login", "POST", "/login", { auth: noAuth }),
      event: [{ listen: "test", script: { exec: 'pm.environment.set("accessToken", pm.response.code)' } }],
    }
    const set = await imported([login, request("List", "GET", "/orders")])
    expect(set.sent).toEqual(["POST /login ", "GET /orders Bearer 200"])
  })

  it("is one variable and a header without a document, and the list says so", async () => {
    const root = await folderWith({
      "shop.json": collection(
        "https://shop.example",
        [request("List", "GET", "/orders"), request("Create", "POST", "/orders"), keys],
        bearer("literal-1234567"),
      ),
    })
    const { stdout, exitCode } = await callsheet(["import", "shop.json"], { folder: root })
    expect(exitCode).toBe(0)
    expect(stdout).toContain(
      [
        "shop.json: no security scheme of a document has its authentication, so 2 requests have the header authorization with shop.bearerToken\n",
        "shop.json: Keys: no security scheme of a document has its authentication, so 1 request has the header x-api-key with shop.xApiKey\n",
      ].join(""),
    )
    expect(stdout).not.toContain("literal-1234567")
    const texts = await textsIn(root)
    expect(texts["apis/shop/environments/default.secrets.env"]).toContain("bearerToken=literal-1234567\n")
    for (const name of ["list", "create"])
      expect(texts[`apis/shop/requests/shop/${name}.json`]).toContain("Bearer {{bearerToken}}")
  })
})
