import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { findOperation } from "../document/operations.ts"
import { documentedParameters } from "../request/documented-parameters.ts"
import { requestBodyType } from "../request/request-body-type.ts"
import { documentOf } from "../testing/document-of.ts"
import { said } from "../testing/type-of.ts"
import { responseTypes } from "./response-types.ts"

/** Returns the only operation of a document. */
async function operationOf(
  operation: JsonObject,
  {
    method = "post",
    components = {},
    ...pathItem
  }: { method?: string; components?: JsonObject } & JsonObject = {},
) {
  const document = await documentOf({
    version: "3.1",
    paths: { "/orders/{id}": { ...pathItem, [method]: { operationId: "it", ...operation } } },
    components,
  })
  const found = findOperation(document, { operation: "it" })
  if (found.status !== "found") throw new Error(found.message)
  return { document, operation: found.operation }
}

const order = {
  type: "object",
  required: ["sku"],
  properties: { sku: { type: "string" }, count: { type: "integer" } },
}

type MediaTypes = readonly (readonly [mediaType: string, schema?: JsonValue])[]

const contentOf = (...types: MediaTypes): JsonObject => ({
  content: Object.fromEntries(types.map(([type, schema]) => [type, schema === undefined ? {} : { schema }])),
})

async function responsesOf(responses: JsonObject, method = "post", components: JsonObject = {}) {
  const { operation } = await operationOf({ responses }, { method, components })
  return responseTypes(operation)
}

describe("bodies of responses", () => {
  it.each<readonly [types: MediaTypes, path: string, outcome: string]>([
    [[["application/json", order]], "count", "number"],
    [[["application/json", order]], "cuont", "nowhere"],
    [[["application/problem+json; charset=utf-8", order]], "count", "number"],
    [[["application/json"]], "count", "unknown"],
    [[["text/plain", { type: "string" }]], "", "string"],
    [[["application/xml", order]], "count", "nowhere"],
    [[["text/csv"]], "", "string"],
    [[["image/png", { type: "string", format: "binary" }]], "", "string"],
    [[["*/*", order]], "", "object|string"],
    [[["*/*", order]], "cuont", "nowhere"],
    [[["application/*"]], "", "unknown"],
    [[["text/plain", order]], "count", "number"],
    [
      [
        ["application/json", order],
        ["application/xml", order],
      ],
      "",
      "object|string",
    ],
    [
      [
        ["application/json", order],
        ["application/hal+json", { properties: { links: {} } }],
      ],
      "cuont",
      "nowhere",
    ],
  ])("of %j: %s is %s", async (types, path, outcome) => {
    const [response] = await responsesOf({ 200: { description: "", ...contentOf(...types) } })
    expect(said(response!.body!, path)).toBe(outcome)
  })

  it("keeps statuses, ranges and the default under their keys", async () => {
    const responses = await responsesOf({
      200: { description: "" },
      "4xx": { description: "" },
      default: { description: "" },
      "x-other": {},
    })
    expect(responses.map(({ status }) => status)).toEqual(["200", "4XX", "default"])
    expect(responses.every(({ body }) => body === undefined)).toBe(true)
  })

  it("expects no body where HTTP has none", async () => {
    const content = contentOf(["application/json", order])
    const bodies = (list: Awaited<ReturnType<typeof responsesOf>>) =>
      list.map(({ body }) => body !== undefined)
    expect(bodies(await responsesOf({ 200: content, 204: content, 304: content }))).toEqual([
      true,
      false,
      false,
    ])
    expect(bodies(await responsesOf({ 200: content }, "head"))).toEqual([false])
  })

  it("knows nothing about a response whose reference doesn't resolve", async () => {
    const [broken, found] = await responsesOf(
      { 200: { $ref: "#/components/responses/Lost" }, 201: { $ref: "#/components/responses/Made" } },
      "post",
      { responses: { Made: { description: "", ...contentOf(["application/json", order]) } } },
    )
    expect([said(broken!.body!, "a"), said(found!.body!, "sku")]).toEqual(["unknown", "string"])
  })

  it("has headers by their lowercase names", async () => {
    const headers = {
      "X-Total": { schema: { type: "integer" } },
      "Set-Cookie": { schema: { type: "string" } },
    }
    const [response] = await responsesOf({ 200: { description: "", headers } })
    expect(response!.headers).toEqual(["x-total", "set-cookie"])
  })
})

describe("bodies of requests", () => {
  const bodyOf = async (requestBody: JsonObject, mediaType?: string) => {
    const { operation } = await operationOf({ requestBody })
    return requestBodyType(operation, mediaType)
  }

  it("have the media type that is sent", async () => {
    const content = contentOf(
      ["multipart/form-data", { properties: { file: {} } }],
      ["application/json", order],
    )
    const body = await bodyOf({ required: true, ...content })
    expect([body?.required, body?.mediaType, body?.type.required()]).toEqual([
      true,
      "application/json",
      ["sku"],
    ])
    const form = await bodyOf(content, "multipart/form-data; boundary=x")
    expect([form?.required, form?.type.names()]).toEqual([false, ["file"]])
  })

  it("have the fields of a form, but not their content", async () => {
    const body = await bodyOf(contentOf(["application/x-www-form-urlencoded", order]))
    expect([said(body!.type, "count"), said(body!.type, "cuont")]).toEqual(["unknown", "nowhere"])
    expect(body?.type.required()).toEqual(["sku"])
  })

  it("match the range that the type falls under", async () => {
    const body = await bodyOf(contentOf(["*/*", order]))
    expect([body?.mediaType, said(body!.type, "count")]).toEqual(["application/json", "number"])
  })

  it("are text, bytes or nothing", async () => {
    expect(said((await bodyOf(contentOf(["text/plain", order])))!.type, "")).toBe("string")
    expect(said((await bodyOf(contentOf(["image/png", order])))!.type, "")).toBe("unknown")
    expect(await bodyOf(contentOf())).toBeUndefined()
    expect(await bodyOf({ $ref: "#/nowhere" })).toBeUndefined()
    expect(await bodyOf(contentOf(["application/json", order]), "text/plain")).toBeUndefined()
    const { operation } = await operationOf({})
    expect(requestBodyType(operation)).toBeUndefined()
  })
})

describe("parameters", () => {
  const id = { name: "id", in: "path", required: true }
  const query = (name: string, more: JsonObject = {}): JsonObject => ({ name, in: "query", ...more })

  it("are those of the path and of the operation, by location", async () => {
    const { operation } = await operationOf(
      { parameters: [query("limit", { required: true }), query("page"), { name: "X-Trace", in: "header" }] },
      { parameters: [id] },
    )
    const at = (place: "query" | "path" | "header" | "cookie") => documentedParameters(operation, place)
    expect(at("query").names).toEqual(["limit", "page"])
    expect(at("path").names).toEqual(["id"])
    expect(["limit", "lmit", "Limit"].map(at("query").allows)).toEqual([
      "documented",
      "undocumented",
      "undocumented",
    ])
    expect(["x-trace", "Accept", "x-tracer"].map(at("header").allows)).toEqual([
      "documented",
      "documented",
      "undocumented",
    ])
    expect(at("cookie").allows("sid")).toBe("undocumented")
  })

  it("include those that carry credentials", async () => {
    const { operation } = await operationOf(
      { security: [{ key: [] }] },
      { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "api_key" } } } },
    )
    expect(documentedParameters(operation, "query").allows("api_key")).toBe("documented")
    expect(documentedParameters(operation, "header").allows("api_key")).toBe("undocumented")
  })

  it.each<readonly [string, JsonObject, string]>([
    ["an exploded object", query("filter", { schema: { type: "object" } }), "color"],
    ["an empty schema", query("filter", { schema: {} }), "color"],
    ["an unresolvable reference", { $ref: "#/components/parameters/Lost" }, "color"],
    ["the query as a whole", { name: "all", in: "querystring" }, "color"],
    ["a deep object", query("filter", { style: "deepObject", schema: { type: "object" } }), "filter[color]"],
    ["a list in brackets", query("ids", { schema: { type: "array" } }), "ids[]"],
  ])("allow undocumented names because of %s", async (_, parameter, name) => {
    const { operation } = await operationOf({ parameters: [parameter] })
    const query = documentedParameters(operation, "query")
    expect(query.allows(name)).toBe("perhaps")
  })

  it("are not opened by an object that is written as one parameter", async () => {
    const parameter = query("filter", { explode: false, schema: { type: "object" } })
    const { operation } = await operationOf({
      parameters: [parameter, query("list", { schema: { type: "array" } })],
    })
    expect(documentedParameters(operation, "query").allows("color")).toBe("undocumented")
  })

  it.each<readonly [media: JsonObject, example: JsonValue | undefined]>([
    [{ schema: order, example: { count: 2 } }, { count: 2 }],
    [
      { schema: order, examples: { few: { value: { count: 1 } }, many: { value: { count: 9 } } } },
      { count: 1 },
    ],
    [{ examples: { few: { $ref: "#/components/examples/Few" } } }, { count: 3 }],
    [{ examples: { lost: { $ref: "#/components/examples/Lost" } } }, undefined],
    [{ schema: { ...order, example: { count: 4 } } }, { count: 4 }],
    [{ schema: { $ref: "#/components/schemas/Order" } }, { count: 5 }],
    [{ example: null }, null],
    [{ schema: order }, undefined],
  ])("in %j finds the example %j", async (media, example) => {
    const components = {
      examples: { Few: { value: { count: 3 } } },
      schemas: { Order: { ...order, examples: [{ count: 5 }, { count: 6 }] } },
    }
    const { operation } = await operationOf(
      { requestBody: { content: { "application/json": media } } },
      { components },
    )
    expect(requestBodyType(operation)?.example).toEqual(example)
  })
})
