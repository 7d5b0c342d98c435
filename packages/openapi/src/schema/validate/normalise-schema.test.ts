import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import type { Version } from "../../testing/document-of.ts"
import { complaintsOfBody } from "../../testing/judge.ts"

const missing = "missing required property"
const unexpected = "unexpected property; the schema doesn't define it"

const of30 = (schema: JsonObject, body: JsonValue, version: Version = "3.0") =>
  complaintsOfBody({ version, schema, components: { schemas: { Text: { type: "string" } } } }, body)

describe("in OpenAPI 3.0 only", () => {
  it.each<JsonObject>([
    { type: "string", nullable: true },
    { type: "integer", nullable: true, minimum: 3 },
    { type: "string", enum: ["a"], nullable: true },
    { nullable: true, allOf: [{ $ref: "#/components/schemas/Text" }] },
    { type: "object", nullable: true, required: ["a"], oneOf: [{ type: "object" }] },
    { nullable: true },
  ])("accepts null for %j", async (schema) => {
    expect(await of30(schema, null)).toEqual([])
  })

  it("reports a violation of a nullable schema without mentioning null", async () => {
    expect(await of30({ nullable: true, allOf: [{ $ref: "#/components/schemas/Text" }] }, 1)).toEqual([
      "/body: expected a string, received a number: 1",
    ])
    expect(await of30({ type: "string", nullable: true }, 1)).toEqual([
      "/body: expected a string or null, received a number: 1",
    ])
  })

  it("accepts null by `type` but not by `nullable` from 3.1 on", async () => {
    expect(await of30({ type: ["string", "null"] }, null, "3.1")).toEqual([])
    expect(await of30({ type: "string", nullable: true }, null, "3.1")).toEqual([
      "/body: expected a string, received null",
    ])
  })

  it("ignores the siblings of a reference, unlike 3.1", async () => {
    const schema = { $ref: "#/components/schemas/Text", minLength: 5 }
    expect(await of30(schema, "a")).toEqual([])
    expect(await of30(schema, "a", "3.1")).toEqual([`/body: expected 5 characters or more, received "a"`])
  })

  it("reads booleans of exclusiveMinimum and exclusiveMaximum", async () => {
    expect(await of30({ minimum: 1, exclusiveMinimum: true }, 1)).toEqual([
      "/body: expected more than 1, received 1",
    ])
    expect(await of30({ maximum: 1, exclusiveMaximum: true }, 1)).toEqual([
      "/body: expected less than 1, received 1",
    ])
    expect(await of30({ minimum: 1, exclusiveMinimum: false }, 1)).toEqual([])
    expect(await of30({ exclusiveMinimum: true }, 1)).toEqual([])
  })
})

const of31 = (schema: JsonValue, body: JsonValue, schemas: JsonObject = {}) =>
  complaintsOfBody({ version: "3.1", schema, components: { schemas } }, body)

describe("JSON Schema 2020-12, from 3.1 on", () => {
  it.each<[JsonValue, JsonValue, readonly string[]]>([
    [true, 1, []],
    [false, 1, ["/body: expected nothing, received a number: 1"]],
    [{ const: { a: [1] } }, { a: [1] }, []],
    [{ const: 1 }, 2, ["/body: expected 1, received 2"]],
    [{ exclusiveMinimum: 1 }, 1, ["/body: expected more than 1, received 1"]],
    [
      { prefixItems: [{ type: "string" }], items: false },
      ["a", 1],
      ["/body: expected at most 1 items, received 2"],
    ],
    [{ items: false }, [1], ["/body: expected at most 0 items, received 1"]],
    [
      { patternProperties: { "^x-": { type: "string" } } },
      { "x-a": 1 },
      ["/body/x-a: expected a string, received a number: 1"],
    ],
    [
      { contains: { type: "string" } },
      [1, 2],
      [`/body: expected at least 1 of the items to match "contains"`],
    ],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, [`/body/b: missing property; "a" requires it`]],
    [{ if: { required: ["a"] }, then: { required: ["b"] } }, { a: 1 }, [`/body/b: ${missing}`]],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1, c: 1, de: 1 },
      [
        `/body: the property name "ab" does not match "propertyNames"`,
        `/body: the property name "de" does not match "propertyNames"`,
      ],
    ],
    [
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      { a: 1, b: 1 },
      [`/body/b: ${unexpected}`],
    ],
    [{ type: ["integer", "null"] }, "a", [`/body: expected an integer or null, received a string: "a"`]],
  ])("%j against %j", async (schema, body, expected) => {
    expect(await of31(schema, body)).toEqual(expected)
  })

  it("counts the properties of a referenced schema as evaluated", async () => {
    const schemas = { Base: { properties: { id: { type: "integer" } }, required: ["id"] } }
    const schema = {
      $ref: "#/components/schemas/Base",
      properties: { name: {} },
      unevaluatedProperties: false,
    }
    expect(await of31(schema, { id: 1, name: "a" }, schemas)).toEqual([])
    expect(await of31(schema, { id: 1, nam: "a" }, schemas)).toEqual([`/body/nam: ${unexpected}`])
    expect(await of31(schema, { id: "x", name: "a" }, schemas)).toEqual([
      `/body/id: expected an integer, received a string: "x"`,
    ])
  })

  it("finds schemas by their anchors", async () => {
    const schemas = { Any: { $defs: { inner: { $anchor: "here", type: "string" } } } }
    expect(await of31({ $ref: "#here" }, 1, schemas)).toEqual([
      "/body: expected a string, received a number: 1",
    ])
    const list = {
      $dynamicAnchor: "node",
      properties: { next: { $dynamicRef: "#node" }, id: { type: "integer" } },
    }
    expect(await of31({ $ref: "#/components/schemas/List" }, { next: { id: "x" } }, { List: list })).toEqual([
      `/body/next/id: expected an integer, received a string: "x"`,
    ])
  })

  it("ignores ids and examples of schemas", async () => {
    const schemas = {
      A: { $id: "https://example.com/a", type: "string" },
      B: { $id: "https://example.com/a" },
    }
    const schema = {
      items: { anyOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] },
    }
    expect(await of31(schema, ["a", 1], schemas)).toEqual([])
  })
})
