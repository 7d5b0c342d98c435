import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { complaintsOfBody } from "../../testing/judge.ts"

const schemas = { Any: {}, Id: { properties: { id: { type: "integer" } } } }

const judged = (schema: JsonObject, body: JsonValue) =>
  complaintsOfBody({ version: "3.1", schema, components: { schemas } }, body)

const noItem = "unexpected item; the schema doesn't describe it"
const noProperty = "unexpected property; the schema doesn't define it"

describe("unevaluated parts", () => {
  it.each<[schema: JsonObject, body: JsonValue, complaints: readonly string[]]>([
    [{ $ref: "#/components/schemas/Any", unevaluatedItems: false }, [1], [`/body/0: ${noItem}`]],
    [
      { $ref: "#/components/schemas/Id", unevaluatedProperties: false },
      { id: 1, a: 1 },
      [`/body/a: ${noProperty}`],
    ],
    [
      { $ref: "#/components/schemas/Id", unevaluatedProperties: false },
      { id: "x" },
      [`/body/id: expected an integer, received a string: "x"`],
    ],
    [{ contains: { type: "string" }, unevaluatedItems: false }, ["a", 1, "b"], [`/body/1: ${noItem}`]],
    [
      {
        allOf: [{ contains: { multipleOf: 2 } }, { contains: { multipleOf: 3 } }],
        unevaluatedItems: { multipleOf: 5 },
      },
      [2, 3, 4, 5, 6, 7],
      ["/body/5: expected a multiple of 5, received 7"],
    ],
    [
      {
        if: { contains: { const: "a" } },
        then: { if: { contains: { const: "b" } }, then: true },
        unevaluatedItems: false,
      },
      ["a", "b"],
      [],
    ],
    [
      {
        if: { contains: { const: "a" } },
        then: { if: { contains: { const: "b" } }, then: true },
        unevaluatedItems: false,
      },
      ["b"],
      [`/body/0: ${noItem}`],
    ],
    [
      { prefixItems: [{}], unevaluatedItems: { type: "string" } },
      [1, 2],
      ["/body/1: expected a string, received a number: 2"],
    ],
    [
      {
        anyOf: [
          {
            if: { properties: { a: { unevaluatedProperties: false } } },
            then: true,
            unevaluatedProperties: false,
          },
        ],
      },
      { a: { b: 1 } },
      [`/body/a: ${noProperty}`],
    ],
    [
      {
        oneOf: [{ required: ["a"], properties: { a: {} } }, { properties: { b: {} } }],
        unevaluatedProperties: false,
      },
      { b: 1 },
      [],
    ],
    [
      {
        dependentSchemas: { a: { properties: { b: {} } } },
        properties: { a: {} },
        unevaluatedProperties: false,
      },
      { a: 1, b: 1 },
      [],
    ],
    [
      {
        dependentSchemas: { a: { properties: { b: {} } } },
        properties: { a: {} },
        unevaluatedProperties: false,
      },
      { b: 1 },
      [`/body/b: ${noProperty}`],
    ],
    [
      { patternProperties: { "^x-": {} }, unevaluatedProperties: false },
      { "x-a": 1, y: 1 },
      [`/body/y: ${noProperty}`],
    ],
    [
      { not: { not: { properties: { a: {} } } }, unevaluatedProperties: false },
      { a: 1 },
      [`/body/a: ${noProperty}`],
    ],
  ])("of %j in %j are %j", async (schema, body, complaints) => {
    expect(await judged(schema, body)).toEqual(complaints)
  })

  it("are searched once in each value, however deep alternatives nest", async () => {
    const branch = (kind: string) => ({
      properties: { kind: { const: kind }, next: { $ref: "#/components/schemas/Node" } },
    })
    const Node = { oneOf: [branch("a"), branch("b")], unevaluatedProperties: false }
    let body: JsonObject = { kind: "a" }
    for (let level = 0; level < 200; level++) body = { kind: level % 2 === 0 ? "b" : "a", next: body }
    const contract = {
      version: "3.1",
      schema: { $ref: "#/components/schemas/Node" },
      components: { schemas: { Node } },
    } as const
    expect(await complaintsOfBody(contract, body)).toEqual([])
  })
})

describe("contains", () => {
  it("requires an item of an empty array too, next to other keywords and in loops", async () => {
    const missing = `expected at least 1 of the items to match "contains"`
    expect(await judged({ prefixItems: [{ type: "string" }], contains: {} }, [])).toEqual([
      `/body: ${missing}`,
    ])
    expect(await judged({ items: { contains: { type: "string" } } }, [["a"], []])).toEqual([
      `/body/1: ${missing}`,
    ])
  })

  it("respects minContains and maxContains", async () => {
    const schema = { contains: { type: "string" }, minContains: 2, maxContains: 3 }
    const complaint = `/body: expected at least 2 and at most 3 of the items to match "contains"`
    expect(await judged(schema, ["a", 1])).toEqual([complaint])
    expect(await judged(schema, ["a", 1, "b"])).toEqual([])
    expect(await judged(schema, ["a", "b", "c", "d"])).toEqual([complaint])
    expect(await judged({ contains: { type: "string" }, minContains: 0 }, [])).toEqual([])
  })
})

it("applies patterns of names next to a reference", async () => {
  const schema = { $ref: "#/components/schemas/Id", patternProperties: { "^x-": { type: "string" } } }
  expect(await judged(schema, { "x-a": 1, id: 1 })).toEqual([
    "/body/x-a: expected a string, received a number: 1",
  ])
})

it.each<[schema: JsonObject, body: JsonValue, complaint: string | undefined]>([
  [{ required: ["valueOf"] }, {}, "/body/valueOf: missing required property"],
  [{ required: ["valueOf"] }, { valueOf: 1 }, undefined],
  [{ properties: { toString: { type: "string" } } }, {}, undefined],
  [
    { properties: { toString: { type: "string" } } },
    { toString: 1 },
    "/body/toString: expected a string, received a number: 1",
  ],
  [
    { properties: { id: {} }, additionalProperties: false },
    { valueOf: 1 },
    "/body/valueOf: unexpected property; the schema doesn't define it",
  ],
  [{ $ref: "#/components/schemas/Named" }, { a: {} }, "/body/a/isPrototypeOf: missing required property"],
])("%j checks only own properties of %j", async (schema, body, complaint) => {
  const Named = { properties: { a: { $ref: "#/components/schemas/Careful" } } }
  const components = { schemas: { Named, Careful: { required: ["isPrototypeOf"] } } }
  expect(await complaintsOfBody({ schema, components }, body)).toEqual(
    complaint === undefined ? [] : [complaint],
  )
})
