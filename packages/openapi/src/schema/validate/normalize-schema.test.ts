import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import type { Version } from "../../testing/document-of.ts"
import { complaintsOfBody } from "../../testing/judge.ts"

const missing = "missing required property"
const unexpected = "unexpected property; the schema doesn't define it"

const of30 = (schema: JsonObject, body: JsonValue, version: Version = "3.0") =>
  complaintsOfBody({ version, schema, components: { schemas: { Text: { type: "string" } } } }, body)

describe.each<[Version, string]>([
  ["2.0", "x-nullable"],
  ["3.0", "nullable"],
])("null in OpenAPI %s, by %s", (version, nullable) => {
  const Text = { $ref: "#/components/schemas/Text" }

  it.each<JsonObject>([
    { type: "string", [nullable]: true },
    { type: "integer", [nullable]: true, minimum: 3 },
    { type: "string", enum: ["a"], [nullable]: true },
    { ...Text, [nullable]: true },
    { [nullable]: true, allOf: [Text] },
    { type: "object", [nullable]: true, required: ["a"], oneOf: [{ type: "object" }] },
    { [nullable]: true },
  ])("is allowed for %j", async (schema) => {
    expect(await of30(schema, null, version)).toEqual([])
  })

  it.each<[schema: JsonObject, expected: string]>([
    [{ [nullable]: true, allOf: [Text] }, "a string"],
    [{ [nullable]: true, ...Text }, "a string"],
    [{ type: "string", [nullable]: true }, "a string or null"],
  ])("is the only other type for %j", async (schema, expected) => {
    expect(await of30(schema, 1, version)).toEqual([`/body: expected ${expected}, received a number: 1`])
  })

  it("is not allowed if it is false or belongs to another value", async () => {
    const received = "expected a string, received null"
    expect(await of30({ type: "string", [nullable]: false }, null, version)).toEqual([`/body: ${received}`])
    const schema = { type: "array", items: { type: "string" }, [nullable]: true }
    expect(await of30(schema, [null], version)).toEqual([`/body/0: ${received}`])
  })
})

describe("in OpenAPI 3.0 only", () => {
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
    [
      { prefixItems: [{ type: "string" }], items: false },
      ["a", 1],
      ["/body: expected at most 1 items, received 2"],
    ],
    [{ items: false }, [1], ["/body: expected at most 0 items, received 1"]],
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
  ])("%j against %j", async (schema, body, expected) => {
    expect(await of31(schema, body)).toEqual(expected)
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
