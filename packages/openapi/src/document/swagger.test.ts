import { describe, expect, it } from "vitest"
import { isJsonObject, stringifyJson, type Headers, type JsonObject, type JsonValue } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import { documentedParameters } from "../request/documented-parameters.ts"
import { requestBodyType } from "../request/request-body-type.ts"
import { responseTypes } from "../response/response-types.ts"
import { said } from "../testing/type-of.ts"
import { hasRequestBody, requestBodyOf, requestMediaType, requestMediaTypes } from "./content.ts"
import { listOperations } from "./operations.ts"
import { parametersOf } from "./parameters.ts"
import { readDocument } from "./read-document.ts"
import { securityOf } from "./security.ts"
import { serverUrl } from "./server-url.ts"

/** Returns the only operation of a document. */
async function operationOf(own: JsonObject, { item = {}, ...root }: JsonObject & { item?: JsonObject } = {}) {
  const content = { swagger: "2.0", paths: { "/a%b/{id}": { ...item, post: own } }, ...root }
  const { document } = await readDocument({
    file: "openapi.json",
    text: stringifyJson(content),
  })
  const [operation] = document === undefined ? [] : listOperations(document)
  if (document === undefined || operation === undefined) throw new Error("the test's document is invalid")
  return { document, operation }
}

const body = (schema: JsonValue, more: JsonObject = {}) => ({ name: "order", in: "body", schema, ...more })
const field = (name: string, more: JsonObject = {}) => ({ name, in: "formData", type: "string", ...more })
const query = (name: string, more: JsonObject = {}) => ({ name, in: "query", type: "string", ...more })
const order = { type: "object", required: ["sku"], properties: { sku: { type: "string" } } }

describe("a body", () => {
  it("is the body parameter, with the operation's consumes or else the document's", async () => {
    const parameters = [body(order, { required: true })]
    const own = await operationOf({ parameters, consumes: ["application/xml"] }, { consumes: ["text/plain"] })
    expect(requestMediaTypes(own.operation)).toEqual(["application/xml"])
    const root = await operationOf({ parameters }, { consumes: ["text/plain", "application/vnd.a+json"] })
    const { required, mediaType, type } = requestBodyType(root.operation)!
    expect([required, mediaType, type.required()]).toEqual([true, "application/vnd.a+json", ["sku"]])
    expect([said(type, "sku"), said(type, "suk")]).toEqual(["string", "nowhere"])
  })

  it.each([{}, { consumes: [] }, { consumes: 3 }])("is JSON if %j states no type", async (own) => {
    const { operation } = await operationOf({ parameters: [body(order)], ...own })
    expect(requestMediaType(operation)).toEqual({ mediaType: "application/json", kind: "json" })
    expect(requestBodyType(operation)?.type.required()).toEqual(["sku"])
  })

  it("is the operation's, whatever the name of the path's", async () => {
    const item = { parameters: [{ name: "other", in: "body", schema: { type: "string" } }] }
    const { operation } = await operationOf({ parameters: [body(order)] }, { item })
    expect(requestBodyType(operation)?.type.names()).toEqual(["sku"])
    const inherited = await operationOf({}, { item })
    expect(said(requestBodyType(inherited.operation)!.type, "")).toBe("string")
  })

  it("follows references to parameters and definitions", async () => {
    const parameters = { Order: body({ $ref: "#/definitions/Order" }) }
    const root = { parameters, definitions: { Order: order } }
    const { operation } = await operationOf({ parameters: [{ $ref: "#/parameters/Order" }] }, root)
    expect(requestBodyType(operation)?.type.names()).toEqual(["sku"])
  })

  it("is documented if a parameter is one or may be one", async () => {
    const has = async (...parameters: JsonObject[]) => {
      const { operation } = await operationOf({ parameters })
      return hasRequestBody(operation)
    }
    expect(await has(body(order))).toBe(true)
    expect(await has(field("a"))).toBe(true)
    expect(await has({ $ref: "#/parameters/Lost" })).toBe(true)
    expect(await has(query("a"))).toBe(false)
    expect(await has()).toBe(false)
  })
})

describe("a form", () => {
  const formOf = async (parameters: readonly JsonObject[], consumes?: readonly string[]) => {
    const made = await operationOf({ parameters, ...(consumes === undefined ? {} : { consumes }) })
    return { ...made, form: requestBodyType(made.operation) }
  }

  it("has the formData parameters as its fields, including those of the path", async () => {
    const { operation } = await operationOf(
      { parameters: [field("name", { required: true }), field("age", { type: "integer" })] },
      { item: { parameters: [field("name"), field("tenant"), query("q")] } },
    )
    const form = requestBodyType(operation)
    expect(form?.required).toBe(true)
    expect([form?.type.names(), form?.type.required()]).toEqual([["name", "tenant", "age"], ["name"]])
    expect([said(form!.type, "age"), said(form!.type, "aeg")]).toEqual(["unknown", "nowhere"])
    expect(parametersOf(operation).map(({ name }) => name)).toEqual(["q"])
  })

  it("points at the parameters where they are written", async () => {
    const title = { name: "title", in: "formData", type: "string", maxLength: 3 }
    const { operation } = await operationOf({ parameters: [title] })
    const { schema } = requestBodyOf(operation)!.content[0]!
    expect(schema!.inside("properties", "title")!.dereference()).toMatchObject({
      value: title,
      pointer: "/paths/~1a%b~1{id}/post/parameters/0",
    })
  })

  it("is optional if no field is required", async () => {
    expect((await formOf([field("name")])).form?.required).toBe(false)
  })

  it.each([
    [undefined, "string", "application/x-www-form-urlencoded"],
    [["application/json"], "string", "application/x-www-form-urlencoded"],
    [["multipart/form-data"], "string", "multipart/form-data"],
    [
      ["multipart/form-data", "application/x-www-form-urlencoded"],
      "string",
      "application/x-www-form-urlencoded",
    ],
    [undefined, "file", "multipart/form-data"],
    [["application/x-www-form-urlencoded", "multipart/form-data"], "file", "multipart/form-data"],
  ])("that consumes %j with a field of type %s is sent as %s", async (consumes, type, expected) => {
    const { operation, form } = await formOf([field("name", { type })], consumes)
    expect(requestMediaType(operation)?.mediaType).toBe(expected)
    expect(form?.type.names()).toEqual(["name"])
  })
})

describe("parameters", () => {
  it.each([
    ["query", undefined, "form", false],
    ["query", "csv", "form", false],
    ["query", "ssv", "spaceDelimited", false],
    ["query", "tsv", "tabDelimited", false],
    ["query", "pipes", "pipeDelimited", false],
    ["query", "multi", "form", true],
    ["header", "pipes", "pipeDelimited", false],
    ["path", "ssv", "spaceDelimited", false],
    ["path", "multi", "simple", false],
    ["path", undefined, "simple", false],
  ])(
    "in the %s with the collectionFormat %s have the style %s, explode %s",
    async (place, collectionFormat, style, explode) => {
      const format = collectionFormat === undefined ? {} : { collectionFormat }
      const { operation } = await operationOf({
        parameters: [{ name: "id", in: place, type: "array", items: { type: "string" }, ...format }],
      })
      expect(parametersOf(operation)).toMatchObject([{ in: place, style, explode }])
    },
  )

  it("are the schemas of their values, with their own pointers", async () => {
    const { operation } = await operationOf(
      { parameters: [{ $ref: "#/parameters/Page" }] },
      {
        parameters: { Page: query("page", { type: "integer", minimum: 1 }) },
      },
    )
    const [parameter] = parametersOf(operation)
    expect(parameter?.schema?.pointer).toBe("/parameters/Page")
    expect(parameter?.schema?.value).toMatchObject({ type: "integer", minimum: 1 })
  })

  it("allow no undocumented names", async () => {
    const { operation } = await operationOf({
      parameters: [query("ids", { type: "array", collectionFormat: "multi" }), body(order)],
    })
    const { names, allows } = documentedParameters(operation, "query")
    expect([names, allows("ids"), allows("idz")]).toEqual([["ids"], "documented", "undocumented"])
  })
})

describe("the server", () => {
  it.each<[JsonObject, JsonObject, string | undefined]>([
    [{ host: "a.b:8080", basePath: "/v1", schemes: ["https"] }, {}, "https://a.b:8080/v1"],
    [{ host: "a.b", basePath: "v1", schemes: ["https"] }, {}, "https://a.b/v1"],
    [{ host: "a.b", basePath: "/", schemes: ["http"] }, {}, "http://a.b"],
    [{ host: "a.b", schemes: ["wss", "http", "https"] }, {}, "http://a.b"],
    [{ host: "a.b", schemes: ["http"] }, { schemes: ["https"] }, "https://a.b"],
    [{ host: "a.b", schemes: ["ws"] }, {}, undefined],
    [{ host: "a.b" }, {}, undefined],
    [{ basePath: "/v1", schemes: ["https"] }, {}, undefined],
    [{ host: "", basePath: "/v1", schemes: ["https"] }, {}, undefined],
    [{ host: "{tenant}.a.b", schemes: ["https"] }, {}, undefined],
    [{ host: 3, schemes: "https" }, {}, undefined],
    [{ servers: [{ url: "https://a.b" }] }, {}, undefined],
  ])("of %j and the operation's %j is %s", async (root, own, expected) => {
    const { document, operation } = await operationOf(own, root)
    expect(serverUrl(document, operation)).toBe(expected)
  })
})

it("reads the security of an operation without a flow that callsheet supports", async () => {
  const it = { type: "oauth2", flow: "implicit", scopes: {} }
  const { operation } = await operationOf({}, { securityDefinitions: { it }, security: [{ it: [] }] })
  expect(securityOf(operation)).toEqual([[{ name: "it", kind: "bearer", oauth: { flows: {}, scopes: [] } }]])
})

describe("responses", () => {
  async function problemsOf(
    own: JsonObject,
    received: { readonly headers?: Headers; readonly body?: JsonValue; readonly status?: number },
    root: JsonObject = {},
  ): Promise<readonly string[]> {
    const { document, operation } = await operationOf(own, root)
    const { problems } = await createContractChecker(document).check({
      operation,
      method: "POST",
      status: 200,
      headers: { "content-type": "application/json" },
      isWellFormed: true,
      ...received,
    })
    return problems.map(({ path, message }) => `${path}: ${message}`)
  }
  const answering = (schema: JsonValue, more: JsonObject = {}) => ({
    responses: { 200: { schema } },
    ...more,
  })

  it("have the type that the operation produces, or the document, or any", async () => {
    const xml = { headers: { "content-type": "application/xml" }, body: "<a/>" }
    const refused = ["/headers/content-type: expected application/json, received application/xml"]
    expect(await problemsOf(answering(order, { produces: ["application/json"] }), xml)).toEqual(refused)
    expect(await problemsOf(answering(order), xml, { produces: ["application/json"] })).toEqual(refused)
    expect(await problemsOf(answering(order), xml)).toEqual([])
    expect(
      await problemsOf(answering(order, { produces: [] }), xml, { produces: ["application/json"] }),
    ).toEqual([])
  })

  it("are checked against their schemas, whatever type is produced", async () => {
    for (const produces of [["text/html", "application/json"], []]) {
      const broken = await problemsOf(answering(order, { produces }), { body: { sku: 1 } })
      expect(broken).toEqual(["/body/sku: expected a string, received a number: 1"])
    }
    expect(await problemsOf(answering(order), {})).toEqual(["/body: expected a body (*/*), received none"])
  })

  it("without a schema document no content", async () => {
    const own = { responses: { 200: { description: "" } }, produces: ["application/json"] }
    expect(await problemsOf(own, { headers: { "content-type": "text/html" }, body: "x" })).toEqual([])
    const { operation } = await operationOf(own)
    expect(responseTypes(operation)[0]).toMatchObject({ body: undefined })
  })

  it("that are files may have any bytes of their type", async () => {
    const own = answering({ type: "file" }, { produces: ["application/json", "image/png"] })
    expect(await problemsOf(own, { body: { any: 1 } })).toEqual([])
    expect(await problemsOf(own, { headers: { "content-type": "text/html" }, body: "x" })).toEqual([
      "/headers/content-type: expected application/json, image/png, received text/html",
    ])
  })

  it("follow references to responses and definitions", async () => {
    const root = {
      responses: { Made: { schema: { type: "array", items: { $ref: "#/definitions/Order" } } } },
      definitions: { Order: order },
    }
    const own = { responses: { 200: { $ref: "#/responses/Made" } } }
    expect(await problemsOf(own, { body: [{ sku: 1 }] }, root)).toEqual([
      "/body/0/sku: expected a string, received a number: 1",
    ])
    const { operation } = await operationOf(own, root)
    expect(said(responseTypes(operation)[0]!.body!, "0.sku")).toBe("string")
  })

  it("give the position in the document as written", async () => {
    expect(await problemsOf(answering({ $ref: "#/definitions/Gone" }), { body: 1 })).toEqual([
      `/body: the document's own reference "#/definitions/Gone" (at #/paths/~1a%b~1{id}/post/responses/200/schema) does not resolve`,
    ])
  })

  it("have headers that are their own schemas", async () => {
    const own = {
      responses: {
        200: {
          headers: {
            "X-Rate": { type: "integer" },
            "X-List": { type: "array", items: { type: "integer" } },
            "X-Pipes": { type: "array", collectionFormat: "pipes", items: { type: "integer" } },
          },
        },
      },
    }
    const good = { "x-rate": "12", "x-list": "1,2", "x-pipes": "1|2" }
    expect(await problemsOf(own, { headers: good })).toEqual([])
    expect(await problemsOf(own, { headers: { ...good, "x-rate": "many", "x-list": "1,x" } })).toEqual([
      `/headers/x-rate: expected an integer, received a string: "many"`,
      `/headers/x-list/1: expected an integer, received a string: "x"`,
    ])
    const { operation } = await operationOf(own)
    expect(responseTypes(operation)[0]!.headers).toEqual(["x-rate", "x-list", "x-pipes"])
  })

  it("with a discriminator may match the definitions that extend the base", async () => {
    const definitions = {
      Pet: { type: "object", discriminator: "kind", properties: { kind: { type: "string" } } },
      Cat: { allOf: [{ $ref: "#/definitions/Pet" }, { properties: { lives: { type: "integer" } } }] },
    }
    const { operation } = await operationOf(answering({ $ref: "#/definitions/Pet" }), {
      definitions,
    })
    const type = responseTypes(operation)[0]!.body!
    expect([said(type, "kind"), said(type, "lives"), said(type, "live")]).toEqual([
      "string",
      "number",
      "perhaps",
    ])
    expect(
      await problemsOf(
        answering({ $ref: "#/definitions/Pet" }),
        { body: { kind: "Cat", lives: 9 } },
        {
          definitions,
        },
      ),
    ).toEqual([])
  })
})

it("leave every part of the document unchanged", async () => {
  const { document, operation } = await operationOf({ parameters: [field("a")], responses: {} })
  const before = stringifyJson(document.root)
  requestBodyType(operation)?.type.names()
  responseTypes(operation)
  expect(stringifyJson(document.root)).toBe(before)
  expect(isJsonObject(document.root)).toBe(true)
})
