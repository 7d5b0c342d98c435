// Checks where requests go: to the variable `baseUrl`, or else to the document's servers.

import { describe, expect, it } from "vitest"
import { request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>

interface Servers {
  readonly version?: string
  readonly root?: Fields
  readonly item?: Fields
  readonly own?: Fields
  /** The values of the environment. */
  readonly values?: Fields
}

/** Sends one request of an operation with this documentation. `URL` and `HOST` are replaced by the server's. */
function send({ version = "3.1.0", root = {}, item = {}, own = {}, values = {} }: Servers) {
  const filled = (value: unknown, url: string): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll("URL", url).replaceAll("HOST", new URL(url).host))
  const document = {
    ...(version === "2.0" ? { swagger: version } : { openapi: version }),
    info: { title: "Shop", version: "1" },
    paths: { "/a": { ...item, get: { operationId: "get", responses: {}, ...own } } },
    ...root,
  }
  return runBlocks([request("get", { operation: "get" })], {
    files: (url) => ({
      "apis/shop/openapi.json": filled(document, url),
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string", required: false } },
      },
      "apis/shop/environments/local.json": filled(values, url),
      "apis/shop/environments/local.secrets.env": "",
    }),
  })
}

const servers = (url: string, variables?: Fields) => ({
  servers: [variables === undefined ? { url } : { url, variables }, { url: "http://second.example" }],
})

describe("a request goes to", () => {
  it.each<[string, Servers, string]>([
    ["the server of the document", { root: servers("URL/v1") }, "/v1/a"],
    ["its path with one slash", { root: servers("URL/v1///") }, "/v1/a"],
    [
      "the path's server before the document's",
      { root: servers("URL/root"), item: servers("URL/item") },
      "/item/a",
    ],
    [
      "the operation's server before both",
      { root: servers("URL/root"), item: servers("URL/item"), own: servers("URL/own") },
      "/own/a",
    ],
    ["only the operation's server", { own: servers("URL/own") }, "/own/a"],
    ["only the path's server", { item: servers("URL/item") }, "/item/a"],
    [
      "the defaults of its variables",
      {
        root: servers("http://{host}/{base}/{version}{empty}", {
          host: { default: "HOST" },
          base: { default: "v1", enum: ["v1", "v2"] },
          version: { default: 3 },
          empty: { default: "" },
        }),
      },
      "/v1/3/a",
    ],
    [
      "baseUrl before all others",
      { own: servers("http://own.invalid"), values: { baseUrl: "URL/base/" } },
      "/base/a",
    ],
    ["baseUrl with its query", { values: { baseUrl: "URL/base?x=1" } }, "/base/a?x=1"],
    ["baseUrl, if the server is relative", { root: servers("/v1"), values: { baseUrl: "URL" } }, "/a"],
    [
      "2.0's host and basePath",
      { version: "2.0", root: { host: "HOST", basePath: "/v1/", schemes: ["http"] } },
      "/v1/a",
    ],
    [
      "2.0's host with the operation's schemes",
      { version: "2.0", root: { host: "HOST" }, own: { schemes: ["http"] } },
      "/a",
    ],
  ])("%s", async (_, given, url) => {
    const { requests, exitCode } = await send(given)
    expect(requests.map((one) => one.url)).toEqual([url])
    expect(exitCode).toBe(0)
  })
})

describe("a run without a server", () => {
  const none = `the API "shop" has no base URL in the environment "local":`

  it.each<[string, Servers, string]>([
    [
      "no server at all",
      {},
      `${none} the variable "baseUrl" has no value, and its OpenAPI document doesn't define a server`,
    ],
    [
      "an empty list of servers",
      { root: { servers: [] } },
      `${none} the variable "baseUrl" has no value, and its OpenAPI document doesn't define a server`,
    ],
    [
      "a relative server",
      { root: servers("/v1") },
      `${none} the variable "baseUrl" has no value, and the server "/v1" of its document is not an absolute http or https URL`,
    ],
    [
      "a server of another scheme",
      { own: servers("wss://a.example") },
      `${none} the variable "baseUrl" has no value, and the server "wss://a.example" of its document is not an absolute http or https URL`,
    ],
    [
      "a variable without a default",
      { root: servers("https://{tenant}.example", { tenant: {} }) },
      `${none} the variable "baseUrl" has no value, and the server "https://{tenant}.example" of its document has no default for "tenant"`,
    ],
    [
      "2.0's host without schemes",
      { version: "2.0", root: { host: "a.example" } },
      `${none} the variable "baseUrl" has no value, and its document has a "host", but its "schemes" don't include http or https`,
    ],
    [
      "only 2.0's basePath",
      { version: "2.0", root: { basePath: "/v1" } },
      `${none} the variable "baseUrl" has no value, and its OpenAPI document doesn't define a server`,
    ],
  ])("reports that before anything is sent: %s", async (_, given, message) => {
    const { requests, exitCode, run } = await send(given)
    expect(requests).toEqual([])
    expect(exitCode).toBe(2)
    expect(run.error?.problems).toMatchObject([
      {
        code: "variable-missing",
        message,
        hint: `set "baseUrl" in apis/shop/environments/local.json`,
      },
    ])
  })

  it.each([
    ["api.example.com", "is not an http or https URL"],
    ["/v1", "is not an http or https URL"],
    ["ftp://a.example", "is not an http or https URL"],
    ["http:a.example", "is not an http or https URL"],
    ["http://a.example/ v1", "contains spaces or control characters"],
    ["http://a.example/\tv1", "contains spaces or control characters"],
    ["http://a.example\u00a0/v1", "contains spaces or control characters"],
    ["http://a.example/v1 ", "starts or ends with a space or a line break"],
    [" http://a.example/v1", "starts or ends with a space or a line break"],
    ["http://a.example/v1\n", "starts or ends with a space or a line break"],
    ["\ufeffhttp://a.example/v1", "starts or ends with a space or a line break"],
    ["http://a.example/#x", "has a fragment (#), which is never sent"],
    ["http://a.example/#", "has a fragment (#), which is never sent"],
    ["http://a.example/?a=1#/v1", "has a fragment (#), which is never sent"],
  ])("reports the baseUrl %j", async (baseUrl, fault) => {
    const { run, exitCode } = await send({ root: servers("URL"), values: { baseUrl } })
    expect(exitCode).toBe(2)
    expect(run.error?.problems).toMatchObject([
      {
        code: "variable-type",
        file: "apis/shop/environments/local.json",
        message: `the variable "baseUrl" of the API "shop" in the environment "local" ${fault}`,
        hint: `for example, "https://api.example.com/v1"`,
      },
    ])
  })
})
