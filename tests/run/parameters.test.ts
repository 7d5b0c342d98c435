// Parameters as a server receives them, for documents of every version.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { assert, request, runBlocks } from "./shop-project.ts"

type Fields = Readonly<Record<string, unknown>>

const text = { type: "string" }
const list = { type: "array", items: { type: "string" } }
const object = { type: "object", additionalProperties: { type: "integer" } }

const get = (operationId: string, parameters: readonly Fields[], more: Fields = {}) => ({
  operationId,
  parameters,
  responses: { default: { description: "Any." } },
  ...more,
})

const documentOf = (version: string, paths: Fields, more: Fields = {}) => ({
  ...(version === "2.0" ? { swagger: version } : { openapi: `${version}.0` }),
  info: { title: "Shop", version: "1" },
  paths,
  ...more,
})

/** Runs one request per parameter. Returns the received requests. */
async function sent(
  document: Fields,
  params: readonly (readonly [operation: string, params: Fields])[],
  before: readonly unknown[] = [],
) {
  const blocks = params.map(([operation, given], index) =>
    request(`r${index}`, { operation, overrides: { params: given } }),
  )
  const result = await runBlocks([...before, ...blocks], {
    files: () => ({ "apis/shop/openapi.json": document }),
    workflow: { onFailure: "continue" },
  })
  return { ...result, requests: result.requests.slice(before.length) }
}

describe.each(["3.0", "3.1", "3.2"])("parameters of OpenAPI %s", (version) => {
  const styled = (style: string, explode: boolean, schema: Fields) => ({ style, explode, schema })
  const document = documentOf(
    version,
    {
      "/echo": {
        parameters: [{ name: "ids", in: "query", schema: list }],
        get: get("query", [
          { $ref: "#/components/parameters/Sizes" },
          { name: "tags", in: "query", ...styled("pipeDelimited", false, list) },
          { name: "filter", in: "query", ...styled("deepObject", true, object) },
          { name: "json", in: "query", content: { "application/json": { schema: object } } },
          { name: "path", in: "query", allowReserved: true, schema: text },
          { name: "sort", in: "query", schema: list },
        ]),
        post: get("others", [
          { name: "ids", in: "query", explode: false, schema: list },
          { name: "X-Ids", in: "header", schema: list },
          { name: "X-Map", in: "header", explode: true, schema: object },
          { name: "seen", in: "cookie", schema: list },
          { name: "name", in: "cookie", schema: text },
        ]),
      },
      "/p/{simple}/{label}/{matrix}/{map}.json": {
        get: get("path", [
          { name: "simple", in: "path", required: true, schema: list },
          { name: "label", in: "path", required: true, ...styled("label", true, list) },
          { name: "matrix", in: "path", required: true, ...styled("matrix", true, list) },
          { name: "map", in: "path", required: true, ...styled("simple", true, object) },
        ]),
      },
    },
    { components: { parameters: { Sizes: { name: "sizes", in: "query", explode: false, schema: list } } } },
  )

  it("arrive in their styles", async () => {
    const { requests, exitCode } = await sent(document, [
      [
        "query",
        {
          query: {
            ids: "[1,2]",
            sizes: `["s/m","l"]`,
            tags: `["a","b"]`,
            filter: `{"min":1,"max":2}`,
            json: `{"a":1}`,
            path: "/a?b",
            sort: "name,asc",
            "unknown[]": "[1]",
          },
        },
      ],
      [
        "others",
        {
          query: { ids: "[1,2]" },
          header: { "x-IDS": "[1,2]", "X-Map": `{"a":1,"b":2}`, "X-Other": "[1,2]" },
          cookie: { seen: `["a","b"]`, name: "Jo, Ü", other: "[1]" },
        },
      ],
      [
        "path",
        { path: { simple: `["a/b","c"]`, label: `["d","e"]`, matrix: `["f","g"]`, map: `{"R":1,"G":2}` } },
      ],
    ])
    expect(exitCode).toBe(0)
    const [query, others, path] = requests
    expect(query?.url.replace("/echo?", "").split("&")).toEqual([
      "ids=1",
      "ids=2",
      "sizes=s%2Fm,l",
      "tags=a%7Cb",
      "filter%5Bmin%5D=1",
      "filter%5Bmax%5D=2",
      "json=%7B%22a%22%3A1%7D",
      "path=/a?b",
      "sort=name%2Casc",
      "unknown%5B%5D=%5B1%5D",
    ])
    expect(query?.query.get("json")).toBe(`{"a":1}`)
    expect(others?.url).toBe("/echo?ids=1,2")
    expect([others?.headers["x-ids"], others?.headers["x-map"], others?.headers["x-other"]]).toEqual([
      "1,2",
      "a=1,b=2",
      "[1,2]",
    ])
    expect(others?.headers.cookie).toBe("seen=a; seen=b; name=Jo%2C%20%C3%9C; other=[1]")
    expect(path?.url).toBe("/p/a%2Fb,c/.d.e/;matrix=f;matrix=g/R=1,G=2.json")
  })

  it("may be lists and objects from tokens", async () => {
    const body = { ids: [1, 12345678901234567890n, null, "x y"], filter: { min: 1 } }
    const before = [request("get", { operation: "query", overrides: { params: { query: { ids: "[]" } } } })]
    const query = { ids: "{{get.response.body.ids}}", filter: "{{get.response.body.filter}}" }
    const result = await runBlocks(
      [...before, request("out", { operation: "query", overrides: { params: { query } } })],
      {
        files: () => ({ "apis/shop/openapi.json": document }),
        routes: {
          "GET /echo": {
            body: JSON.stringify(body, (_, value: unknown) =>
              typeof value === "bigint" ? "<big>" : value,
            ).replace(`"<big>"`, "12345678901234567890"),
            headers: { "content-type": "application/json" },
          },
        },
      },
    )
    expect(result.requests.map(({ url }) => url)).toEqual([
      "/echo",
      "/echo?ids=1&ids=12345678901234567890&ids=x%20y&filter%5Bmin%5D=1",
    ])
  })

  it("are left out if empty, and count as missing in a path", async () => {
    const { requests, block } = await sent(document, [
      ["query", { query: { ids: "[]", filter: "{}", sizes: "" } }],
      ["others", { header: { "X-Ids": "[]" }, cookie: { seen: "[]", name: "" } }],
      ["path", { path: { simple: "[]", label: "a", matrix: "[null]", map: `{"a":1}` } }],
    ])
    expect(requests.map(({ url }) => url)).toEqual(["/echo?sizes=", "/echo"])
    expect([requests[1]?.headers["x-ids"], requests[1]?.headers.cookie]).toEqual([undefined, undefined])
    expect(block("r2").error).toMatchObject({
      code: "path-param-missing",
      message: `the path /p/{simple}/{label}/{matrix}/{map}.json has no value for "simple", "matrix"`,
    })
  })

  it.each([
    ["simple", `[".."]`],
    ["simple", ".."],
    ["label", `[""]`],
    ["label", `["."]`],
  ])("in a path that form a dot segment are rejected: %s %s", async (name, value) => {
    const path = { simple: "a", label: "a", matrix: "a", map: `{"a":1}`, [name]: value }
    const { requests, block } = await sent(document, [["path", { path }]])
    expect(requests).toEqual([])
    expect(block("r0").error?.message).toBe(
      `the path parameter "${name}" must not result in a path segment "." or "..", which URLs drop`,
    )
  })

  it("with a lone surrogate are rejected by name", async () => {
    const { requests, block } = await sent(document, [
      ["query", { query: { ids: `["\\ud800"]` } }],
      ["others", { header: { "X-Ids": `["\\ud800"]` } }],
      ["others", { cookie: { seen: `["\\udfff"]` } }],
    ])
    expect(requests).toEqual([])
    expect(block("r0").error?.message).toBe(
      `the query parameter "ids" contains an unpaired surrogate, which UTF-8 can't encode`,
    )
    expect(block("r1").error?.message).toContain("X-Ids")
    expect(block("r2").error?.message).toContain('the cookie "seen" contains a character outside ASCII')
  })
})

describe("parameters of Swagger 2.0", () => {
  const array = (name: string, place: string, format?: string) => ({
    name,
    in: place,
    type: "array",
    items: { type: "string" },
    required: place === "path",
    ...(format === undefined ? {} : { collectionFormat: format }),
  })
  const document = documentOf("2.0", {
    "/echo/{ids}": {
      get: get("all", [
        array("ids", "path", "pipes"),
        array("csv", "query"),
        array("ssv", "query", "ssv"),
        array("tsv", "query", "tsv"),
        array("pipes", "query", "pipes"),
        array("multi", "query", "multi"),
        array("X-Ssv", "header", "ssv"),
      ]),
    },
  })

  it("arrive in their collectionFormat", async () => {
    const value = `["a b","c"]`
    const query = { csv: value, ssv: value, tsv: value, pipes: value, multi: value }
    const { requests } = await sent(document, [
      ["all", { path: { ids: value }, query, header: { "X-Ssv": value } }],
    ])
    expect(requests[0]?.url).toBe(
      "/echo/a%20b%7Cc?csv=a%20b,c&ssv=a%20b%20c&tsv=a%20b%09c&pipes=a%20b%7Cc&multi=a%20b&multi=c",
    )
    expect(requests[0]?.headers["x-ssv"]).toBe("a b c")
  })
})

describe("features of 3.2", () => {
  const document = documentOf(
    "3.2",
    {
      "/search": {
        get: get(
          "search",
          [
            {
              name: "all",
              in: "querystring",
              content: {
                "application/x-www-form-urlencoded": {
                  schema: { type: "object" },
                  encoding: { tags: { style: "pipeDelimited" } },
                },
              },
            },
          ],
          { security: [{ "#/components/securitySchemes/token": [] }] },
        ),
        query: get("ask", [{ name: "sid", in: "cookie", style: "cookie", schema: list }]),
        additionalOperations: { COPY: get("copy", []) },
      },
      "/files/{name}": {
        get: get("file", [{ name: "name", in: "path", required: true, allowReserved: true, schema: text }]),
      },
    },
    { components: { securitySchemes: { token: { type: "apiKey", in: "query", name: "key" } } } },
  )

  it("arrive: the whole query, its own methods, the style of cookies, reserved characters of a path", async () => {
    const { requests, exitCode } = await sent(document, [
      ["search", { query: { all: `{"q":"a + b","tags":["x","y"]}` } }],
      ["ask", { cookie: { sid: `["a%20b","c"]` } }],
      ["copy", {}],
      ["file", { path: { name: "a:b/c@d%2Fe" } }],
    ])
    expect(exitCode).toBe(0)
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /search?q=a+%2B+b&tags=x%7Cy&key=s3cr3t-t0k3n",
      "QUERY /search",
      "COPY /search",
      "GET /files/a:b%2Fc@d%2Fe",
    ])
    expect(requests[1]?.headers.cookie).toBe("sid=a%20b; sid=c")
  })

  it("reject a cookie that HTTP doesn't allow", async () => {
    const { block } = await sent(document, [["ask", { cookie: { sid: `["a;b"]` } }]])
    expect(block("r0").error?.message).toContain('the cookie "sid" contains a semicolon')
  })
})

describe("secrets in parameters", () => {
  const document = documentOf("3.1", {
    "/echo": { get: get("query", [{ name: "ids", in: "query", schema: list }]) },
  })
  const files = (token: string) => () => ({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/local.secrets.env": `token='${token}'\n`,
  })
  const send = (ids: string) => [
    request("out", { operation: "query", overrides: { params: { query: { ids } } } }),
  ]

  it("are sent as parts of a list, and masked there", async () => {
    const { requests, stdout } = await runBlocks(send(`["{{token}}","b"]`), { files: files("s3cr3t/t0k3n") })
    expect(requests[0]?.url).toBe("/echo?ids=s3cr3t%2Ft0k3n&ids=b")
    expect(stdout).toContain("?ids=***&ids=b")
    expect(stdout).not.toMatch(/s3cr3t/)
  })

  it.each<[string, Fields, string, string]>([
    [
      "a deepObject",
      { name: "x", in: "query", style: "deepObject", schema: object },
      `{"key":"{{token}}"}`,
      "/other?page=2",
    ],
    [
      "an exploded object",
      { name: "x", in: "query", schema: object },
      `{"key":"{{token}}"}`,
      "/other?page=2",
    ],
    [
      "a whole query",
      { name: "x", in: "querystring", content: { "application/json": {} } },
      `["{{token}}"]`,
      "/other?page=2",
    ],
  ])("of %s are dropped on the way to another origin", async (_, parameter, value, url) => {
    const other = await startApi({ "*": { body: {} } })
    try {
      const { block, stdout } = await runBlocks(
        [request("out", { operation: "query", overrides: { params: { query: { x: value } } } })],
        {
          files: () => ({
            "apis/shop/openapi.json": documentOf("3.2", { "/echo": { get: get("query", [parameter]) } }),
          }),
          routes: {
            "GET /echo": (received) => ({
              status: 302,
              headers: { location: `${other.url}/other?${received.url.split("?")[1]}&page=2` },
            }),
          },
        },
      )
      expect(block("out").status).toBe("passed")
      expect(other.requests.map((one) => one.url)).toEqual([url])
      expect(stdout).not.toContain("s3cr3t")
    } finally {
      await other.close()
    }
  })

  it("are never split", async () => {
    const { requests, block, stdout } = await runBlocks(send("{{token}}"), {
      files: files(`["fir5t","5econd"]`),
    })
    expect(requests).toEqual([])
    expect(block("out").error).toMatchObject({
      code: "request-failed",
      message: `the query parameter "ids" would split a secret into parts that can't be masked (use a separate variable for each secret in it)`,
    })
    expect(stdout).not.toMatch(/fir5t|5econd/)
  })
})

it("finds operations whatever their names", async () => {
  const operation = (operationId: string, tags: readonly string[] = []) => get(operationId, [], { tags })
  const document = documentOf(
    "3.1",
    {
      "/a": { get: operation("__proto__", ["Order Lines"]), post: operation("constructor") },
      "/b": { get: operation("twice", ["Pets"]) },
      "/c": { get: operation("twice", ["pets"]) },
      "/d": { $ref: "#/components/pathItems/Shared" },
    },
    {
      components: { pathItems: { Shared: { get: operation("shared") } } },
      webhooks: { hook: { post: operation("shared") } },
    },
  )
  const names = [
    { operation: "__proto__" },
    { operation: "constructor" },
    { operation: "__proto__", resource: "order-lines" },
    { operation: "twice", resource: "Pets" },
    { operation: "twice", resource: "pets" },
    { operation: "GET /c" },
    { operation: "shared" },
  ]
  const { requests, exitCode } = await runBlocks(
    [
      ...names.map((name, index) => request(`r${index}`, name)),
      assert("end", ["r0.response.status", "equals", 200]),
    ],
    { files: () => ({ "apis/shop/openapi.json": document }) },
  )
  expect(exitCode).toBe(0)
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "GET /a",
    "POST /a",
    "GET /a",
    "GET /b",
    "GET /c",
    "GET /c",
    "GET /d",
  ])
})
