import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { readDocument } from "../document/read-document.ts"
import { documentOf, type Version } from "../testing/document-of.ts"
import { compareDocuments } from "./compare-documents.ts"

type Content = JsonObject & { readonly paths?: JsonObject }

async function changesOf(
  before: Content,
  after: Content,
  versions: readonly [Version, Version] = ["3.1", "3.1"],
) {
  const [one, other] = await Promise.all([
    documentOf({ version: versions[0], ...before }),
    documentOf({ version: versions[1], ...after }),
  ])
  return compareDocuments(one, other)
}

/** Formats the changes: `GET /a request /query/page: parameter-added (omits)`, with the status of a response. */
const compare = async (...compared: Parameters<typeof changesOf>): Promise<readonly string[]> =>
  (await changesOf(...compared)).map(({ operation, side, status, path, kind, breaks }) =>
    [
      `${operation} ${status ?? side} ${path}: ${kind}`,
      ...(breaks === undefined ? [] : [`(${breaks})`]),
    ].join(" "),
  )

/** Compares two documents as they are written in Swagger 2.0. */
async function compareRaw(before: Content, after: Content): Promise<readonly string[]> {
  const [one, other] = await Promise.all(
    [before, after].map(async (content) => {
      const root = { swagger: "2.0", info: { title: "t", version: "1" }, ...content }
      const { document } = await readDocument({ file: "apis/t/openapi.json", text: JSON.stringify(root) })
      return document!
    }),
  )
  return compareDocuments(one!, other!).map(
    ({ operation, status, path, kind }) => `${operation} ${status} ${path}: ${kind}`,
  )
}

const shop = (own: JsonObject, item: JsonObject = {}): Content => ({ paths: { "/a": { get: own, ...item } } })
const text: JsonObject = { type: "string" }
const whole: JsonObject = { type: "integer" }
const json = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } })
const query = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: "query",
  schema: text,
  ...more,
})
const parameters = (...list: readonly JsonValue[]): JsonObject => ({ parameters: list, responses: {} })
const responses = (map: JsonObject): JsonObject => ({ responses: map })
const ok = (more: JsonObject = {}): JsonObject => ({ description: "ok", ...more })
const body = (more: JsonObject): JsonObject => ({ requestBody: more, responses: {} })

describe("compareDocuments", () => {
  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ["a new parameter", parameters(), parameters(query("p")), ["GET /a request /query/p: parameter-added"]],
    [
      "a new required parameter",
      parameters(),
      parameters(query("p", { required: true })),
      ["GET /a request /query/p: parameter-added (omits)"],
    ],
    [
      "a removed parameter",
      parameters(query("p")),
      parameters(),
      ["GET /a request /query/p: parameter-removed (sends)"],
    ],
    [
      "a parameter that becomes required",
      parameters(query("p")),
      parameters(query("p", { required: true })),
      ["GET /a request /query/p: parameter-required (omits)"],
    ],
    [
      "a parameter that becomes optional",
      parameters(query("p", { required: true })),
      parameters(query("p")),
      ["GET /a request /query/p: parameter-optional"],
    ],
    [
      "another type of a parameter",
      parameters(query("p")),
      parameters(query("p", { schema: whole })),
      ["GET /a request /query/p: type-changed (sends)"],
    ],
    [
      "another style",
      parameters(query("p", { schema: { type: "array", items: text } })),
      parameters(query("p", { schema: { type: "array", items: text }, explode: false })),
      ["GET /a request /query/p: serialization-changed (sends)"],
    ],
    [
      "another place of a parameter",
      parameters(query("p")),
      parameters({ name: "p", in: "cookie", schema: text }),
      ["GET /a request /query/p: parameter-removed (sends)", "GET /a request /cookies/p: parameter-added"],
    ],
    [
      "a header parameter",
      parameters({ name: "X-A", in: "header", schema: text }),
      parameters({ name: "x-a", in: "header", schema: whole }),
      ["GET /a request /headers/x-a: type-changed (sends)"],
    ],
    ["a new body", body({}), body(json(text)), ["GET /a request /headers/content-type: media-type-added"]],
    ["a body", {}, body(json(text)), ["GET /a request /body: body-added"]],
    [
      "a required body",
      {},
      body({ ...json(text), required: true }),
      ["GET /a request /body: body-added (omits)"],
    ],
    ["a removed body", body(json(text)), {}, ["GET /a request /body: body-removed (sends)"]],
    [
      "a body that becomes required",
      body(json(text)),
      body({ ...json(text), required: true }),
      ["GET /a request /body: body-required (omits)"],
    ],
    [
      "a body that becomes optional",
      body({ ...json(text), required: true }),
      body(json(text)),
      ["GET /a request /body: body-optional"],
    ],
    [
      "another media type",
      body({ content: { "application/json": { schema: text } } }),
      body({ content: { "application/xml": { schema: text } } }),
      [
        "GET /a request /headers/content-type: media-type-removed (sends)",
        "GET /a request /headers/content-type: media-type-added",
      ],
    ],
    [
      "a wider media type",
      body({ content: { "application/json": { schema: text } } }),
      body({ content: { "application/*": { schema: whole } } }),
      [
        "GET /a request /headers/content-type: media-type-added",
        "GET /a request /body: type-changed (sends)",
      ],
    ],
    [
      "one of two media types with the same schema",
      body({ content: { "application/json": { schema: text }, "text/json": { schema: text } } }),
      body({ content: { "application/json": { schema: whole }, "text/json": { schema: text } } }),
      ["GET /a request /body: type-changed (sends)"],
    ],
    [
      "a new success status",
      responses({ "200": ok() }),
      responses({ "200": ok(), "202": ok() }),
      ["GET /a 202 /status: status-added (reads)"],
    ],
    [
      "a new error status",
      responses({ "200": ok() }),
      responses({ "200": ok(), "404": ok() }),
      ["GET /a 404 /status: status-added"],
    ],
    [
      "a removed status",
      responses({ "200": ok(), "404": ok() }),
      responses({ "200": ok() }),
      ["GET /a 404 /status: status-removed (reads)"],
    ],
    [
      "a status in place of its range",
      responses({ "2XX": ok(json(text)) }),
      responses({ "200": ok(json(whole)) }),
      [
        "GET /a 2XX /status: status-removed (reads)",
        "GET /a 200 /status: status-added",
        "GET /a 200 /body: type-changed (reads)",
      ],
    ],
    [
      "a range in place of its status",
      responses({ "200": ok(json(text)) }),
      responses({ "2XX": ok(json(whole)) }),
      ["GET /a 200 /body: type-changed (reads)", "GET /a 2XX /status: status-added (reads)"],
    ],
    [
      "a status that the default included",
      responses({ default: ok(json(text)) }),
      responses({ "404": ok(json(whole)), default: ok(json(text)) }),
      ["GET /a 404 /status: status-added", "GET /a 404 /body: type-changed (reads)"],
    ],
    [
      "another success status beside a default for errors",
      responses({ "201": ok(json(text)), default: ok(json(whole)) }),
      responses({ "200": ok(json(text)), default: ok(json(whole)) }),
      ["GET /a 201 /status: status-removed (reads)", "GET /a 200 /status: status-added (reads)"],
    ],
    [
      "a success status in place of the default",
      responses({ default: ok(json(text)) }),
      responses({ "200": ok(json(text)) }),
      ["GET /a default /status: status-removed (reads)", "GET /a 200 /status: status-added"],
    ],
    [
      "a response without its body",
      responses({ "200": ok(json(text)) }),
      responses({ "200": ok() }),
      ["GET /a 200 /headers/content-type: media-type-removed (reads)"],
    ],
    [
      "a response header",
      responses({
        "200": ok({
          headers: {
            "X-A": { schema: text },
            "X-B": { schema: text, required: true },
            "X-D": { schema: text },
          },
        }),
      }),
      responses({
        "200": ok({
          headers: { "x-a": { schema: whole }, "X-B": { schema: text }, "X-C": { schema: text } },
        }),
      }),
      [
        "GET /a 200 /headers/x-a: type-changed (reads)",
        "GET /a 200 /headers/x-b: header-changed (reads)",
        "GET /a 200 /headers/x-d: header-changed (reads)",
        "GET /a 200 /headers/x-c: header-changed",
      ],
    ],
    [
      "another operationId",
      { operationId: "a" },
      { operationId: "b" },
      ["GET /a request : operation-renamed (names)"],
    ],
    ["a first operationId", {}, { operationId: "b" }, ["GET /a request : operation-renamed"]],
    ["another tag", { tags: ["a"] }, { tags: ["b"] }, ["GET /a request : resource-changed (names)"]],
    ["one more tag", { tags: ["a"] }, { tags: ["b", "a"] }, ["GET /a request : resource-changed"]],
    [
      "its own server",
      {},
      { servers: [{ url: "https://b.example.com" }] },
      ["GET /a request /servers: server-changed"],
    ],
  ])("finds %s", async (_, before, after, expected) => {
    expect(await compare(shop(before), shop(after))).toEqual(expected)
  })

  it("finds operations that were added, removed and moved", async () => {
    const before = { paths: { "/a": { get: { operationId: "a" } }, "/b": { get: { operationId: "b" } } } }
    const after = { paths: { "/a": { post: {} }, "/v2/b": { get: { operationId: "b" } } } }
    expect(await compare(before, after)).toEqual([
      "POST /a request : operation-added",
      "GET /v2/b request : operation-added",
      "GET /a request : operation-removed (calls)",
      "GET /b request : operation-removed (calls)",
    ])
    expect((await changesOf(before, after)).map(({ message }) => message)).toEqual([
      "the operation was added",
      "the operation moved here from GET /b",
      "the operation was removed",
      "the operation moved to GET /v2/b",
    ])
  })

  it("keeps an operation whose path parameter has another name", async () => {
    const path = (name: string): Content => ({
      paths: { [`/a/{${name}}`]: { get: parameters({ name, in: "path", required: true, schema: text }) } },
    })
    expect(await compare(path("id"), path("orderId"))).toEqual([
      "GET /a/{orderId} request /path/orderId: parameter-renamed (names)",
    ])
  })

  it("doesn't confuse paths of the same shape", async () => {
    const before: Content = { paths: { "/a/{id}": { get: {} }, "/a/{name}": { get: { operationId: "x" } } } }
    const after: Content = { paths: { "/a/{name}": { get: { operationId: "x" } } } }
    expect(await compare(before, after)).toEqual(["GET /a/{id} request : operation-removed (calls)"])
  })

  it("reads parameters of the path, and ignores their order", async () => {
    const before = shop(parameters(query("p"), query("q")))
    expect(await compare(before, shop(parameters(query("q")), { parameters: [query("p")] }))).toEqual([])
    expect(
      await compare(before, shop(parameters(query("q")), { parameters: [query("p", { required: true })] })),
    ).toEqual(["GET /a request /query/p: parameter-required (omits)"])
  })

  it("ignores references, a charset and the case of headers and ranges", async () => {
    const before: Content = {
      ...shop({
        parameters: [{ $ref: "#/components/parameters/P" }],
        responses: { "2xx": { $ref: "#/components/responses/R" } },
      }),
      components: {
        parameters: { P: query("p") },
        responses: { R: ok({ ...json(text), headers: { "X-A": { schema: text } } }) },
      },
    }
    const after = shop({
      parameters: [query("p")],
      responses: {
        "2XX": ok({
          content: { "Application/JSON; charset=utf-8": { schema: text } },
          headers: { "x-a": { schema: text } },
        }),
      },
    })
    expect(await compare(before, after)).toEqual([])
  })

  it("reports security and servers once for the document", async () => {
    const schemes = {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      token: { type: "http", scheme: "bearer" },
    }
    const before: Content = {
      components: { securitySchemes: schemes },
      paths: { "/a": { get: {}, post: { security: [{ key: [] }] } } },
      security: [{ key: [] }],
      servers: [{ url: "https://a.example.com/" }],
    }
    const after: Content = {
      ...before,
      security: [{ token: [] }, { key: [] }],
      servers: [{ url: "https://b.example.com" }],
    }
    expect(await compare(before, after)).toEqual([
      "* document /servers: server-changed (calls)",
      "* document /security: security-changed",
    ])
    expect(await compare(after, before)).toContain("* document /security: security-changed (calls)")
  })

  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ["another name of a scheme", { key: [] }, { sameKey: [] }, []],
    ["one more scheme that is required", { key: [] }, { key: [], token: [] }, ["(calls)"]],
    ["one scheme less that is required", { key: [], token: [] }, { key: [] }, [""]],
    ["one more scope", { oauth: ["a"] }, { oauth: ["a", "b"] }, ["(calls)"]],
    ["one scope less", { oauth: ["a", "b"] }, { oauth: ["a"] }, [""]],
    ["no authentication", { key: [] }, {}, [""]],
    ["authentication", {}, { key: [] }, ["(calls)"]],
  ])("compares the alternatives of an operation: %s", async (_, before, after, expected) => {
    const securitySchemes = {
      key: { type: "apiKey", in: "header", name: "X-Key" },
      sameKey: { type: "apiKey", in: "header", name: "x-key" },
      token: { type: "http", scheme: "bearer" },
      oauth: { type: "oauth2", flows: {} },
    }
    const content = (security: JsonObject): Content => ({
      components: { securitySchemes },
      ...shop({ security: [security] }),
    })
    expect(await compare(content(before), content(after))).toEqual(
      expected.map((breaks) =>
        ["GET /a request /security: security-changed", ...(breaks ? [breaks] : [])].join(" "),
      ),
    )
  })

  it("sees what decides the meaning of an operation that stays as written", async () => {
    const secured = (scheme: JsonObject): Content => ({
      components: { securitySchemes: { key: scheme } },
      ...shop({ security: [{ key: [] }] }),
    })
    const key = { type: "apiKey", in: "header", name: "X-Key" }
    expect(await compare(secured(key), secured({ ...key, in: "query" }))).toEqual([
      "GET /a request /security: security-changed (calls)",
    ])
    const producing = (type: string): Content => ({
      produces: [type],
      ...shop({ responses: { "200": { description: "ok", schema: text } } }),
    })
    const [before, after] = ["application/json", "application/xml"].map(producing)
    expect(await compareRaw(before!, after!)).toEqual([
      "GET /a 200 /headers/content-type: media-type-removed",
      "GET /a 200 /headers/content-type: media-type-added",
    ])
  })

  it("ignores a slash at the end of a server", async () => {
    const served = (url: string): Content => ({ ...shop({}), servers: [{ url }] })
    expect(await compare(served("https://a.example.com/v1/"), served("https://a.example.com/v1"))).toEqual([])
  })

  it("compares Swagger 2.0 with 3.0", async () => {
    const content = (schema: JsonObject): Content => ({
      servers: [{ url: "https://a.example.com/v1" }],
      paths: {
        "/a/{id}": {
          post: {
            parameters: [query("p"), { name: "id", in: "path", required: true, schema: text }],
            requestBody: json(schema),
            responses: { "200": ok({ ...json(schema), headers: { "X-A": { schema: text } } }) },
          },
        },
      },
    })
    const order: JsonObject = { type: "object", properties: { total: whole } }
    expect(await compare(content(order), content(order), ["2.0", "3.0"])).toEqual([])
    expect(
      await compare(content(order), content({ type: "object", properties: { total: text } }), ["2.0", "3.0"]),
    ).toEqual([
      "POST /a/{id} request /body/total: type-changed (sends)",
      "POST /a/{id} 200 /body/total: type-changed (reads)",
    ])
  })

  it("compares the methods that 3.2 adds", async () => {
    const content = (own: JsonObject): Content => ({
      paths: { "/a": { query: own, additionalOperations: { COPY: own } } },
    })
    expect(await compare(content(parameters()), content(parameters(query("p"))), ["3.2", "3.2"])).toEqual([
      "QUERY /a request /query/p: parameter-added",
      "COPY /a request /query/p: parameter-added",
    ])
  })

  it("gives facts, places and a message", async () => {
    const before = shop({
      parameters: [query("p", { schema: { ...text, default: "x" }, example: "y" })],
      responses: { "200": ok(json({ type: "object", properties: { state: { enum: ["a", "b"] } } })) },
    })
    const after = shop({
      parameters: [query("p", { required: true, schema: { ...text, default: "x" }, example: "y" })],
      responses: { "200": ok(json({ type: "object", properties: { state: { enum: ["b", "c"] } } })) },
    })
    const [required, values] = await changesOf(before, after)
    expect(required).toMatchObject({
      kind: "parameter-required",
      facts: { in: "query", name: "p", required: true, default: "x", example: "y" },
      message: 'the query parameter "p" became required',
      before: "/paths/~1a/get/parameters/0",
      after: "/paths/~1a/get/parameters/0",
    })
    expect(values).toMatchObject({
      kind: "enum-changed",
      facts: { removed: ["a"], added: ["c"], wasOpen: false, isOpen: false },
      message: '"/state" in the 200 response body no longer allows "a", and also allows "c"',
      status: "200",
      mediaType: "application/json",
      after: "/paths/~1a/get/responses/200/content/application~1json/schema/properties/state",
    })
  })

  it("shares the facts of a component's change between operations", async () => {
    const content = (schema: JsonObject): Content => {
      const get = { responses: { "200": ok(json({ $ref: "#/components/schemas/A" })) } }
      return { components: { schemas: { A: schema } }, paths: { "/a": { get }, "/b": { get } } }
    }
    const [one, other] = await changesOf(content(text), content(whole))
    expect([one?.operation, other?.operation]).toEqual(["GET /a", "GET /b"])
    expect(one?.facts).toBe(other?.facts)
  })

  it("says for each operation where it has a component's change", async () => {
    const content = (schema: JsonObject): Content => {
      const own = (status: string) => ({
        responses: { [status]: ok(json({ $ref: "#/components/schemas/A" })) },
      })
      const list = { items: { $ref: "#/components/schemas/A" } }
      return {
        components: { schemas: { A: { properties: { state: schema } } } },
        paths: { "/a": { get: own("200") }, "/b": { get: own("404"), post: body(json(list)) } },
      }
    }
    const changes = await changesOf(content(text), content(whole))
    expect(changes.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      '/body/state: the type of "/state" in the 200 response body changed from string to integer',
      '/body/state: the type of "/state" in the 404 response body changed from string to integer',
      '/body/*/state: the type of "/*/state" in the request body changed from string to integer',
    ])
    expect(changes.map(({ isAt }) => isAt("/body/7/state"))).toEqual([false, false, true])
  })

  const stream = (media: JsonObject, type = "text/event-stream"): Content =>
    shop(responses({ "200": ok({ content: { [type]: media } }) }))
  const event = (data: JsonObject): JsonObject => ({ properties: { event: text, data } })
  const counted = (n: JsonObject): JsonObject => ({ type: "object", required: ["n"], properties: { n } })
  const encoded = (n: JsonObject): JsonObject => event({ ...text, contentSchema: counted(n) })

  it.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ["the data of an event", { itemSchema: event(whole) }, { itemSchema: event(text) }, ["/body/*/data"]],
    [
      "the content of a text",
      { itemSchema: encoded(whole) },
      { itemSchema: encoded(text) },
      ["/body/*/data", "/body/*/data/n"],
    ],
    [
      "data without the event around it",
      { schema: counted(whole) },
      { schema: counted(text) },
      ["/body/*/data/n"],
    ],
    [
      "an item of a list",
      { schema: { type: "array", items: event(whole) } },
      { itemSchema: event(text) },
      ["/body/*/data"],
    ],
    ["nothing", { schema: { type: "array", items: event(whole) } }, { itemSchema: event(whole) }, []],
    ["a schema that is gone", { itemSchema: counted(whole) }, {}, ["/body/*"]],
  ])("finds changes in streams: %s", async (_, before, after, paths) => {
    const changes = await changesOf(stream(before), stream(after), ["3.2", "3.2"])
    expect(changes.map(({ path }) => path)).toEqual(paths)
    expect(changes.at(-1)?.breaks).toBe(paths.length === 0 ? undefined : "reads")
  })

  it("finds changes of the items in streams of lines, for all types that have them", async () => {
    const lines = (n: JsonObject): Content => {
      const media = { itemSchema: { $ref: "#/components/schemas/Line" } }
      const types = { "application/x-ndjson": media, "application/json-seq": media }
      const components = { schemas: { Line: counted(n) } }
      return { ...shop(responses({ "200": ok({ content: types }) })), components }
    }
    const [change, ...others] = await changesOf(lines(whole), lines(text), ["3.2", "3.2"])
    expect(others).toEqual([])
    expect(change).toMatchObject({ path: "/body/*/n", breaks: "reads" })
    expect(change?.message).toBe('the type of "/*/n" in the 200 response body changed from integer to string')
  })
})
