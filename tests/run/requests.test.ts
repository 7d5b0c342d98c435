import { describe, expect, it } from "vitest"
import { assert, echo, request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>
const saved = (content: Fields) => ({
  files: () => ({ "apis/shop/requests/tools/s.json": { version: 1, ...content } }),
})
const send = (overrides: Fields = {}) => request("send", { instance: "s", overrides })
const postEcho = { operation: "postEcho" }

describe("a saved request", () => {
  it.each<[string, Fields, string]>([
    [
      "path, as one segment",
      { method: "GET", path: "/items/{{get.response.body.query.id}}" },
      "/items/a%2Fb",
    ],
    [
      "path, as a part of a segment",
      { method: "GET", path: "/items/x-{{ get.response.body.query.id }}.json" },
      "/items/x-a%2Fb.json",
    ],
    [
      "path, nested",
      { method: "GET", path: "/items/{{get.response.body.query.{{get.response.body.query.key}}}}" },
      "/items/a%2Fb",
    ],
    ["operation", { operation: "{{get.response.body.query.op}}" }, "/echo"],
  ])("may have tokens in its %s", async (_, content, url) => {
    const { requests, exitCode } = await runBlocks(
      [echo("get", { id: "a/b", key: "id", op: "echo" }), send()],
      saved(content),
    )
    expect(requests[1]?.url).toBe(url)
    expect(exitCode).toBe(0)
  })

  it("fails if the token in its path does not resolve or is empty", async () => {
    for (const [token, code] of [
      ["nothing", "token-unresolved"],
      ["get.response.body.query.no", "path-param-missing"],
    ]) {
      const { block, requests } = await runBlocks(
        [echo("get", { no: "" }), send()],
        saved({ method: "GET", path: `/items/{{${token}}}` }),
      )
      expect(requests).toHaveLength(1)
      expect(block("send").error?.code).toBe(code)
    }
  })
})

describe("a body", () => {
  const header = (type: string) => ({ params: { header: { "CONTENT-type": type } } })

  it.each<[string, Fields, Fields, string | undefined, string]>([
    [
      "by the bodyType, if only overrides provide it",
      { bodyType: "form" },
      { body: { a: "x y" } },
      "application/x-www-form-urlencoded",
      "a=x+y",
    ],
    [
      "by the header of an override",
      { body: { a: 1 } },
      header("application/x-www-form-urlencoded"),
      "application/x-www-form-urlencoded",
      "a=1",
    ],
    [
      "by the header, whose parameters stay",
      { body: { a: 1 } },
      header("application/vnd.shop+json; v=2"),
      "application/vnd.shop+json; v=2",
      `{"a":1}`,
    ],
    [
      "by the bodyType, under another name",
      { body: "plain", bodyType: "text" },
      header("text/csv"),
      "text/csv",
      "plain",
    ],
    ["as JSON by default", { body: [1] }, {}, "application/json", "[1]"],
    ["without a body", {}, {}, undefined, ""],
    [
      "from nothing, at the end of a list and inside one",
      {},
      { body: { "a.0": 1, "a[1].b": 2, '["x.y"]': 3, "a.0 ": 4 } },
      undefined,
      "",
    ],
  ])("is written %s", async (_, content, overrides, type, text) => {
    const { requests, block } = await runBlocks([send(overrides)], saved({ ...postEcho, ...content }))
    if (type === undefined && "body" in overrides) {
      expect(block("send").error).toMatchObject({
        code: "path-unresolved",
        message: `overrides.body: "a.0 " can't be set: "a" is an array, so it can't have a property "0 "`,
      })
    } else expect(requests[0]).toMatchObject({ text })
    expect(requests[0]?.headers["content-type"]).toBe(type)
  })
})

describe("cookies", () => {
  it("of the jar are sent, replaced and left out by name", async () => {
    const cookie = (sid: string) => ({ params: { cookie: { sid } } })
    const { requests } = await runBlocks(
      [
        echo("login"),
        request("plain", { operation: "echo" }),
        request("none", { operation: "echo", overrides: cookie("") }),
        request("mine", { operation: "echo", overrides: cookie("mine") }),
      ],
      { routes: { "GET /echo": { headers: { "set-cookie": ["sid=1", "theme=dark"] }, body: {} } } },
    )
    expect(requests.map(({ headers }) => headers.cookie)).toEqual([
      undefined,
      "sid=1; theme=dark",
      "theme=dark",
      "sid=mine; theme=dark",
    ])
  })
})

describe("security", () => {
  const schemes = {
    token: { type: "http", scheme: "bearer" },
    key: { type: "apiKey", in: "query", name: "api_key" },
    sid: { type: "apiKey", in: "cookie", name: "sid" },
    login: { type: "http", scheme: "basic" },
    open: { type: "oauth2", flows: {} },
    tls: { type: "mutualTLS" },
    "shop.auth key": { type: "apiKey", in: "query", name: "auth" },
  }

  it.each<[string, readonly Fields[], Fields, Fields]>([
    [
      "the first alternative that has every value",
      [{ none: [] }, { key: [], open: [] }, { key: [], sid: [] }, { token: [] }],
      {},
      { url: "/echo?api_key=k%20e", cookie: "sid=s" },
    ],
    [
      "a pair as Basic",
      [{ login: [] }],
      {},
      { authorization: `Basic ${btoa("me:pä".replace("ä", "\u00c3\u00a4"))}` },
    ],
    ["nothing if no alternative has values", [{ open: [] }, { tls: [] }], {}, {}],
    ["nothing if that is the first alternative", [{}, { token: [] }], {}, {}],
    [
      "what the request does not set itself",
      [{ key: [], token: [] }],
      { query: { api_key: "own" } },
      { url: "/echo?api_key=own", authorization: "Bearer s3cr3t-t0k3n" },
    ],
    [
      "one value for two schemes of one header",
      [{ open: [], token: [] }],
      {},
      { authorization: "Bearer s3cr3t-t0k3n" },
    ],
    [
      "the first of two that have a value",
      [{ login: [], token: [] }],
      {},
      { authorization: "Basic bWU6cMOk" },
    ],
    [
      "everything that an alternative needs, or nothing from it",
      [{ key: [], tls: [] }, { sid: [] }],
      {},
      { cookie: "sid=s" },
    ],
    ["by the variable that matches its name", [{ "shop.auth key": [] }], {}, { url: "/echo?auth=k2" }],
    [
      "nothing over a header of the request",
      [{ token: [] }],
      { header: { AUTHORIZATION: "" } },
      { authorization: "" },
    ],
  ])("sends %s", async (_, security, params, expected) => {
    const variables = Object.fromEntries(
      ["key", "sid", "login", "open", "token", "shop_auth_key"].map((name) => [
        name,
        { type: "string", required: false, secret: true },
      ]),
    )
    const { requests } = await runBlocks([request("get", { operation: "echo", overrides: { params } })], {
      files: () => ({
        "apis/shop/openapi.json": {
          openapi: "3.1.0",
          info: { title: "S", version: "1" },
          paths: { "/echo": { get: { operationId: "echo", security, responses: {} } } },
          components: { securitySchemes: { ...schemes, none: { type: "http", scheme: "bearer" } } },
        },
        "apis/shop/environments/schema.json": {
          version: 1,
          variables: {
            baseUrl: { type: "string", required: true },
            tier: { type: "number", required: false },
            ...variables,
          },
        },
        "apis/shop/environments/local.secrets.env":
          "key=k e\nsid=s\nlogin=me:pä\nopen=\ntoken=s3cr3t-t0k3n\nshop_auth_key=k2\n",
      }),
    })
    const { url, headers } = requests[0]!
    expect({ url, cookie: headers.cookie, authorization: headers.authorization }).toEqual({
      url: "/echo",
      cookie: undefined,
      authorization: undefined,
      ...expected,
    })
  })
})

describe("a response", () => {
  const json = (body: string | Uint8Array, type = "application/json") => ({
    routes: { "GET /echo": { body, headers: { "content-type": type } } },
  })

  it.each<[string, string | Uint8Array, string, string | undefined]>([
    [
      "a big integer with every digit",
      '{"v":12345678901234567890}',
      "application/json",
      '{"v":12345678901234567890}',
    ],
    ["the last of two keys", '{"v":1,"v":2}', "application/json", '{"v":2}'],
    ["the body after a byte order mark", '\ufeff{"v":1}', "application/problem+json", '{"v":1}'],
    [
      "another charset",
      Buffer.from('{"v":"ä"}', "utf16le"),
      "application/json; charset=utf-16le",
      '{"v":"ä"}',
    ],
    ["null", '{"v":null}', "application/json", '{"v":null}'],
    ["nothing for numbers that JSON does not allow", '{"v":NaN}', "application/json", undefined],
    ["nothing for numbers that would be infinite", '{"v":1e400}', "application/json", undefined],
    ["nothing from text", "<html>", "application/json", undefined],
  ])("gives %s", async (_, body, type, sent) => {
    const { requests, block } = await runBlocks(
      [
        echo("get"),
        request("out", { operation: "postEcho", overrides: { body: { v: "{{get.response.body.v}}" } } }),
      ],
      json(body, type),
    )
    expect(requests[1]?.text).toBe(sent)
    if (sent === undefined)
      expect(block("out").error?.message).toContain(
        '"get.response.body" is not valid JSON: error at line 1, column ',
      )
  })

  it("resolves only own keys", async () => {
    const body = '{"__proto__":{"x":1},"constructor":1,"":3,"a.b":4,"length":5,"ж":6,"list":["ab"]}'
    const at = (path: string) => `get.response.body${path}`
    const { block } = await runBlocks(
      [
        echo("get"),
        assert(
          "check",
          [at(".__proto__.x"), "equals", 1],
          [at(".constructor"), "equals", 1],
          [at('[""]'), "equals", 3],
          [at('["a.b"]'), "equals", 4],
          [at(".length"), "equals", 5],
          [at(".ж"), "equals", 6],
          [at(".list[0]"), "equals", "ab"],
          ...[".list.length", ".list.-1", ".list.01", ".list.0.0", ".toString", ".list.constructor"].map(
            (path) => [at(path), "notExists"] as const,
          ),
          ["get.response.headers.Content-Type", "notExists"],
          ["get.response.headers.content-type", "equals", "application/json"],
        ),
      ],
      json(body),
    )
    expect(block("check").assertions?.filter(({ status }) => status === "failed")).toEqual([])
    expect(({} as Fields)["x"]).toBeUndefined()
  })
})
