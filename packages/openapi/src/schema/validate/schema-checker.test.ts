import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { describeVersions } from "../../testing/document-of.ts"
import { complaintsOfBody, type Contract, judge } from "../../testing/judge.ts"

const missing = "missing required property"
const big = 9007199254740993n
const unexpected = "unexpected property; the schema doesn't define it"

/** Returns each violation with the location of its keyword in the body's schema. */
async function placed(contract: Contract, body: JsonValue): Promise<readonly string[]> {
  const { problems } = await judge(contract, { body })
  const schema = /^.*\/schema(?=\/|$)/
  return problems.map(({ path, message, schema: at, line = 0 }) => {
    expect(line).toBeGreaterThan(1)
    return `${path}: ${message} (${at?.replace(schema, "")})`
  })
}

describeVersions("what a body breaks", (version, as) => {
  const definitions = version === "2.0" ? "/definitions" : "/components/schemas"

  it.each<[schema: JsonObject, body: JsonValue, complaint: string]>([
    [{ type: "number" }, "a", `: expected a number, received a string: "a" (/type)`],
    [{ type: "integer" }, 1.5, ": expected an integer, received a number: 1.5 (/type)"],
    [{ type: "string" }, null, ": expected a string, received null (/type)"],
    [{ type: "array" }, {}, ": expected an array, received an object (/type)"],
    [{ type: "object", required: ["a/b"] }, {}, `/a~1b: ${missing} (/required)`],
    [{ type: "object", required: ["constructor"] }, {}, `/constructor: ${missing} (/required)`],
    [
      { properties: { a: {} }, additionalProperties: false },
      { a: 1, "b/c": 2 },
      `/b~1c: ${unexpected} (/additionalProperties)`,
    ],
    [
      { additionalProperties: { type: "integer" } },
      { b: "x" },
      `/b: expected an integer, received a string: "x" (/additionalProperties/type)`,
    ],
    [
      { items: { properties: { p: { type: "number" } } } },
      [{ p: 1 }, { p: "x" }],
      `/1/p: expected a number, received a string: "x" (/items/properties/p/type)`,
    ],
    [
      { patternProperties: { "^x/": { type: "string" } } },
      { "x/a": 1 },
      "/x~1a: expected a string, received a number: 1 (/patternProperties/^x~1/type)",
    ],
    [
      { properties: { a: { $ref: "#/components/schemas/Text" } } },
      { a: 1 },
      `/a: expected a string, received a number: 1 (${definitions}/Text/type)`,
    ],
    [
      { properties: { a: false } },
      { a: "x" },
      `/a: expected nothing, received a string: "x" (/properties/a)`,
    ],
    [
      { properties: { pin: { type: "string", writeOnly: true } } },
      { pin: 1 },
      "/pin: expected a string, received a number: 1 (/properties/pin/type)",
    ],
    [
      { oneOf: [{ type: "string" }, { type: "integer" }] },
      true,
      ": expected a string or an integer, received a boolean: true (/oneOf)",
    ],
    [{ enum: ["a", "b"] }, "c", `: expected one of "a", "b", received "c" (/enum)`],
    [{ enum: [{ a: 1 }] }, { a: 2 }, `: expected {"a":1}, received {"a":2} (/enum)`],
    [{ const: big }, big - 1n, ": expected 9007199254740993, received 9007199254740992 (/const)"],
    [{ minimum: 2 }, 1, ": expected 2 or more, received 1 (/minimum)"],
    [{ maximum: 2 }, 3, ": expected 2 or less, received 3 (/maximum)"],
    [
      { minimum: 3, exclusiveMinimum: version < "3.1" ? true : 3 },
      3,
      ": expected more than 3, received 3 (/exclusiveMinimum)",
    ],
    [{ multipleOf: 0.01 }, 0.001, ": expected a multiple of 0.01, received 0.001 (/multipleOf)"],
    [{ minLength: 2 }, "a", `: expected 2 characters or more, received "a" (/minLength)`],
    [{ maxLength: 1 }, "ab", `: expected 1 character or less, received "ab" (/maxLength)`],
    [{ pattern: "^a" }, "b", `: expected a match of the pattern ^a, received "b" (/pattern)`],
    [{ minItems: 2 }, [1], ": expected 2 items or more, received 1 (/minItems)"],
    [{ maxItems: 0 }, [1], ": expected 0 items or less, received 1 (/maxItems)"],
    [
      { uniqueItems: true },
      [{ a: 1, b: 2 }, 3, { b: 2, a: 1 }],
      ": expected unique items, received equal items at 0 and 2 (/uniqueItems)",
    ],
    [{ minProperties: 1 }, {}, ": expected 1 property or more, received 0 (/minProperties)"],
    [{ maxProperties: 0 }, { a: 1 }, ": expected 0 properties or less, received 1 (/maxProperties)"],
    [{ not: { type: "string" } }, "a", `: expected a value that does not match "not" (/not)`],
    [{ format: "date" }, "1.2.2024", `: expected a date (RFC 3339), received "1.2.2024" (/format)`],
    [
      { type: "integer", format: "int32" },
      2147483648,
      ": expected an integer of 32 bits, received 2147483648 (/format)",
    ],
  ])("%s against %s", async (schema, body, complaint) => {
    const components = { schemas: { Text: { type: "string" } } }
    expect(await placed({ version, as, schema, components }, body)).toEqual([`/body${complaint}`])
  })

  it.each<[schema: JsonObject, body: JsonValue]>([
    [{ type: "integer" }, 2],
    [{ type: "number" }, 2],
    [{ multipleOf: 0.01 }, 19.99],
    [{ multipleOf: 0.01 }, 1e300],
    [{ minLength: 1, maxLength: 1 }, "\u{1f600}"],
    [{ format: "int32" }, "text"],
    [{ format: "password" }, 1],
    [{ format: "hostname" }, "no host name!"],
    [{ type: "string", format: "byte" }, "no base64!"],
    [{ properties: { constructor: { type: "string" }, toString: { type: "string" } } }, {}],
    [{ required: true, minLength: "x", type: "file", enum: [], pattern: 3 }, { anything: 1 }],
    [{ pattern: "^[\\w\\-]+$" }, "a-b"],
    [{ pattern: "(" }, "x"],
    [{ pattern: "^\\p{L}$" }, "é"],
    [
      { example: { type: "string" }, default: { $ref: "#/nowhere" }, enum: [{ $ref: "#/nowhere" }] },
      { $ref: "#/nowhere" },
    ],
    [
      { properties: { $ref: { type: "string" }, enum: { type: "string" }, nullable: { type: "boolean" } } },
      { $ref: "a", enum: "b" },
    ],
  ])("%j accepts %j", async (schema, body) => {
    expect(await complaintsOfBody({ version, as, schema }, body)).toEqual([])
  })

  it("applies patterns of names next to alternatives", async () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      patternProperties: { "^x-": { type: "string" } },
      additionalProperties: false,
      anyOf: [{ type: "object", additionalProperties: { type: "string" } }, { required: ["a"] }],
    }
    expect(await complaintsOfBody({ version, as, schema }, { a: "1", "x-a": "s" })).toEqual([])
    expect(await complaintsOfBody({ version, as, schema }, { "x-a": 1 })).not.toEqual([])
    expect(await complaintsOfBody({ version, as, schema }, { a: "1", b: "2" })).toEqual([
      `/body/b: ${unexpected}`,
    ])
  })

  it("reports every violation", async () => {
    const schema = { type: "object", required: ["a", "b"], properties: { c: { type: "string" } } }
    expect(await complaintsOfBody({ version, as, schema }, { c: 1 })).toEqual([
      `/body/a: ${missing}`,
      `/body/b: ${missing}`,
      "/body/c: expected a string, received a number: 1",
    ])
  })

  it("reports only the length of a long value", async () => {
    const [complaint] = await complaintsOfBody({ version, as, schema: { type: "integer" } }, "x".repeat(81))
    expect(complaint).toBe("/body: expected an integer, received a string of 81 characters")
  })

  it("does not require write-only properties in a response, but allows them", async () => {
    const components = { schemas: { Secret: { type: "string", writeOnly: true } } }
    const schema = {
      required: ["password", "token", "code", "pin", "name", "shown"],
      properties: {
        password: { type: "string", writeOnly: true },
        token: { $ref: "#/components/schemas/Secret" },
        code: { allOf: [{ $ref: "#/components/schemas/Secret" }] },
        // A schema's own mark wins over an included one.
        shown: { readOnly: true, allOf: [{ $ref: "#/components/schemas/Secret" }] },
      },
      allOf: [{ properties: { pin: { writeOnly: true } } }, { required: ["password"] }],
    }
    expect(await complaintsOfBody({ version, as, schema, components }, {})).toEqual([
      `/body/name: ${missing}`,
      `/body/shown: ${missing}`,
    ])
    const body = { name: "a", password: "b", shown: "c" }
    expect(await complaintsOfBody({ version, as, schema, components }, body)).toEqual([])
  })

  it("requires read-only properties", async () => {
    const schema = { required: ["id"], properties: { id: { readOnly: true } } }
    expect(await complaintsOfBody({ version, as, schema }, {})).toEqual([`/body/id: ${missing}`])
  })
})

describeVersions("references between schemas", (version, as) => {
  const tree = { properties: { next: { $ref: "#/components/schemas/Tree" }, id: { type: "integer" } } }
  const contract = {
    version,
    as,
    components: { schemas: { Tree: tree } },
    schema: { $ref: "#/components/schemas/Tree" },
  }

  it("follows recursive schemas to any depth of the value", async () => {
    let body: JsonObject = { id: "x" }
    for (let level = 0; level < 1000; level++) body = { next: body }
    const [complaint] = await complaintsOfBody(contract, body)
    expect(complaint).toBe(`/body${"/next".repeat(1000)}/id: expected an integer, received a string: "x"`)
  })

  it("handles a value nested deeper than the stack", async () => {
    let body: JsonObject = {}
    for (let level = 0; level < 200_000; level++) body = { next: body }
    expect(await complaintsOfBody(contract, body)).toEqual([
      "/body: the value or its schema nests too deep to be checked",
    ])
  })

  it.each([
    "#/components/schemas/Gone",
    "#/components/schemas/Loop",
    "other.yaml#/A",
    "#/%zz",
    "#/components/schemas/List/allOf/x",
  ])("for %s, reports a broken document when a value reaches it", async ($ref) => {
    const schemas = {
      Loop: { $ref: "#/components/schemas/Pool" },
      Pool: { $ref: "#/components/schemas/Loop" },
      List: { allOf: [{}] },
    }
    const broken: Contract = { version, as, components: { schemas }, schema: { properties: { a: { $ref } } } }
    const isSwagger = version === "2.0"
    const content = isSwagger ? "" : "/content/application~1json"
    const at = `#/paths/~1items/get/responses/200${content}/schema/properties/a`
    const written = isSwagger ? $ref.replace("components/schemas", "definitions") : $ref
    expect(await complaintsOfBody(broken, { a: 1 })).toEqual([
      `/body/a: the document's own reference "${written}" (at ${at}) does not resolve`,
    ])
    expect(await complaintsOfBody(broken, { b: 1 })).toEqual([])
  })

  it("follows a long chain of schemas", async () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `S${index}`,
        {
          properties: {
            next: { $ref: `#/components/schemas/S${(index + 1) % 2000}` },
            id: { type: "integer" },
          },
        },
      ]),
    )
    const chain = { version, as, components: { schemas }, schema: { $ref: "#/components/schemas/S0" } }
    expect(await complaintsOfBody(chain, { next: { next: { id: 1 } } })).toEqual([])
  })
})

describe("slow schemas", () => {
  const seconds = async (work: Promise<unknown>): Promise<number> => {
    const started = performance.now()
    await work
    return (performance.now() - started) / 1000
  }

  it("reports a pattern that takes too long, with its position, and gives no verdict", async () => {
    const long = `${"a".repeat(40)}!`
    const slow = { pattern: "^(a+)+\\1$" }
    const said = `the pattern ^(a+)+\\1$ takes too long on a string of 41 characters`
    const schema = {
      properties: { text: { not: slow } },
      patternProperties: { [slow.pattern]: { type: "integer" } },
    }
    expect(await complaintsOfBody({ schema }, { text: long })).toEqual([`/body/text: ${said}`])
    expect(await complaintsOfBody({ schema }, { [long]: 1 })).toEqual([`/body/${long}: ${said}`])
    const broken = { allOf: [{ properties: { id: { type: "integer" } } }, { properties: { text: slow } }] }
    expect(await complaintsOfBody({ schema: broken }, { id: "x", text: long })).toEqual([
      `/body/id: expected an integer, received a string: "x"`,
    ])
  })

  it("gives up on alternatives that double at each level", async () => {
    const branch = { properties: { next: { $ref: "#/components/schemas/Tree" } } }
    const Tree = { oneOf: [branch, { ...branch, minProperties: 0 }] }
    let body: JsonObject = {}
    for (let level = 0; level < 60; level++) body = { next: body }
    const schema = { $ref: "#/components/schemas/Tree" }
    expect(await complaintsOfBody({ schema, components: { schemas: { Tree } } }, body)).toEqual([
      "/body: the schema takes too long on this value",
    ])
  }, 60_000)

  it("explains many failed alternatives in reasonable time", async () => {
    const schema = {
      items: { oneOf: [{ required: ["a"] }, { required: ["b"] }], unevaluatedProperties: false },
    }
    const items = Array.from({ length: 30_000 }, () => ({ c: 1 }))
    const version = "3.1"
    const [first] = await complaintsOfBody({ version, schema }, items.slice(0, 1))
    expect(first).toBe("/body/0: matches none of the 2 documented alternatives; the closest is alternative 1")
    const work = complaintsOfBody({ version, schema }, items)
    expect(await seconds(work)).toBeLessThan(20)
    expect((await work).at(-1)).toBe(": and 59980 more problems")
  }, 60_000)

  it("reports that no alternative fits a value that is too large to search", async () => {
    const items = Array.from({ length: 100_000 }, (_, id) => ({ id }))
    const body = [...items, { id: "x" }]
    const schema = { items: { oneOf: [{ required: ["a"] }, { properties: { id: { type: "integer" } } }] } }
    expect(await complaintsOfBody({ schema }, body)).toEqual([
      "/body/100000: matches none of the 2 documented alternatives",
    ])
  })
})

it("checks a schema that nests deeper than the stack, if the value does not", async () => {
  let schema: JsonObject = {}
  for (let depth = 0; depth < 4000; depth++)
    schema = { type: "object", properties: { in: schema, id: { type: "integer" } } }
  expect(await complaintsOfBody({ schema }, { in: { in: { id: "x" } } })).toEqual([
    `/body/in/in/id: expected an integer, received a string: "x"`,
  ])
})
