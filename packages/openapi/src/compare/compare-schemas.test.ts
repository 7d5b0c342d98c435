import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { documentOf, type Version } from "../testing/document-of.ts"
import { compareDocuments } from "./compare-documents.ts"

type Schema = JsonObject | boolean

interface Pair {
  readonly before: Schema
  readonly after: Schema
  readonly components?: readonly [JsonObject, JsonObject]
  readonly versions?: readonly [Version, Version]
}

/** Compares a schema in a request and in a response. Formats each change: `property-removed /total (reads)`. */
async function compare({ before, after, components = [{}, {}], versions = ["3.1", "3.1"] }: Pair) {
  const documents = [before, after].map((schema, index) => {
    const content = { "application/json": { schema } }
    const version = versions[index]!
    return documentOf({
      version,
      components: { schemas: components[index]! },
      paths: {
        "/a": {
          post: { requestBody: { content }, responses: { "200": { description: "ok", content } } },
        },
      },
    })
  })
  const changes = compareDocuments(await documents[0]!, await documents[1]!)
  const said = (side: string): readonly string[] =>
    changes
      .filter((change) => change.side === side)
      .map(
        ({ kind, path, breaks }) =>
          `${kind} ${path.slice("/body".length) || "/"}${breaks ? ` (${breaks})` : ""}`,
      )
  return { request: said("request"), response: said("response") }
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
})
const text = { type: "string" }
const whole = { type: "integer" }
const closed = { additionalProperties: false }
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

/** Name, before, after, and the changes of the request and the response. */
type Row = readonly [
  name: string,
  before: Schema,
  after: Schema,
  request: readonly string[],
  response: readonly string[],
]

const rows: readonly Row[] = [
  ["a new property", object({}), object({ a: text }), ["property-added /a"], ["property-added /a"]],
  [
    "a new required property",
    object({}),
    object({ a: text }, { required: ["a"] }),
    ["property-added /a (omits)"],
    ["property-added /a"],
  ],
  [
    "a property removed from an open schema",
    object({ a: text }),
    object({}),
    ["property-removed /a"],
    ["property-removed /a (reads)"],
  ],
  [
    "a property removed from a closed schema",
    object({ a: text }, closed),
    object({}, closed),
    ["property-removed /a (sends)"],
    ["property-removed /a (reads)"],
  ],
  [
    "a property that becomes required",
    object({ a: text }),
    object({ a: text }, { required: ["a"] }),
    ["property-required /a (omits)"],
    ["property-required /a"],
  ],
  [
    "a property that becomes optional",
    object({ a: text }, { required: ["a"] }),
    object({ a: text }),
    ["property-optional /a"],
    ["property-optional /a (reads)"],
  ],
  [
    "another type",
    object({ a: text }),
    object({ a: whole }),
    ["type-changed /a (sends)"],
    ["type-changed /a (reads)"],
  ],
  ["a wider number", whole, { type: "number" }, ["type-changed /"], ["type-changed / (reads)"]],
  ["a narrower number", { type: "number" }, whole, ["type-changed / (sends)"], ["type-changed /"]],
  ["one more type", text, { type: ["string", "integer"] }, ["type-changed /"], ["type-changed / (reads)"]],
  ["a type where any was allowed", {}, text, ["type-changed / (sends)"], ["type-changed /"]],
  ["any type", text, {}, ["type-changed /"], ["type-changed / (reads)"]],
  ["null", text, { type: ["string", "null"] }, ["nullable-changed /"], ["nullable-changed / (reads)"]],
  [
    "null that is no longer allowed",
    { type: ["string", "null"] },
    text,
    ["nullable-changed / (sends)"],
    ["nullable-changed /"],
  ],
  [
    "a branch for null",
    text,
    { anyOf: [text, { type: "null" }] },
    ["nullable-changed /"],
    ["nullable-changed / (reads)"],
  ],
  ["a new value", { enum: ["a"] }, { enum: ["a", "b"] }, ["enum-changed /"], ["enum-changed / (reads)"]],
  ["a removed value", { enum: ["a", "b"] }, { enum: ["a"] }, ["enum-changed / (sends)"], ["enum-changed /"]],
  ["values for a type", text, { ...text, enum: ["a"] }, ["enum-changed / (sends)"], ["enum-changed /"]],
  ["a type without values", { ...text, enum: ["a"] }, text, ["enum-changed /"], ["enum-changed / (reads)"]],
  ["another value", { const: "a" }, { const: "b" }, ["enum-changed / (sends)"], ["enum-changed / (reads)"]],
  [
    "a null among the values",
    { type: ["string", "null"], enum: ["a", null] },
    { type: ["string", "null"], enum: ["a"] },
    ["nullable-changed / (sends)"],
    ["nullable-changed /"],
  ],
  ["a format", text, { ...text, format: "date" }, ["format-changed / (sends)"], ["format-changed /"]],
  ["no format", { ...text, format: "date" }, text, ["format-changed /"], ["format-changed / (reads)"]],
  [
    "another format",
    { ...text, format: "date" },
    { ...text, format: "date-time" },
    ["format-changed / (sends)"],
    ["format-changed / (reads)"],
  ],
  [
    "a wider format",
    { ...whole, format: "int32" },
    { ...whole, format: "int64" },
    ["format-changed /"],
    ["format-changed / (reads)"],
  ],
  [
    "a narrower format",
    { ...whole, format: "int64" },
    { ...whole, format: "int32" },
    ["format-changed / (sends)"],
    ["format-changed /"],
  ],
  [
    "a format that every number has",
    whole,
    { ...whole, format: "int64" },
    ["format-changed /"],
    ["format-changed /"],
  ],
  ["a format for display", text, { ...text, format: "password" }, ["format-changed /"], ["format-changed /"]],
  ["a limit", text, { ...text, maxLength: 3 }, ["limit-changed / (sends)"], ["limit-changed /"]],
  [
    "a higher maximum",
    { ...whole, maximum: 3 },
    { ...whole, maximum: 4 },
    ["limit-changed /"],
    ["limit-changed / (reads)"],
  ],
  [
    "a higher minimum",
    { ...whole, minimum: 3 },
    { ...whole, minimum: 4 },
    ["limit-changed / (sends)"],
    ["limit-changed /"],
  ],
  [
    "an exclusive limit",
    { type: "number", minimum: 3 },
    { type: "number", exclusiveMinimum: 3 },
    ["limit-changed / (sends)"],
    ["limit-changed /"],
  ],
  [
    "another pattern",
    { ...text, pattern: "^a" },
    { ...text, pattern: "^b" },
    ["limit-changed / (sends)"],
    ["limit-changed / (reads)"],
  ],
  [
    "a finer step",
    { ...whole, multipleOf: 10 },
    { ...whole, multipleOf: 5 },
    ["limit-changed /"],
    ["limit-changed / (reads)"],
  ],
  [
    "unique items",
    { type: "array" },
    { type: "array", uniqueItems: true },
    ["limit-changed / (sends)"],
    ["limit-changed /"],
  ],
  [
    "a branch of another scalar type",
    { anyOf: [text, { type: "number" }] },
    { anyOf: [text, { ...whole, format: "int64" }] },
    ["type-changed / (sends)", "format-changed /"],
    ["type-changed /", "format-changed /"],
  ],
  [
    "items",
    { type: "array", items: text },
    { type: "array", items: whole },
    ["type-changed /* (sends)"],
    ["type-changed /* (reads)"],
  ],
  [
    "first items",
    { type: "array", prefixItems: [text] },
    { type: "array", prefixItems: [text, whole] },
    ["schema-changed / (sends)"],
    ["schema-changed / (reads)"],
  ],
  [
    "a closed schema",
    object({ a: text }),
    object({ a: text }, closed),
    ["additional-properties-changed / (sends)"],
    ["additional-properties-changed /"],
  ],
  [
    "an open schema",
    object({ a: text }, closed),
    object({ a: text }),
    ["additional-properties-changed /"],
    ["additional-properties-changed /"],
  ],
  [
    "the values of a map",
    { type: "object", additionalProperties: text },
    { type: "object", additionalProperties: whole },
    ["type-changed /* (sends)"],
    ["type-changed /* (reads)"],
  ],
  [
    "properties by pattern",
    { type: "object", patternProperties: { "^x": text } },
    { type: "object", patternProperties: { "^x": whole, "^y": text } },
    ["schema-changed / (sends)", "type-changed /* (sends)"],
    ["schema-changed / (reads)", "type-changed /* (reads)"],
  ],
  [
    "a property named *",
    object({ "*": text }),
    object({ "*": whole }),
    ["type-changed /~2 (sends)"],
    ["type-changed /~2 (reads)"],
  ],
  [
    "a read-only property",
    object({ a: text }),
    object({ a: { ...text, readOnly: true } }),
    ["property-removed /a (sends)"],
    [],
  ],
  [
    "a write-only property",
    object({ a: text }),
    object({ a: { ...text, writeOnly: true } }),
    [],
    ["property-removed /a (reads)"],
  ],
  [
    "a required read-only property",
    object({}),
    object({ a: { ...text, readOnly: true } }, { required: ["a"] }),
    [],
    ["property-added /a"],
  ],
  ["not", text, { ...text, not: { const: "a" } }, ["schema-changed / (sends)"], ["schema-changed /"]],
  [
    "if and then",
    { if: { required: ["a"] }, then: { required: ["b"] } },
    { if: { required: ["a"] }, then: { required: ["c"] } },
    ["schema-changed / (sends)"],
    ["schema-changed / (reads)"],
  ],
  [
    "contains",
    { type: "array", contains: text },
    { type: "array", contains: whole },
    ["schema-changed / (sends)"],
    ["schema-changed / (reads)"],
  ],
  [
    "a property of an included schema",
    { allOf: [object({ a: text }), object({ b: text })] },
    { allOf: [object({ a: text }), object({ b: whole })] },
    ["type-changed /b (sends)"],
    ["type-changed /b (reads)"],
  ],
  [
    "a property that another included schema requires",
    { allOf: [object({ a: text }), object({})] },
    { allOf: [object({ a: text }), { required: ["a"] }] },
    ["property-required /a (omits)"],
    ["property-required /a"],
  ],
  [
    "a new branch",
    { oneOf: [object({ a: text }, { title: "A" }), object({ b: text }, { title: "B" })] },
    {
      oneOf: [
        object({ a: text }, { title: "A" }),
        object({ b: text }, { title: "B" }),
        object({ c: text }, { title: "C" }),
      ],
    },
    ["variant-added /"],
    ["variant-added / (reads)"],
  ],
  [
    "a removed branch",
    { oneOf: [text, object({ a: text }), { type: "boolean" }] },
    { oneOf: [object({ a: text }), { type: "boolean" }] },
    ["variant-removed / (sends)"],
    ["variant-removed /"],
  ],
  [
    "a property of a branch, by its title",
    { oneOf: [text, object({ a: text }, { title: "A" })] },
    { oneOf: [text, object({ a: whole }, { title: "A" })] },
    ["type-changed /a (sends)"],
    ["type-changed /a (reads)"],
  ],
  [
    "a property of a branch, by the value that tells it apart",
    {
      oneOf: [
        object({ kind: { const: "a" }, x: text }, { required: ["kind"] }),
        object({ kind: { const: "b" }, x: text }, { required: ["kind"] }),
      ],
    },
    {
      oneOf: [
        object({ kind: { const: "b" }, x: whole }, { required: ["kind"] }),
        object({ kind: { const: "a" }, x: text }, { required: ["kind"] }),
      ],
    },
    ["type-changed /x (sends)"],
    ["type-changed /x (reads)"],
  ],
  [
    "a schema that becomes a branch",
    object({ a: text }),
    { oneOf: [object({ a: text }), text] },
    ["variant-added /"],
    ["variant-added / (reads)"],
  ],
  [
    "a branch that becomes the schema",
    { anyOf: [object({ a: text }), text] },
    object({ a: whole }),
    ["variant-removed / (sends)", "type-changed /a (sends)"],
    ["variant-removed /", "type-changed /a (reads)"],
  ],
  [
    "branches beside properties",
    object({ a: text, b: text }),
    object({ a: text, b: text }, { oneOf: [{ required: ["a"] }, { required: ["b"] }] }),
    ["schema-changed / (sends)"],
    ["schema-changed /"],
  ],
  [
    "a schema that allows nothing",
    object({ a: text }),
    object({ a: false }),
    ["property-removed /a"],
    ["property-removed /a (reads)"],
  ],
  [
    "a property that moves into every branch",
    object({ a: text, b: text }, { oneOf: [{ properties: { c: text } }, { properties: { d: text } }] }),
    object(
      { a: text },
      { oneOf: [{ properties: { b: text, c: text } }, { properties: { b: text, d: text } }] },
    ),
    ["property-added /b"],
    ["property-added /b"],
  ],
]

describe("two schemas", () => {
  it.each(rows)("differ by %s", async (_, before, after, request, response) => {
    expect(await compare({ before, after })).toEqual({ request, response })
  })

  it.each<[string, Schema, Schema]>([
    [
      "descriptions",
      object({ a: text }),
      object({ a: { ...text, description: "d", example: "e", title: "t" } }),
    ],
    ["the order of keys", object({ a: text, b: whole }), object({ b: whole, a: text })],
    ["the order of values", { enum: ["a", "b"] }, { enum: ["b", "a"] }],
    ["the order of types", { type: ["string", "integer"] }, { type: ["integer", "string"] }],
    ["the order of branches", { oneOf: [text, object({ a: text })] }, { oneOf: [object({ a: text }), text] }],
    [
      "the order of required names",
      object({ a: text, b: text }, { required: ["a", "b"] }),
      object({ a: text, b: text }, { required: ["b", "a"] }),
    ],
    [
      "an included schema",
      object({ a: text, b: text }),
      { allOf: [object({ a: text }), object({ b: text })] },
    ],
    ["an only branch", object({ a: text }), { oneOf: [object({ a: text })] }],
    ["a value as const", { enum: ["a"] }, { const: "a" }],
    ["values as branches", { type: "string", enum: ["a", "b"] }, { oneOf: [{ const: "a" }, { const: "b" }] }],
    ["types as branches", { type: ["string", "integer"] }, { anyOf: [text, whole] }],
    ["an implied type", { properties: { a: text } }, object({ a: text })],
    ["an exclusive limit of an integer", { ...whole, exclusiveMinimum: 0 }, { ...whole, minimum: 1 }],
    ["a limit without effect", text, { ...text, minLength: 0 }],
    ["a default for unlisted properties", object({}), object({}, { additionalProperties: true })],
    ["oneOf and anyOf", { oneOf: [text, object({ a: text })] }, { anyOf: [text, object({ a: text })] }],
    ["a null branch and a null type", { anyOf: [text, { type: "null" }] }, { type: ["string", "null"] }],
  ])("don't differ by %s", async (_, before, after) => {
    expect(await compare({ before, after })).toEqual({ request: [], response: [] })
  })

  it.each<[string, Pair]>([
    [
      "a reference",
      { before: ref("A"), after: object({ a: text }), components: [{ A: object({ a: text }) }, {}] },
    ],
    [
      "another name of a component",
      {
        before: { type: "array", items: ref("A") },
        after: { type: "array", items: ref("B") },
        components: [{ A: object({ a: text }) }, { B: object({ a: text }) }],
      },
    ],
    [
      "a component that contains itself",
      {
        before: ref("A"),
        after: ref("B"),
        components: [{ A: object({ a: ref("A") }) }, { B: object({ a: object({ a: ref("B") }) }) }],
      },
    ],
    [
      "another spelling of null",
      {
        before: { type: "string", nullable: true },
        after: { type: ["string", "null"] },
        versions: ["3.0", "3.1"],
      },
    ],
    [
      "another spelling of null among values",
      {
        before: { type: "string", nullable: true, enum: ["a"] },
        after: { type: ["string", "null"], enum: ["a", null] },
        versions: ["3.0", "3.1"],
      },
    ],
    [
      "null beside a reference",
      {
        before: object({ a: { allOf: [ref("A")], nullable: true } }),
        after: object({ a: { anyOf: [ref("A"), { type: "null" }] } }),
        components: [{ A: object({ a: text }) }, { A: object({ a: text }) }],
        versions: ["3.0", "3.1"],
      },
    ],
    [
      "another spelling of an exclusive limit",
      {
        before: { type: "number", minimum: 1, exclusiveMinimum: true },
        after: { type: "number", exclusiveMinimum: 1 },
        versions: ["3.0", "3.1"],
      },
    ],
    ["Swagger 2.0", { before: object({ a: text }), after: object({ a: text }), versions: ["2.0", "3.0"] }],
  ])("don't differ by %s", async (_, pair) => {
    expect(await compare(pair)).toEqual({ request: [], response: [] })
  })
})

describe("schemas with a discriminator", () => {
  const pet = (more: JsonObject = {}): JsonObject =>
    object({ kind: text, ...more }, { required: ["kind"], discriminator: { propertyName: "kind" } })
  const extend = (properties: JsonObject): JsonObject => ({ allOf: [ref("Pet"), object(properties)] })

  it("differ by the schemas that extend the base", async () => {
    const components: readonly [JsonObject, JsonObject] = [
      { Pet: pet(), Dog: extend({ bark: text }) },
      { Pet: pet(), Dog: extend({ bark: whole }), Cat: extend({}) },
    ]
    expect(await compare({ before: ref("Pet"), after: ref("Pet"), components })).toEqual({
      request: ["variant-added /", "type-changed /bark (sends)"],
      response: ["variant-added / (reads)", "type-changed /bark (reads)"],
    })
  })

  it("differ only by the schema that the body has", async () => {
    const components: readonly [JsonObject, JsonObject] = [
      { Pet: pet(), Dog: extend({ bark: text }), Cat: extend({}) },
      { Pet: pet(), Dog: extend({ bark: text }), Cat: extend({ purr: text }) },
    ]
    expect(await compare({ before: ref("Dog"), after: ref("Dog"), components })).toEqual({
      request: [],
      response: [],
    })
  })

  it("match branches by the mapping, whatever their names", async () => {
    const union = (names: readonly string[]): JsonObject => ({
      oneOf: names.map(ref),
      discriminator: {
        propertyName: "kind",
        mapping: Object.fromEntries(
          names.map((name, index) => [["a", "b"][index]!, ref(name)["$ref"] as string]),
        ),
      },
    })
    const components: readonly [JsonObject, JsonObject] = [
      { A: object({ x: text }), B: object({ y: text }) },
      { C: object({ y: text }), D: object({ x: text }) },
    ]
    expect(await compare({ before: union(["A", "B"]), after: union(["C", "D"]), components })).toEqual({
      request: ["property-removed /x", "property-added /y", "property-removed /y", "property-added /x"],
      response: [
        "property-removed /x (reads)",
        "property-added /y",
        "property-removed /y (reads)",
        "property-added /x",
      ],
    })
  })
})

describe("lists among the branches", () => {
  it("are known by their items", async () => {
    const list = (name: string): JsonObject => ({ type: "array", items: ref(name) })
    const union = { anyOf: [list("A"), list("B")] }
    const components = [text, whole].map((schema) => ({ A: object({ a: schema }), B: object({ b: schema }) }))
    expect(
      await compare({ before: union, after: union, components: [components[0]!, components[1]!] }),
    ).toEqual({
      request: ["type-changed /*/a (sends)", "type-changed /*/b (sends)"],
      response: ["type-changed /*/a (reads)", "type-changed /*/b (reads)"],
    })
  })
})

describe("a change of a shared schema", () => {
  const order = (total: JsonValue): JsonObject =>
    object({ total, parent: ref("Order"), lines: { type: "array", items: ref("Line") } })
  const components: readonly [JsonObject, JsonObject] = [
    { Order: order(text), Line: object({ order: ref("Order") }) },
    { Order: order(whole), Line: object({ order: ref("Order") }) },
  ]

  it("is reported once, at its shortest path", async () => {
    expect((await compare({ before: ref("Order"), after: ref("Order"), components })).response).toEqual([
      "type-changed /total (reads)",
    ])
  })

  it("says whether it is at another path", async () => {
    const [before, after] = await Promise.all(
      components.map((schemas) =>
        documentOf({
          components: { schemas },
          paths: {
            "/a": {
              get: {
                responses: {
                  "200": { description: "", content: { "application/json": { schema: ref("Order") } } },
                },
              },
            },
          },
        }),
      ),
    )
    const [change] = compareDocuments(before!, after!)
    const asked = [
      "/body/total",
      "/body/parent/parent/total",
      "/body/lines/0/order/total",
      "/body/lines/*/order/total",
    ]
    expect(asked.map((path) => change?.isAt(path))).toEqual([true, true, true, true])
    const others = ["/body", "/body/parent", "/body/lines/0/total", "/body/other/total", "/query/total"]
    expect(others.map((path) => change?.isAt(path))).toEqual([false, false, false, false, false])
  })
})
