import { describe, expect, it } from "vitest"
import { unknownType, type JsonObject, type JsonValue } from "@callsheet/format"
import { WrittenPart } from "../../document/part.ts"
import { describeVersions, documentOf } from "../../testing/document-of.ts"
import { said, typeOf } from "../../testing/type-of.ts"
import { schemaType } from "./schema-type.ts"

const text = { type: "string" }
const number = { type: "number" }

type Row = readonly [schema: JsonValue, path: string, outcome: string]

const rows = (...list: readonly Row[]): readonly Row[] => list

describeVersions("a step into what a schema describes", (version) => {
  it.each(
    rows(
      [text, "", "string"],
      [{ type: "integer", format: "int64" }, "", "number"],
      [{ type: "string", format: "binary" }, "", "string"],
      [{ type: "file" }, "", "unknown"],
      [text, "length", "nowhere"],
      [text, "0", "nowhere"],
      [{ properties: { a: text } }, "", "object"],
      [{ type: "object", properties: { a: text } }, "a", "string"],
      [{ type: "object", properties: { a: text } }, "b", "nowhere"],
      [{ type: "object", properties: { a: text } }, "constructor", "nowhere"],
      [{ properties: { a: text } }, "b", "nowhere"],
      [{ type: "object", properties: { a: text }, additionalProperties: false }, "b", "nowhere"],
      [{ type: "object", properties: { a: text }, additionalProperties: true }, "b", "perhaps"],
      [{ type: "object", properties: { a: text }, additionalProperties: {} }, "b", "perhaps"],
      [{ type: "object", properties: { a: text }, additionalProperties: number }, "b", "number"],
      [{ type: "object", properties: { a: text }, additionalProperties: number }, "a", "string"],
      [{ type: "object", additionalProperties: true }, "b", "unknown"],
      [{ type: "object", additionalProperties: false }, "b", "nowhere"],
      [{ type: "object", properties: {} }, "b", "unknown"],
      [{ type: "object" }, "b.c.0", "unknown"],
      [{ type: "object", required: ["a"] }, "b", "unknown"],
      [{}, "b", "unknown"],
      [{ description: "anything" }, "b", "unknown"],
      [{ items: text }, "", "unknown"],
      [{ items: text }, "name", "unknown"],
      [{ type: "array", items: text }, "", "array"],
      [{ type: "array", items: text }, "0", "string"],
      [{ type: "array", items: text }, "name", "nowhere"],
      [{ type: "array", items: text }, "01", "nowhere"],
      [{ type: "array" }, "0", "unknown"],
      [{ type: "array" }, "name", "nowhere"],
      [{ type: "array", items: [text, number] }, "1", "number"],
      [{ enum: ["a", "b"] }, "", `string: "a" "b"`],
      [{ type: "integer", enum: [1, 2] }, "", "number: 1 2"],
      [{ type: "string", enum: [true, false] }, "", "boolean|string"],
      [{ type: "string", enum: ["a", null] }, "", `null|string: "a" null`],
      [{ type: "string", enum: [] }, "", "string"],
      [{ type: "object", properties: { a: text, $ref: text } }, "$ref", "string"],
    ),
  )("%j: %s is %s", async (schema, path, outcome) => {
    expect(said(await typeOf({ version, schema }), path)).toBe(outcome)
  })

  it.each(
    rows(
      // A property exists if any part has it, and has the type that all parts state.
      [{ allOf: [{ properties: { a: text } }, { properties: { b: number } }] }, "a", "string"],
      [{ allOf: [{ properties: { a: text } }, { properties: { b: number } }] }, "c", "nowhere"],
      [{ allOf: [{ properties: { a: {} } }, { properties: { a: number } }] }, "a", "number"],
      [{ type: "object", allOf: [{ required: ["a"] }], properties: { a: text } }, "b", "nowhere"],
      [{ allOf: [{ properties: { a: text } }, {}] }, "b", "nowhere"],
      [{ allOf: [{ properties: { a: text } }, { additionalProperties: true }] }, "b", "perhaps"],
      [{ allOf: [{ properties: { a: text } }, { additionalProperties: number }] }, "b", "number"],
      [{ allOf: [{ properties: { a: text } }, { additionalProperties: number }] }, "a", "string"],
      [
        { properties: { a: text }, additionalProperties: false, allOf: [{ properties: { b: text } }] },
        "b",
        "string",
      ],
      [{ allOf: [{ enum: ["a", "b"] }, { enum: ["b", "c"] }] }, "", `string: "b"`],
      [{ allOf: [{ type: "object", additionalProperties: {} }, { properties: { a: text } }] }, "a", "string"],
      // A contradiction is an error in the document, so nothing is certain.
      [{ allOf: [text, number] }, "", "unknown"],
      [{ allOf: [text, { type: "object", properties: { a: text } }] }, "b", "perhaps"],
      [{ type: "array", properties: { a: text } }, "a", "string"],
      [{ type: "object", items: text }, "0", "unknown"],
      [{ oneOf: [text, number] }, "", "number|string"],
      [{ oneOf: [text, number] }, "a", "nowhere"],
      [{ oneOf: [text, { type: "array", items: text }] }, "a", "nowhere"],
      [{ oneOf: [text, { type: "array", items: text }] }, "0", "string"],
      [{ oneOf: [text, {}] }, "", "unknown"],
      [{ oneOf: [{ properties: { a: text } }, { properties: { b: text } }] }, "b", "string"],
      [{ oneOf: [{ properties: { a: text } }, { properties: { b: text } }] }, "c", "perhaps"],
      [{ anyOf: [{ properties: { a: text } }, { properties: { a: number } }] }, "a", "number|string"],
      [{ anyOf: [{ properties: { a: text } }, text] }, "c", "perhaps"],
      [{ anyOf: [{ properties: { a: text } }, { type: "object" }] }, "a", "unknown"],
      [{ anyOf: [{ properties: { a: text } }, { additionalProperties: true }] }, "c", "perhaps"],
      [
        { properties: { a: { oneOf: [{ properties: { b: text } }, { properties: { c: text } }] } } },
        "a.d",
        "perhaps",
      ],
      [
        {
          oneOf: [
            { properties: { a: { properties: { b: text } } } },
            { properties: { a: { properties: { c: text } } } },
          ],
        },
        "a.d",
        "perhaps",
      ],
      [
        { properties: { a: text, b: text }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
        "c",
        "nowhere",
      ],
      [
        { properties: { a: text }, oneOf: [{ properties: { b: text } }, { properties: { c: text } }] },
        "a",
        "string",
      ],
      // A branch decides about a property only for the values that match the branch.
      [
        {
          properties: { a: text },
          anyOf: [{ properties: { a: { enum: ["x"] } } }, { properties: { b: text } }],
        },
        "a",
        "string",
      ],
      [
        {
          additionalProperties: text,
          anyOf: [{ properties: { a: { enum: ["x"] } } }, { properties: { b: text } }],
        },
        "a",
        "string",
      ],
      [
        {
          additionalProperties: true,
          anyOf: [{ properties: { a: text } }, { properties: { b: text } }],
        },
        "a",
        "unknown",
      ],
      [{ oneOf: [{ enum: ["a"] }, { enum: ["b"] }] }, "", `string: "a" "b"`],
      [{ oneOf: [{ enum: ["a"] }, text] }, "", "string"],
      [{ oneOf: [{ allOf: [text, number] }, text] }, "", "string"],
      [{ not: text, properties: { a: text } }, "b", "nowhere"],
    ),
  )("%j: %s is %s, with several schemas", async (schema, path, outcome) => {
    expect(said(await typeOf({ version, schema }), path)).toBe(outcome)
  })
})

describe("references", () => {
  const others = {
    Order: { type: "object", properties: { id: text, next: { $ref: "#/components/schemas/Order" } } },
    Alias: { $ref: "#/components/schemas/Order" },
  }

  it.each(
    rows(
      [{ $ref: "#/components/schemas/Order" }, "id", "string"],
      [{ $ref: "#/components/schemas/Alias" }, "next.next.ordr", "nowhere"],
      [{ $ref: "#/components/schemas/Lost" }, "a.b", "unknown"],
      [{ $ref: "other.yaml#/Order" }, "a", "unknown"],
      [{ $ref: "#/components/schemas/Subject" }, "a", "unknown"],
      [{ allOf: [{ $ref: "#/components/schemas/Lost" }, { properties: { a: text } }] }, "a", "string"],
      [{ allOf: [{ $ref: "#/components/schemas/Lost" }, { properties: { a: text } }] }, "b", "perhaps"],
      [{ allOf: [{ $ref: "#/components/schemas/Subject" }, { properties: { a: text } }] }, "b", "perhaps"],
      [{ oneOf: [{ $ref: "#/components/schemas/Subject" }] }, "b", "unknown"],
      [{ oneOf: [{ $ref: "#/components/schemas/Subject" }, { properties: { a: text } }] }, "b", "perhaps"],
      [
        { anyOf: [{ $ref: "#/components/schemas/Order" }, { $ref: "#/components/schemas/Alias" }] },
        "id",
        "string",
      ],
      [{ $dynamicRef: "#meta" }, "a", "unknown"],
      [{ properties: { a: text }, $dynamicRef: "#meta" }, "b", "perhaps"],
    ),
  )("%j: %s is %s", async (schema, path, outcome) => {
    expect(said(await typeOf({ schema, others }), path)).toBe(outcome)
    expect(said(await typeOf({ version: "3.0", schema, others }), path)).toBe(outcome)
  })

  it("respects the siblings of a reference from 3.1 on", async () => {
    const schema = { $ref: "#/components/schemas/Order", properties: { extra: number }, type: "object" }
    const type = await typeOf({ schema, others })
    expect([said(type, "id"), said(type, "extra"), said(type, "ordr")]).toEqual([
      "string",
      "number",
      "nowhere",
    ])
  })

  it("ignores the siblings of a reference in 3.0", async () => {
    const schema = { $ref: "#/components/schemas/Order", properties: { extra: number }, type: "array" }
    const type = await typeOf({ version: "3.0", schema, others })
    expect([said(type, ""), said(type, "id"), said(type, "extra")]).toEqual(["object", "string", "perhaps"])
  })

  it("allows null if nullable is next to a reference", async () => {
    const schema = { $ref: "#/components/schemas/Order", nullable: true }
    expect(said(await typeOf({ version: "3.0", schema, others }), "")).toBe("null|object")
  })

  it("reads two mutually recursive schemas the same from either side", async () => {
    const mutual = {
      A: { allOf: [{ $ref: "#/components/schemas/B" }, { properties: { a: text } }] },
      B: { allOf: [{ $ref: "#/components/schemas/A" }, { properties: { b: text } }] },
    }
    const schema = {
      properties: { a: { $ref: "#/components/schemas/A" }, b: { $ref: "#/components/schemas/B" } },
    }
    const type = await typeOf({ schema, others: mutual })
    expect(["a.a", "a.b", "b.a", "b.b"].map((path) => said(type, path))).toEqual(Array(4).fill("string"))
  })
})

describe("null", () => {
  it.each<readonly [schema: JsonValue, kinds: string]>([
    [{ type: "string", nullable: true }, "null|string"],
    [{ type: "string", "x-nullable": true }, "null|string"],
    [{ type: "string", nullable: true, enum: ["a"] }, `null|string: "a" null`],
    [{ nullable: true, allOf: [{ type: "object" }] }, "null|object"],
    [{ nullable: true, oneOf: [text, number] }, "null|number|string"],
    [{ nullable: true, properties: { a: text } }, "null|object"],
    [{ allOf: [{ enum: ["a"] }], nullable: true }, `null|string: "a" null`],
    [{ nullable: true }, "unknown"],
  ])("is allowed by nullable: %j is %s", async (schema, kinds) => {
    expect(said(await typeOf({ version: "3.0", schema }), "")).toBe(kinds)
  })

  it.each<readonly [schema: JsonValue, kinds: string]>([
    [{ type: ["string", "null"] }, "null|string"],
    [{ type: ["object", "null"], properties: { a: text } }, "null|object"],
    [{ anyOf: [text, { type: "null" }] }, "null|string"],
    [{ anyOf: [text, { const: null }] }, "null|string"],
    [{ type: ["string", "null"], enum: ["a"] }, `string: "a"`],
  ])("is allowed by its type: %j is %s", async (schema, kinds) => {
    expect(said(await typeOf({ schema }), "")).toBe(kinds)
  })

  it("does not hide the other types", async () => {
    const type = await typeOf({ schema: { type: ["object", "null"], properties: { a: text } } })
    expect([said(type, "a"), said(type, "b")]).toEqual(["string", "nowhere"])
  })
})

describe("keywords of JSON Schema 2020-12", () => {
  it.each(
    rows(
      [true, "a", "unknown"],
      [{ properties: { a: true, b: false } }, "a", "unknown"],
      [{ properties: { a: true, b: false } }, "b", "nowhere"],
      [{ const: 7 }, "", "number: 7"],
      [{ const: { a: 1 } }, "", `object: {"a":1}`],
      [{ type: ["object", "array"], properties: { a: text }, items: number }, "a", "string"],
      [{ type: ["object", "array"], properties: { a: text }, items: number }, "0", "number"],
      [{ type: ["object", "array"], properties: { a: text }, items: number }, "b", "nowhere"],
      [{ prefixItems: [text, number], items: false }, "1", "number"],
      [{ prefixItems: [text, number], items: false }, "2", "nowhere"],
      [{ prefixItems: [text], items: number }, "5", "number"],
      [{ prefixItems: [text] }, "5", "perhaps"],
      [{ prefixItems: [text, false] }, "1", "nowhere"],
      [{ patternProperties: { "^x-": text } }, "x-a", "string"],
      [{ patternProperties: { "^x-": text } }, "y", "nowhere"],
      [{ patternProperties: { "^x-": text }, properties: { "x-a": {} } }, "x-a", "string"],
      [{ patternProperties: { "(": text } }, "x", "perhaps"],
      [{ patternProperties: { "^(a+)+$": text } }, `${"a".repeat(40)}!`, "nowhere"],
      [{ patternProperties: { "^(a+)+\\1$": text } }, `${"a".repeat(40)}!`, "perhaps"],
      [{ properties: { a: text }, unevaluatedProperties: false }, "b", "nowhere"],
      [{ properties: { a: text }, unevaluatedProperties: {} }, "b", "perhaps"],
      [{ properties: { a: text }, unevaluatedProperties: number }, "b", "number"],
      [{ allOf: [{ properties: { a: text } }], unevaluatedProperties: number }, "a", "string"],
      [{ allOf: [{ properties: { a: text } }], unevaluatedProperties: false }, "b", "nowhere"],
      [{ propertyNames: { enum: ["de", "en"] }, additionalProperties: text }, "en", "string"],
      [{ propertyNames: { enum: ["de", "en"] }, additionalProperties: text }, "eng", "nowhere"],
      [{ propertyNames: { pattern: "^[a-z]+$" }, additionalProperties: text }, "eng", "string"],
      [
        { properties: { a: text }, if: { properties: { a: { const: "x" } } }, then: { required: ["b"] } },
        "c",
        "nowhere",
      ],
      [
        { properties: { a: text }, if: { required: ["a"] }, then: { properties: { b: number } } },
        "b",
        "unknown",
      ],
      [
        {
          properties: { a: text },
          if: {},
          then: { properties: { b: text } },
          else: { properties: { b: number } },
        },
        "b",
        "number|string",
      ],
      [
        { properties: { a: text }, if: { required: ["a"] }, then: { additionalProperties: true } },
        "b",
        "perhaps",
      ],
      [{ type: "object", then: { properties: { b: number } } }, "b", "unknown"],
      [
        {
          properties: { a: { enum: ["x", "y"] } },
          if: { properties: { a: { const: "x" } } },
          else: { properties: { b: {} } },
        },
        "a",
        `string: "x" "y"`,
      ],
      [{ properties: { a: text }, dependentSchemas: { a: { properties: { b: text } } } }, "b", "unknown"],
      [{ properties: { a: text }, dependentSchemas: { a: { properties: { b: text } } } }, "c", "nowhere"],
    ),
  )("%j: %s is %s", async (schema, path, outcome) => {
    expect(said(await typeOf({ schema }), path)).toBe(outcome)
  })
})

describe("a discriminator", () => {
  const base = { type: "object", properties: { kind: text }, discriminator: { propertyName: "kind" } }
  const others = {
    Cat: { allOf: [{ $ref: "#/components/schemas/Subject" }, { properties: { lives: number } }] },
    Dog: { allOf: [{ $ref: "#/components/schemas/Subject" }, { properties: { bark: text } }] },
  }

  it("lets a base be any schema that includes it", async () => {
    const type = await typeOf({ schema: base, others })
    expect([said(type, "kind"), said(type, "brk")]).toEqual(["string", "perhaps"])
    expect([type.step("bark").leads, type.step("lives").leads]).toEqual(["to", "to"])
    expect(type.names()).toEqual(["kind", "lives", "bark"])
    expect(type.kinds).toEqual(new Set(["object"]))
  })

  it("chooses among the branches of the schema itself", async () => {
    const schema = {
      oneOf: [{ properties: { a: text } }, { properties: { b: text } }],
      discriminator: { propertyName: "a" },
    }
    const type = await typeOf({ schema })
    expect([said(type, "b"), said(type, "c")]).toEqual(["string", "perhaps"])
  })

  it("survives a base that lists what includes it", async () => {
    const references = ["Cat", "Dog"].map((name) => ({ $ref: `#/components/schemas/${name}` }))
    const type = await typeOf({ schema: { ...base, oneOf: references }, others })
    expect([said(type, "kind"), said(type, "brk")]).toEqual(["string", "perhaps"])
    expect(type.step("bark").leads).toBe("to")
  })
})

describe("the direction of a value", () => {
  const schema = {
    type: "object",
    required: ["id", "password", "name"],
    properties: {
      id: { type: "string", readOnly: true },
      password: { type: "string", writeOnly: true },
      name: text,
      stamp: { $ref: "#/components/schemas/Stamp" },
    },
  }
  const others = { Stamp: { type: "string", readOnly: true } }

  it("does not expect write-only properties in a response", async () => {
    const type = await typeOf({ schema, others })
    expect([said(type, "password"), said(type, "id")]).toEqual(["perhaps", "string"])
    expect(type.required()).toEqual(["id", "name"])
    expect(type.names()).toEqual(["id", "name", "stamp"])
  })

  it("does not require read-only properties in a request", async () => {
    const type = await typeOf({
      schema: { allOf: [schema, { required: ["stamp"] }] },
      others,
      direction: "request",
    })
    expect([said(type, "password"), said(type, "id")]).toEqual(["string", "string"])
    expect(type.required()).toEqual(["password", "name"])
    expect(type.names()).toEqual(["id", "password", "name", "stamp"])
  })

  it("agrees with the contract check: marks count at any depth, and the nearer of two wins", async () => {
    const deep = { allOf: [{ $ref: "#/components/schemas/Wrapped" }] }
    const near = { writeOnly: true, allOf: [{ $ref: "#/components/schemas/Stamp" }] }
    const type = await typeOf({
      schema: { type: "object", required: ["deep", "near"], properties: { deep, near } },
      others: { ...others, Wrapped: { allOf: [{ $ref: "#/components/schemas/Stamp" }] } },
      direction: "request",
    })
    expect(type.required()).toEqual(["near"])
  })
})

describe("names", () => {
  it.each<readonly [schema: JsonValue, required: readonly string[]]>([
    [{ required: ["a"], allOf: [{ required: ["b"] }] }, ["a", "b"]],
    [{ oneOf: [{ required: ["a", "b"] }, { required: ["b", "c"] }] }, ["b"]],
    [{ required: ["a"], anyOf: [{ required: ["b"] }, {}] }, ["a"]],
    [{ required: ["a"], if: {}, then: { required: ["b"] } }, ["a"]],
    [{ required: true, properties: { a: { required: true } } }, []],
    [{ required: ["a", 3] }, ["a"]],
  ])("%j requires %j", async (schema, required) => {
    expect((await typeOf({ schema })).required()).toEqual(required)
  })

  it("lists those of every branch", async () => {
    const schema = {
      properties: { a: text, never: false },
      allOf: [{ properties: { b: text } }],
      oneOf: [{ properties: { c: text } }, { properties: { d: text } }],
      if: { properties: { e: text } },
      then: { properties: { f: text } },
    }
    expect((await typeOf({ schema })).names()).toEqual(["a", "b", "c", "d", "e", "f"])
  })
})

describe("unbounded schemas", () => {
  const chain = (length: number, link: (next: string) => JsonValue, end: JsonValue): JsonObject =>
    Object.fromEntries(
      Array.from({ length }, (_, at) => [
        `S${at}`,
        at === length - 1 ? end : link(`#/components/schemas/S${at + 1}`),
      ]),
    )
  const first = { $ref: "#/components/schemas/S0" }

  it("walks a thousand steps into a recursive schema", async () => {
    const own = { $ref: "#/components/schemas/Subject" }
    const schema = {
      allOf: [
        { properties: { id: text } },
        { properties: { list: { type: "array", items: { anyOf: [own, own] } } } },
      ],
      oneOf: [{ properties: { next: { allOf: [own] } } }, { properties: { next: own } }],
    }
    const type = await typeOf({ schema })
    expect(said(type, `${"next.list.0.".repeat(1000)}id`)).toBe("string")
    expect(said(type, `${"next.".repeat(1000)}list.name`)).toBe("nowhere")
  })

  it.each<readonly [string, (next: string) => JsonValue]>([
    ["references", (next) => ({ $ref: next })],
    ["references with siblings", (next) => ({ $ref: next, type: "object" })],
    ["allOf", (next) => ({ allOf: [{ $ref: next }, { $ref: next }] })],
    ["oneOf", (next) => ({ oneOf: [{ $ref: next }, { properties: { b: text } }] })],
    ["a condition", (next) => ({ if: { $ref: next }, then: { $ref: next }, else: { $ref: next } })],
  ])("claims nothing below 5,000 levels of %s", async (_, link) => {
    const type = await typeOf({ schema: first, others: chain(5000, link, { properties: { a: text } }) })
    expect(said(type, "a")).not.toBe("nowhere")
    expect(said(type, "c")).not.toBe("nowhere")
    expect(type.required()).toEqual([])
  })

  it("reads once what doubles at each of 60 levels", async () => {
    const link = (next: string) => ({ allOf: [{ $ref: next }, { type: "object", allOf: [{ $ref: next }] }] })
    const type = await typeOf({ schema: first, others: chain(60, link, { properties: { a: text } }) })
    expect([said(type, "a"), said(type, "b")]).toEqual(["string", "nowhere"])
  })

  it("gives up on unbounded growth", async () => {
    // Each level doubles the alternatives of the one below.
    const alternatives = (at: number): JsonValue => ({
      oneOf: [{ properties: { [`p${at}`]: number, a: text } }, { properties: { a: { minLength: at } } }],
    })
    const schema = { allOf: Array.from({ length: 12 }, (_, at) => alternatives(at)) }
    const type = await typeOf({ schema })
    expect(["a", "a.b", "p3"].map((path) => said(type, path))).not.toContain("nowhere")
  })

  it("reads a schema nested 5,000 levels deep only as far as needed", async () => {
    let schema: JsonValue = text
    for (let level = 0; level < 5000; level++) schema = { properties: { a: schema } }
    const type = schemaType(new WrittenPart(await documentOf({ version: "3.1" }), schema, "/x"), "response")
    expect(said(type, "a.".repeat(4999) + "a")).toBe("string")
  })
})

it("returns the same type for the same schema", async () => {
  const document = await documentOf({ version: "3.1" })
  const at = new WrittenPart(document, { properties: { a: text, b: {} } }, "/components/schemas/X")
  const type = schemaType(at, "response")
  expect(schemaType(at, "response")).toBe(type)
  expect(type.step("a")).toBe(type.step("a"))
  expect(schemaType(new WrittenPart(document, {}, "/y"), "response")).toBe(unknownType)
})
