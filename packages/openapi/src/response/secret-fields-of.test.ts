import { describe, expect, it } from "vitest"
import { stringifyJson, type JsonObject, type JsonValue } from "@callsheet/format"
import { listOperations } from "../document/operations.ts"
import { readDocument } from "../document/read-document.ts"
import { describeVersions, operationOf, type Version } from "../testing/document-of.ts"
import { type SecretFields, secretFieldsOf } from "./secret-fields-of.ts"

interface Described {
  readonly version?: Version
  readonly as?: "json" | "yaml"
  readonly responses: JsonObject
  readonly schemas?: JsonObject
}

const json = (schema: JsonValue, type = "application/json"): JsonObject => ({
  description: "",
  content: { [type]: { schema } },
})

/** Returns the secret fields of the only operation of a document. */
async function asking({ responses, schemas = {}, ...rest }: Described) {
  const { operation } = await operationOf({ responses }, { ...rest, components: { schemas } })
  return (status = 200, contentType: string | undefined = "application/json"): SecretFields | undefined =>
    secretFieldsOf(operation, { status, contentType })
}

/** Returns the secret values, as text, in a body with this schema. Undefined if the schema marks nothing. */
async function secretsIn(
  body: JsonValue,
  schema: JsonValue,
  { version = "3.1", ...rest }: Omit<Described, "responses"> = {},
) {
  const fields = (await asking({ version, responses: { 200: json(schema) }, ...rest }))()
  return fields && [...fields.valuesOf(body)].sort((a, b) => String(a).localeCompare(String(b)))
}

const response = { status: 200, contentType: "application/json" }
const password = { type: "string", format: "password" }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describeVersions("the secrets of a response", (version, as) => {
  it("are the fields of format password, at any depth", async () => {
    const schemas = {
      User: {
        type: "object",
        properties: {
          name: { type: "string" },
          key: password,
          friends: { type: "array", items: ref("User") },
        },
      },
    }
    const body = {
      name: "a",
      key: "k1",
      friends: [
        { name: "b", key: "k2" },
        { name: "c", friends: [{ key: 3 }] },
      ],
    }
    expect(await secretsIn(body, ref("User"), { version, as, schemas })).toEqual([3, "k1", "k2"])
  })

  it("are what an included schema marks", async () => {
    const schemas = {
      Base: { type: "object", properties: { pin: { type: "integer", format: "password" } } },
      Card: { allOf: [ref("Base"), { type: "object", properties: { name: { type: "string" } } }] },
    }
    expect(await secretsIn({ pin: 1234, name: "n" }, ref("Card"), { version, as, schemas })).toEqual([1234])
  })

  it("are the values of a map", async () => {
    const schema = { type: "object", additionalProperties: password, properties: { id: { type: "string" } } }
    expect(await secretsIn({ id: "x", a: "1", b: "2" }, schema, { version, as })).toEqual(["1", "2"])
  })

  it("are undefined if no schema of the response marks one", async () => {
    const schemas = { Login: { type: "object", properties: { password } }, User: { type: "object" } }
    expect(await secretsIn({ password: "p" }, ref("User"), { version, as, schemas })).toBeUndefined()
  })
})

describe("a marked value", () => {
  it("is secret with every text and number in it, except booleans, null and empty texts", async () => {
    const schema = { properties: { s: { type: "object", writeOnly: true } } }
    const body = { s: { a: ["x", { b: 1.5, c: 2n ** 70n }], d: true, e: null, f: "", g: {} }, t: "open" }
    const fields = (await asking({ version: "3.0", responses: { 200: json(schema) } }))()
    expect(new Set(fields?.valuesOf(body))).toEqual(new Set(["x", 1.5, 2n ** 70n]))
  })

  it("may be the whole body", async () => {
    expect(await secretsIn("token", password)).toEqual(["token"])
  })

  it("is not one with writeOnly: false or another format", async () => {
    const schema = {
      properties: { a: { writeOnly: false }, b: { format: "passwords" }, c: { const: "password" } },
    }
    expect(await secretsIn({ a: "a", b: "b", c: "password" }, schema)).toBeUndefined()
  })

  it("is found only by own property names", async () => {
    const schema = JSON.parse(`{"properties": {"__proto__": {"format": "password"}, "a": {}}}`) as JsonObject
    expect(await secretsIn(JSON.parse(`{"__proto__": "x", "a": "y"}`) as JsonObject, schema)).toEqual(["x"])
    expect(await secretsIn({ a: "y" }, { properties: { constructor: password } })).toEqual([])
  })
})

describe("a mark is found through", () => {
  const open = { type: "string" }
  it.each<readonly [name: string, schema: JsonObject, body: JsonValue, secrets: readonly JsonValue[]]>([
    [
      "a reference with siblings",
      { $ref: "#/components/schemas/Open", properties: { a: password } },
      { a: "1" },
      ["1"],
    ],
    [
      "a mark next to a reference",
      { properties: { a: { ...ref("Open"), writeOnly: true } } },
      { a: "1" },
      ["1"],
    ],
    ["$defs", { $id: "urn:s", $defs: { P: password }, items: { $ref: "#/$defs/P" } }, ["1"], ["1"]],
    ["anyOf", { anyOf: [{ properties: { a: open } }, { properties: { a: password } }] }, { a: "1" }, ["1"]],
    ["oneOf", { items: { oneOf: [open, password] } }, ["1", "2"], ["1", "2"]],
    ["if", { if: { properties: { a: password } } }, { a: "1" }, ["1"]],
    ["then", { if: true, then: { properties: { a: password } } }, { a: "1" }, ["1"]],
    ["else", { if: false, else: { properties: { a: password } } }, { a: "1" }, ["1"]],
    [
      "dependentSchemas",
      { dependentSchemas: { b: { properties: { a: password } } } },
      { a: "1", b: 1 },
      ["1"],
    ],
    ["patternProperties", { patternProperties: { "^x-": password, b: open } }, { "x-a": "1", b: "2" }, ["1"]],
    [
      "additionalProperties that match no pattern",
      { patternProperties: { "^o": open }, additionalProperties: password },
      { oa: "1", b: "2" },
      ["2"],
    ],
    [
      "an invalid pattern",
      { patternProperties: { "(": password }, properties: { a: open } },
      { b: "2" },
      ["2"],
    ],
    [
      "unevaluatedProperties",
      { properties: { a: open }, unevaluatedProperties: password },
      { a: "1", b: "2" },
      ["2"],
    ],
    ["prefixItems", { prefixItems: [true, password], items: open }, ["1", "2", "3", "4"], ["2"]],
    ["items after prefixItems", { prefixItems: [open], items: password }, ["1", "2", "3"], ["2", "3"]],
    ["a list of items", { items: [open, password], additionalItems: open }, ["1", "2", "3"], ["2"]],
    ["unevaluatedItems", { prefixItems: [open], unevaluatedItems: password }, ["1", "2"], ["2"]],
    ["contains", { prefixItems: [open], contains: password }, ["1", "2"], ["1", "2"]],
    ["$dynamicRef", { items: { $dynamicRef: "#node" } }, [{ a: "1" }], ["1"]],
    ["an anchor", { items: { $ref: "#node" } }, [{ a: "1" }], ["1"]],
  ])("%s", async (_, schema, body, secrets) => {
    const schemas = { Open: {}, Node: { $dynamicAnchor: "node", properties: { a: password } } }
    expect(await secretsIn(body, schema, { schemas })).toEqual(secrets)
  })

  it.each([
    ["not", { not: { properties: { a: password } } }],
    ["propertyNames", { propertyNames: password }],
    ["data", { default: { format: "password" }, examples: [password], enum: [{ a: "1", writeOnly: true }] }],
    [
      "a property named like the keyword",
      { properties: { format: { const: "password" }, writeOnly: { const: true } } },
    ],
    ["booleans", { properties: { a: true, b: false }, items: false, additionalProperties: true }],
    ["an unresolvable reference", { properties: { a: { $ref: "#/nothing" } } }],
  ])("but not through %s", async (_, schema) => {
    expect(await secretsIn({ a: "1" }, schema)).toBeUndefined()
  })
})

describe("a discriminator", () => {
  const pet = { type: "object", required: ["kind"], properties: { kind: { type: "string" } } }
  const cat = { allOf: [ref("Pet"), { properties: { chip: password } }] }

  it("leads to the schemas of its mapping, whatever the value names", async () => {
    const schemas = { Cat: { properties: { chip: password } } }
    const discriminator = { propertyName: "kind", mapping: { cat: "#/components/schemas/Cat" } }
    const schema = { oneOf: [{ type: "object" }], discriminator }
    expect(await secretsIn({ kind: "dog", chip: "1" }, schema, { schemas })).toEqual(["1"])
  })

  it.each(["2.0", "3.0"] as const)(
    "of a base leads to the schema that the value names (%s)",
    async (version) => {
      const discriminator = version === "2.0" ? "kind" : { propertyName: "kind" }
      const kitten = { allOf: [ref("Cat"), { properties: { code: password } }] }
      const schemas = {
        Pet: { ...pet, discriminator },
        Cat: cat,
        Kitten: kitten,
        Dog: { allOf: [ref("Pet")] },
      }
      const body = [
        { kind: "Cat", chip: "1", code: "open" },
        { kind: "Dog", chip: "open" },
        { kind: "Kitten", chip: "2", code: "3" },
        { kind: "nobody", chip: "open" },
        { chip: "open" },
      ]
      const secrets = await secretsIn(body, { type: "array", items: ref("Pet") }, { version, schemas })
      expect(secrets).toEqual(["1", "2", "3"])
    },
  )
})

describe("the response", () => {
  it("is found by its status, its range, or as the default", async () => {
    const field = (name: string) => json({ properties: { [name]: password } })
    const ask = await asking({ responses: { 200: field("a"), "4XX": field("b"), default: field("c") } })
    const body = { a: "a", b: "b", c: "c" }
    expect([200, 404, 500].map((status) => [...ask(status)!.valuesOf(body)])).toEqual([["a"], ["b"], ["c"]])
  })

  it("marks nothing if its status is undocumented", async () => {
    const ask = await asking({ responses: { 200: json(password) } })
    expect(ask(201)).toBeUndefined()
  })

  it("is found by its media type, or any if that is undocumented", async () => {
    const content = {
      "application/json": { schema: { properties: { a: password } } },
      "text/*": { schema: password },
      "application/vnd.x+json": { schema: { properties: { b: password, c: {} } } },
    }
    const ask = await asking({ version: "3.1", responses: { 200: { description: "", content } } })
    const body = { a: "a", b: "b", c: "c" }
    expect([...ask(200, "application/json; charset=utf-8")!.valuesOf(body)]).toEqual(["a"])
    expect([...ask(200, "text/plain")!.valuesOf("t")]).toEqual(["t"])
    expect([...ask(200, "application/vnd.x+json")!.valuesOf(body)]).toEqual(["b"])
    expect(new Set(ask(200, "application/octet-stream")!.valuesOf(body))).toEqual(new Set(["a", "b", "c"]))
  })

  it("is read once for a status and a media type", async () => {
    const ask = await asking({ responses: { 200: json(password) } })
    expect(ask(200, "application/json; x=1")).toBe(ask(200, "application/json; x=2"))
  })

  it.each(["2.0", "3.0"] as const)("names the headers whose values are secret (%s)", async (version) => {
    const headers = {
      "X-Token": { schema: { type: "string", format: "password" } },
      "X-Codes": { schema: { type: "array", items: password }, style: "pipeDelimited" },
      "X-Other": { schema: { type: "string" } },
      "X-Text": { content: { "application/json": { schema: { properties: { a: password } } } } },
    }
    const { "X-Text": _, ...flat } = headers
    const response = { description: "", headers: version === "2.0" ? flat : headers }
    const fields = (await asking({ version, responses: { 200: response } }))()
    expect([...fields!.headers]).toEqual(["x-token", "x-codes", ...(version === "2.0" ? [] : ["x-text"])])
    expect([...fields!.valuesOf("body")]).toEqual([])
  })
})

describe("recursive schemas", () => {
  it("end where schemas refer to themselves", async () => {
    const schemas = {
      A: { allOf: [ref("B"), ref("A")], properties: { next: ref("A") } },
      B: { anyOf: [ref("A"), { properties: { key: password } }] },
      Round: { $ref: "#/components/schemas/Round" },
      Open: { anyOf: [ref("Open"), ref("Round")], properties: { next: ref("Open") } },
    }
    expect(await secretsIn({ key: "1", next: { key: "2" } }, ref("A"), { schemas })).toEqual(["1", "2"])
    expect(await secretsIn({ next: { key: "2" } }, ref("Open"), { schemas })).toBeUndefined()
  })

  it("cover a value of 100,000 levels", async () => {
    let body: JsonValue = { key: "deep" }
    for (let level = 0; level < 100_000; level++) body = { next: [body] }
    const node = { properties: { key: password, next: { type: "array", items: ref("Node") } } }
    expect(await secretsIn(body, ref("Node"), { schemas: { Node: node } })).toEqual(["deep"])
    expect(await secretsIn(body, password)).toEqual(["deep"])
  })

  it.each(["3.0.0", "3.1.0"])(
    "may have 10,000 levels, with a reference from each (%s)",
    async (openapi) => {
      let schema: JsonValue = password
      let body: JsonValue = "deep"
      for (let level = 0; level < 10_000; level++) {
        schema = { properties: { a: schema, b: { $ref: "#/components/schemas/Key" } } }
        body = { a: body, b: "key" }
      }
      const paths = { "/a": { get: { responses: { 200: json(schema) } } } }
      const text = stringifyJson({ openapi, paths, components: { schemas: { Key: password } } })
      const { document } = await readDocument({ file: "openapi.json", text })
      const fields = secretFieldsOf(listOperations(document!)[0]!, response)
      expect([...fields!.valuesOf(body)]).toHaveLength(10_001)
    },
    20_000,
  )

  it("are visited once each, however many paths lead there", async () => {
    const levels = Array.from({ length: 30 }, (_, level) => [
      `L${level}`,
      {
        anyOf: [ref(`L${level + 1}`), ref(`L${level + 1}`)],
        properties: { a: ref(`L${level + 1}`), b: ref(`L${level + 1}`) },
      },
    ])
    const schemas = { ...(Object.fromEntries(levels) as JsonObject), L30: { properties: { key: password } } }
    expect(await secretsIn({ a: { b: { key: "1" } }, key: "2", x: "3" }, ref("L0"), { schemas })).toEqual([
      "1",
      "2",
    ])
  })

  it("handle values that reach a new set of schemas at each step", async () => {
    // The n-th letter from the end decides whether a text is secret, which needs 2^n sets of schemas.
    const count = 18
    const steps = Array.from({ length: count }, (_, step) => [
      `S${step}`,
      { properties: { a: ref(`S${step + 1}`), b: ref(`S${step + 1}`) } },
    ])
    const start = { properties: { a: { anyOf: [ref("Start"), ref("S0")] }, b: ref("Start") } }
    const schemas = {
      Start: start,
      ...(Object.fromEntries(steps) as JsonObject),
      [`S${count}`]: { properties: { end: password } },
    }
    let body: JsonValue = { end: "secret" }
    for (let level = 0; level < 40_000; level++)
      body = { [level === count || (level * level) % 7 < 3 ? "a" : "b"]: body }
    expect(await secretsIn(body, ref("Start"), { schemas })).toEqual(["secret"])
  }, 20_000)

  it("reveal a mark beyond the schemas that are searched in advance", async () => {
    const chain = Array.from({ length: 5_000 }, (_, index) => [
      `C${index}`,
      { properties: { a: ref(`C${index + 1}`) } },
    ])
    const schemas = { ...(Object.fromEntries(chain) as JsonObject), C5000: password }
    let body: JsonValue = "far"
    for (let level = 0; level < 5_000; level++) body = { a: body, b: "open" }
    expect(await secretsIn(body, ref("C0"), { schemas })).toEqual(["far"])
  })
})
