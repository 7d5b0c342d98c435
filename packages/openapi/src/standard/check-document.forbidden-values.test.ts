import { describe, expect, it } from "vitest"
import { problemsIn, saidOf } from "../testing/problems-in.ts"

const versions = ["2.0", "3.0.3", "3.1.0", "3.2.0"]
const old = versions.slice(0, 2)
const now = versions.slice(2)

type Row = readonly [schema: unknown, at: string, words: readonly string[], versions?: readonly string[]]

const rows: readonly Row[] = [
  [{ type: "String" }, "/type", [`received "String"`, `did you mean "string"?`]],
  [{ type: "int" }, "/type", [`received "int"`, `write "integer"`]],
  [{ type: "any" }, "/type", [`received "any"`, `leave out "type"`]],
  [{ type: "datetime" }, "/type", [`with "format": "date-time"`]],
  [{ type: "bool" }, "/type", [`write "boolean"`]],
  [{ type: "dict" }, "/type", [`write "object"`]],
  [{ type: "strng" }, "/type", [`did you mean "string"?`]],
  [{ type: "string | null" }, "/type", [`"nullable": true`], ["3.0.3"]],
  [{ type: "string,null" }, "/type", [`["string", "null"]`], now],
  [{ type: ["string", "null"] }, "/type", [`"nullable": true`], ["3.0.3"]],
  [{ type: null }, "/type", ["received null"]],
  [{ type: ["string", "Integer"] }, "/type/1", [`did you mean "integer"?`], now],
  [
    { properties: { id: { type: "string", required: true } } },
    "/properties/id/required",
    [`"required": ["id"]`],
  ],
  [{ properties: { id: { required: "true" } } }, "/properties/id/required", [`"required": ["id"]`]],
  [{ required: "id" }, "/required", ["expected an array", `"required": ["id"]`]],
  [{ required: { id: true } }, "/required", ["expected an array, received an object"]],
  [{ minimum: "10" }, "/minimum", [`remove the quotes: "minimum": 10`]],
  [{ minLength: -1 }, "/minLength", ["expected 0 or more, received -1"]],
  [{ maxItems: 1.5 }, "/maxItems", ["expected an integer, received a number: 1.5"]],
  [{ multipleOf: 0 }, "/multipleOf", ["expected more than 0"]],
  [{ uniqueItems: "true" }, "/uniqueItems", [`remove the quotes: "uniqueItems": true`]],
  [{ readOnly: "yes" }, "/readOnly", ["expected a boolean", "write true"]],
  [{ enum: "a" }, "/enum", [`"enum": ["a"]`]],
  [{ enum: [] }, "/enum", [`"enum" is empty, so callsheet ignores it`]],
  [{ enum: { a: 1 } }, "/enum", ["expected an array, received an object"]],
  [{ anyOf: [] }, "/anyOf", [`"anyOf" is empty`]],
  [{ allOf: {} }, "/allOf", ["expected an array, received an object"]],
  [
    { additionalProperties: "false" },
    "/additionalProperties",
    [`remove the quotes: "additionalProperties": false`],
  ],
  [{ additionalProperties: null }, "/additionalProperties", ["received null"]],
  [{ items: [] }, "/items", ["write one schema for all items"]],
  [{ items: "string" }, "/items", [`write { "type": "string" }`]],
  [{ items: [{ type: "string" }] }, "/items", [`"prefixItems"`], now],
  [{ properties: [] }, "/properties", ["expected an object, received an array"]],
  [{ properties: { a: "string" } }, "/properties/a", [`write { "type": "string" }`]],
  [{ properties: { a: null } }, "/properties/a", ["received null"]],
  [{ exclusiveMinimum: 5 }, "/exclusiveMinimum", [`write "minimum": 5 and "exclusiveMinimum": true`], old],
  [{ minimum: 5, exclusiveMinimum: true }, "/exclusiveMinimum", [`write "exclusiveMinimum": 5 instead`], now],
  [{ format: 5 }, "/format", ["expected a string"]],
  [{ pattern: 5 }, "/pattern", ["expected a string"]],
  [{ $ref: 5 }, "/$ref", ["expected a string, received a number"]],
  [{ dependentRequired: { a: "b" } }, "/dependentRequired/a", ["expected an array"], now],
  [{ contains: [] }, "/contains", ["expected an object or a boolean"], now],
  [{ unevaluatedProperties: "false" }, "/unevaluatedProperties", ["remove the quotes"], now],
  [{ $defs: [] }, "/$defs", ["expected an object"], now],
  [{ discriminator: "kind" }, "/discriminator", [`"propertyName"`], ["3.0.3", ...now]],
  [{ discriminator: { propertyName: "kind" } }, "/discriminator", [`"discriminator": "kind"`], ["2.0"]],
  [
    { discriminator: { name: "kind" } },
    "/discriminator/propertyName",
    [`requires "propertyName"`],
    ["3.0.3", ...now],
  ],
  [{ requried: ["id"] }, "/requried", [`did you mean "required"?`]],
  [{ minLenght: 5 }, "/minLenght", [`did you mean "minLength"?`]],
  [{ optional: true }, "/optional", [`doesn't define the field "optional"`], old],
]

const cases = rows.flatMap(([schema, at, words, only = versions]) =>
  only.map((version) => ({ schema, at, words, version })),
)

describe("a schema with a value that the standard forbids", () => {
  it.each(cases)("is one warning at $at of $schema in $version", async ({ schema, at, words, version }) => {
    const said = await saidOf(schema, version)
    expect(said).toHaveLength(1)
    expect(said[0]).toMatch(/^warning: /)
    expect(said[0]?.slice("warning: ".length)).toContain(`${at}: `)
    for (const word of words) expect(said[0]).toContain(word)
  })

  it.each(
    versions.flatMap((version) =>
      [
        { type: "object", required: [], properties: { required: { type: "string" }, type: {}, items: {} } },
        { "x-type": "String", "x-anything": [], example: { type: "String" }, default: {}, enum: [{}] },
        { type: "string", format: "anything", minLength: 3, maxLength: 3, pattern: "^\\d{3}$" },
        { allOf: [{ $ref: "#/components/schemas/B" }], title: "A", description: "d", readOnly: true },
        { properties: { a: { type: "array", items: { $ref: "#/components/schemas/B" } } } },
        { type: "object", additionalProperties: false, properties: {} },
      ].map((schema) => ({ version, schema })),
    ),
  )("says nothing about $schema in $version", async ({ schema, version }) => {
    expect(await saidOf(schema, version)).toEqual([])
  })

  it("is found in every part that has schemas", async () => {
    const schema = { type: "Str" }
    const content = { "application/json": { schema } }
    const headers = { "X-A": { schema } }
    const operation = {
      parameters: [
        { name: "a", in: "query", schema },
        { name: "b", in: "query", content },
      ],
      requestBody: { content },
      responses: { 200: { description: "d", content, headers } },
      callbacks: { c: { "{$url}": { post: { requestBody: { content }, responses: {} } } } },
    }
    const root = {
      openapi: "3.2.0",
      paths: { "/x": { get: operation } },
      webhooks: { w: { post: operation } },
    }
    const said = await problemsIn(JSON.stringify(root, undefined, 1))
    expect(said).toHaveLength(10)
    for (const line of said) expect(line).toContain(`write "string"`)
  })

  it("is not found in data, where the same words mean nothing", async () => {
    const value = { type: "Str", required: true, properties: [] }
    const schema = {
      example: value,
      examples: [value],
      default: value,
      enum: [value],
      const: value,
      "x-a": value,
    }
    const media = { schema, example: value, examples: { one: { value } } }
    const responses = { 200: { description: "d", content: { "application/json": media }, "x-a": value } }
    const root = { openapi: "3.1.0", paths: { "/x": { get: { responses } } }, "x-a": value }
    expect(await problemsIn(JSON.stringify(root))).toEqual([])
  })

  it("is reported in the file that contains it, by line and column", async () => {
    const files = { "apis/shop/order.yaml": "type: object\nproperties:\n  id:\n    type: String\n" }
    const text = `{"openapi": "3.0.3", "paths": {}, "components": {"schemas": {"Order": {"$ref": "order.yaml"}}}}`
    expect(await problemsIn(text, files, "apis/shop/openapi.json")).toEqual([
      `warning: apis/shop/order.yaml:4:11: #/properties/id/type: OpenAPI 3.0 doesn't allow this value: expected one of "array", "boolean", "integer", "number", "object", "string", received "String" (document-standard) hint: did you mean "string"?`,
    ])
  })

  it("is listed ten times and counted, if a generator repeats it", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 3000 }, (_, index) => [`S${index}`, { type: "Str" }]),
    )
    const said = await problemsIn(JSON.stringify({ openapi: "3.0.0", paths: {}, components: { schemas } }))
    expect(said).toHaveLength(11)
    expect(said.filter((line) => line.includes("(and 990 more places with the same problem)"))).toHaveLength(
      1,
    )
    expect(said.filter((line) => line.includes("2000 more objects have values"))).toHaveLength(1)
  })
})

type Part = readonly [part: object, at: string, words: readonly string[]]

const operationWith = (more: object) => ({
  paths: { "/x": { get: { responses: { 200: { description: "d" } }, ...more } } },
})
const withParameter = (...parameters: readonly object[]) => operationWith({ parameters })
const withResponse = (more: object) => operationWith({ responses: { 200: { description: "d", ...more } } })
const schema = { type: "string" }

const parts: readonly Part[] = [
  [withParameter({ name: "a", in: "Query", schema }), "/in", [`did you mean "query"?`]],
  [withParameter({ name: "a", in: "body", schema }), "/in", [`write the body in "requestBody"`]],
  [withParameter({ in: "query", schema }), "/name", [`requires "name"`]],
  [withParameter({ name: "a", in: "query", type: "string" }), "/type", [`move it to "schema"`]],
  [withParameter({ name: "a", in: "query", schema, required: "yes" }), "/required", ["write true"]],
  [
    withParameter({ name: "a", in: "query", schema, style: "spacedelimited" }),
    "/style",
    [`"spaceDelimited"?`],
  ],
  [withParameter({ name: "a", in: "path", schema, required: false }), "/required", ["expected true"]],
  [operationWith({ parameters: {} }), "/parameters", ["expected an array, received an object"]],
  [operationWith({ requestBody: { schema } }), "/requestBody/schema", [`move it to "content"`]],
  [operationWith({ requestbody: {} }), "/requestbody", [`did you mean "requestBody"?`]],
  [withResponse({ schema }), "/200/schema", [`move it to "content"`]],
  [operationWith({ responses: { "20x": { description: "d" } } }), "/20x", ["statuses are three digits"]],
  [withResponse({ content: { json: { schema } } }), "/content/json", ["is not a media type"]],
  [withResponse({ content: { "a/b": schema } }), "/a~1b/type", [`move it to "schema"`]],
  [operationWith({ responses: { 200: "ok" } }), "/responses/200", ["expected an object, received a string"]],
  [operationWith({ tags: "orders" }), "/tags", ["expected an array"]],
  [operationWith({ security: { bearer: [] } }), "/security", ["expected an array"]],
  [{ paths: { orders: {} } }, "/paths/orders", ["paths start with a slash"]],
  [{ paths: { "/x": { GET: {} } } }, "/paths/~1x/GET", ["get"]],
  [{ servers: { url: "/" } }, "/servers", ["expected an array"]],
  [{ servers: [{ uri: "/" }] }, "/servers/0/uri", [`did you mean "url"?`]],
  [{ definitions: {} }, "/definitions", [`move it to "components"`]],
  [{ components: { schema: {} } }, "/components/schema", [`did you mean "schemas"?`]],
  [{ components: { securitySchemes: { a: { type: "bearer" } } } }, "/a/type", [`"scheme": "bearer"`]],
  [{ components: { securitySchemes: { a: { type: "http" } } } }, "/a/scheme", [`requires "scheme"`]],
]

describe("a part of a document with a value that the standard forbids", () => {
  it.each(
    ["3.0.3", "3.1.0", "3.2.0"].flatMap((version) =>
      parts.map(([part, at, words]) => ({ part, at, words, version })),
    ),
  )("is one warning at $at in $version", async ({ part, at, words, version }) => {
    const said = await problemsIn(JSON.stringify({ openapi: version, paths: {}, ...part }, undefined, 1))
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(`${at}: `)
    for (const word of words) expect(said[0]).toContain(word)
  })

  it.each<Part>([
    [withParameter({ name: "a", in: "Query", type: "string" }), "/in", [`did you mean "query"?`]],
    [withParameter({ name: "a", in: "query", type: "strin" }), "/type", [`did you mean "string"?`]],
    [withParameter({ name: "a", in: "query", schema }), "/schema", ["in the parameter itself"]],
    [
      withParameter({ name: "a", in: "query", type: "array", items: { type: "str" } }),
      "/items/type",
      [`write "string"`],
    ],
    [operationWith({ requestBody: {} }), "/requestBody", [`"in": "body"`]],
    [withResponse({ content: {} }), "/200/content", [`has "schema"`]],
    [{ securityDefinitions: { a: { type: "apikey" } } }, "/a/type", [`did you mean "apiKey"?`]],
    [
      {
        securityDefinitions: {
          a: { type: "oauth2", flow: "accesscode", tokenUrl: "u", authorizationUrl: "u" },
        },
      },
      "/a/flow",
      [`"accessCode"`],
    ],
    [{ components: {} }, "/components", [`"definitions"`]],
  ])("is one warning about %j in 2.0", async (part, at, words) => {
    const said = await problemsIn(JSON.stringify({ swagger: "2.0", paths: {}, ...part }, undefined, 1))
    expect(said).toHaveLength(1)
    expect(said[0]).toContain(`${at}: `)
    for (const word of words) expect(said[0]).toContain(word)
  })
})
