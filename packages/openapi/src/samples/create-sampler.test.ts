import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { requestBodyOf } from "../document/content.ts"
import { parametersOf } from "../document/parameters.ts"
import { partAt } from "../document/part.ts"
import { createSchemaChecker } from "../schema/validate/schema-checker.ts"
import { schemasFolder } from "../schema/schema-graph.ts"
import { describeVersions, documentOf, operationOf, type Version } from "../testing/document-of.ts"
import { createSampler, type Sample, type SamplerOptions } from "./create-sampler.ts"

interface Asked extends Partial<SamplerOptions> {
  readonly version?: Version
  readonly others?: JsonObject
}

async function sampleOf(
  schema: JsonValue,
  { version = "3.1", others = {}, direction = "request", ...options }: Asked = {},
): Promise<Sample> {
  const document = await documentOf({ version, components: { schemas: { ...others, Subject: schema } } })
  const part = partAt(document, `${schemasFolder(document)}/Subject`)!
  const sample = createSampler({ direction, ...options }).sampleSchema(part)
  if (sample.isDecided && options.isTemplate !== true)
    expect(createSchemaChecker(direction)(part, [sample.value], "")).toEqual([])
  return sample
}

const valueOf = async (schema: JsonValue, asked?: Asked): Promise<JsonValue> => {
  const sample = await sampleOf(schema, asked)
  if (!sample.isDecided) throw new Error(`${sample.pointer}: ${sample.reason}`)
  return sample.value
}

const object = (properties: JsonObject, required = Object.keys(properties)): JsonObject => ({
  type: "object",
  required,
  properties,
})

describeVersions("a sample", (version, as) => {
  it("leaves out what the other direction sends, and keeps the limits", async () => {
    const schemas: JsonObject = {
      Order: {
        ...object({
          id: { type: "string", readOnly: true },
          lines: {
            type: "array",
            minItems: 2,
            uniqueItems: true,
            items: { $ref: "#/components/schemas/Line" },
          },
          total: { type: "number", minimum: 0.1, multipleOf: 0.25 },
          status: { type: "string", enum: ["new", "paid"] },
        }),
      },
      Line: object({ sku: { type: "string", pattern: "^[A-Z]{3}-\\d{4}$" }, quantity: { type: "integer" } }),
    }
    const document = await documentOf({ version, as, components: { schemas } })
    const order = partAt(document, `${schemasFolder(document)}/Order`)!
    expect(createSampler({ direction: "request" }).sampleSchema(order)).toEqual({
      isDecided: true,
      value: {
        lines: [
          { sku: "ABC-5678", quantity: 1 },
          { sku: "BCD-6789", quantity: 2 },
        ],
        total: 1,
        status: "new",
      },
    })
    const answer = createSampler({ direction: "response" }).sampleSchema(order)
    expect(answer).toMatchObject({ isDecided: true, value: { id: "id" } })
  })
})

describe("the choice of a value", () => {
  it("takes the example, then the default, then the first allowed value", async () => {
    const schema = { type: "string", enum: ["a", "b", "c"] }
    expect(await valueOf({ ...schema, default: "b", examples: ["c"] })).toBe("c")
    expect(await valueOf({ ...schema, default: "b" })).toBe("a")
    expect(await valueOf({ type: "string", default: "b" })).toBe("b")
    expect(await valueOf(schema)).toBe("a")
    expect(await valueOf({ const: 5 })).toBe(5)
  })

  it("takes the first allowed value of the examples, not of the list", async () => {
    const example = { status: "paid" }
    const status = { type: "string", enum: ["new", "sent", "paid"], example: "sent" }
    expect(await valueOf({ ...object({ status }), example })).toEqual(example)
  })

  it("reads a number in an example as a text, and digits in a text as a number", async () => {
    const schema = object({
      id: { type: "string", example: 10_400 },
      count: { type: "integer", example: "12" },
      size: { type: "integer", example: "small" },
    })
    expect(await valueOf(schema)).toEqual({ id: "10400", count: 12, size: 1 })
  })

  it("replaces only the part of an example that is wrong", async () => {
    const schema = {
      ...object({ name: { type: "string" }, age: { type: "integer" } }),
      example: { name: "Ann", age: "x" },
    }
    expect(await valueOf(schema)).toEqual({ name: "Ann", age: 1 })
  })

  it("takes optional properties from examples, all of them, or none", async () => {
    const schema = {
      ...object({ a: { type: "string" }, b: { type: "string" }, c: { type: "string" } }, ["a"]),
      example: { b: "given" },
    }
    expect(await valueOf(schema)).toEqual({ a: "a", b: "given" })
    expect(await valueOf(schema, { fields: "required" })).toEqual({ a: "a" })
    expect(await valueOf(schema, { fields: "all" })).toEqual({ a: "a", b: "given", c: "c" })
  })

  it("depends on nothing but the schema and the seed", async () => {
    const schema = object({ name: { type: "string" }, age: { type: "integer", minimum: 0, maximum: 120 } })
    expect(await valueOf(schema)).toEqual(await valueOf(schema))
    expect(await valueOf(schema, { seed: 7 })).toEqual(await valueOf(schema, { seed: 7 }))
    expect(await valueOf(schema, { seed: 7 })).not.toEqual(await valueOf(schema, { seed: 8 }))
  })

  it("takes another branch if the first one leads to no value", async () => {
    const impossible = object({ a: false }, ["a"])
    const possible = object({ b: { type: "string" } })
    expect(await valueOf({ oneOf: [impossible, possible] })).toEqual({ b: "b" })
    expect(await valueOf({ oneOf: [{ type: "integer" }, { type: "integer", minimum: 5 }] })).toBe(1)
    expect(
      await valueOf({
        oneOf: [{ type: "integer", minimum: 1 }, { type: "number", minimum: 1 }, { type: "boolean" }],
      }),
    ).toBe(true)
  })

  it("names the schema that a discriminator chooses", async () => {
    const others = {
      Pet: { ...object({ kind: { type: "string" } }), discriminator: { propertyName: "kind" } },
      Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, object({ lives: { type: "integer" } })] },
      Dog: object({ kind: { type: "string" }, barks: { type: "boolean" } }),
    }
    const pet = object({ pet: { $ref: "#/components/schemas/Pet" } })
    expect(await valueOf(pet, { others })).toEqual({ pet: { kind: "Cat", lives: 1 } })
    const among = {
      oneOf: [{ $ref: "#/components/schemas/Dog" }],
      discriminator: { propertyName: "kind", mapping: { dog: "#/components/schemas/Dog" } },
    }
    expect(await valueOf(among, { others })).toEqual({ kind: "dog", barks: true })
  })
})

describe("a text", () => {
  it.each([
    ["^[a-z]{2,}$", "abc"],
    ["^\\+?[1-9]\\d{6,14}$", "1234567"],
    ["^(?:red|green)$", "red"],
    ["[A-F0-9]{8}", "12345678"],
    ["^(?=.*[A-Z])(?=.*\\d)(?=.*[^\\w]).{8,}$", "Example1!"],
    ["^\\p{Lu}", "A"],
  ])("matches %s", async (pattern, text) => {
    const minLength = pattern === "^[a-z]{2,}$" ? 3 : 0
    expect(await valueOf({ type: "string", pattern, minLength })).toBe(text)
  })

  it.each(
    [
      "date-time date time duration email hostname ipv4 ipv6 uri uuid byte password unknown".split(" "),
    ].flat(),
  )("has the format %s", async (format) => {
    expect(typeof (await valueOf({ type: "string", format }))).toBe("string")
  })

  it("is as long as it must be", async () => {
    expect(await valueOf({ type: "string", minLength: 20, maxLength: 20 })).toHaveLength(20)
    expect(await valueOf({ type: "string", maxLength: 2 })).toHaveLength(2)
    expect(await valueOf({ type: "string", maxLength: 0 })).toBe("")
  })
})

describe("a number", () => {
  it.each<[JsonObject, JsonValue]>([
    [{ type: "integer" }, 1],
    [{ type: "integer", minimum: 10 }, 10],
    [{ type: "integer", exclusiveMinimum: 10 }, 11],
    [{ type: "integer", maximum: -3 }, -3],
    [{ type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
    [{ type: "number", multipleOf: 0.01, minimum: 9.995 }, 10],
    [{ type: "integer", multipleOf: 7, minimum: 8 }, 14],
  ])("keeps to %j", async (schema, value) => {
    expect(await valueOf(schema)).toBe(value)
  })
})

it("keeps integers that a double would round", async () => {
  expect(await valueOf({ type: "integer", minimum: 9007199254740993n })).toBe(9007199254740993n)
})

describe("a template", () => {
  const asked = { isTemplate: true }

  it("has a placeholder where the schema or the name says that a text is unique", async () => {
    const schema = object({
      requestKey: { type: "string", format: "uuid" },
      email: { type: "string", format: "email" },
      sku: { type: "string", maxLength: 50 },
      code: { type: "string", description: "Must be unique." },
      username: { type: "string", maxLength: 8 },
      note: { type: "string" },
    })
    expect(await valueOf(schema, asked)).toEqual({
      requestKey: "{{$uuid}}",
      email: "{{$uuid}}@example.com",
      sku: "sku-{{$uuid}}",
      code: "code-{{$uuid}}",
      username: "username",
      note: "note",
    })
  })

  it("has a placeholder in a further field that must be unique, after an example of words", async () => {
    const unique = (name: JsonObject) =>
      valueOf(object({ name, inner: object({ name: { type: "string" } }) }), {
        isTemplate: true,
        uniqueField: "name",
      })
    const inner = { name: "name" }
    expect(await unique({ type: "string" })).toEqual({ name: "name-{{$uuid}}", inner })
    expect(await unique({ type: "string", example: "stable" })).toEqual({ name: "stable-{{$uuid}}", inner })
    expect(await unique({ type: "string", example: "My team" })).toEqual({ name: "My team {{$uuid}}", inner })
    expect(await unique({ type: "string", example: "example.com" })).toEqual({
      name: "{{$uuid}}.example.com",
      inner,
    })
    expect(await unique({ type: "string", example: "v1.2" })).toEqual({ name: "name-{{$uuid}}", inner })
    expect(await unique({ type: "string", maxLength: 8, example: "stable" })).toEqual({
      name: "stable",
      inner,
    })
  })

  it("escapes the braces of the document", async () => {
    const example = String.raw`a {{x}} b \{{y}} {`
    expect(await valueOf({ type: "string", example }, asked)).toBe(String.raw`a \{{x}} b \\\{{y}} {`)
  })
})

describe("a hostile schema", () => {
  const undecided = async (schema: JsonValue, asked?: Asked): Promise<string> => {
    const sample = await sampleOf(schema, asked)
    return sample.isDecided ? JSON.stringify(sample.value) : sample.reason
  }

  it("is undecided, with a reason", async () => {
    const self = { $ref: "#/components/schemas/Subject" }
    expect(await undecided({ type: "string", pattern: "^(a)\\1$" })).toBe(
      "no text was found for the pattern ^(a)\\1$",
    )
    expect(await undecided({ type: "string", minLength: 1e9 })).toBe("no value was found for its rules")
    expect(await undecided({ type: "array", minItems: 1e9, items: {} })).toBe("it needs more than 1000 items")
    expect(await undecided(object({ child: self }))).toBe("its schema requires itself without end")
    expect(await undecided({ allOf: [self] })).toMatch("without end")
    expect(await undecided({ $ref: "#/components/schemas/Missing" })).toBe(
      "nothing is at #/components/schemas/Missing",
    )
    expect(await undecided(false)).toBe("the schema allows no value")
    expect(await undecided({ type: "string", allOf: [{ type: "integer" }] })).toBe(
      "its types contradict each other",
    )
    expect(await undecided({ type: "string", pattern: "(a+)+$", minLength: 20_000 })).toMatch(
      "no text was found",
    )
  })

  it("takes a bounded time, however many choices nest", async () => {
    const self = { $ref: "#/components/schemas/Subject" }
    const branch = (name: string) => object({ [name]: self, wrong: false })
    const started = performance.now()
    await undecided({ anyOf: Array.from({ length: 30 }, (_, at) => branch(`p${at}`)) })
    expect(performance.now() - started).toBeLessThan(5_000)
  })

  it("keeps names that every object has", async () => {
    const schema = JSON.parse(
      '{"type":"object","required":["__proto__","constructor"],"properties":{"__proto__":{"type":"string"},"constructor":{"type":"integer"}}}',
    ) as JsonObject
    const value = await valueOf(schema)
    expect(JSON.stringify(value)).toBe('{"__proto__":"proto","constructor":1}')
  })

  it("ends a tree at its first optional repetition", async () => {
    const tree = object(
      {
        name: { type: "string" },
        children: { type: "array", items: { $ref: "#/components/schemas/Subject" } },
      },
      [],
    )
    expect(await valueOf(tree, { fields: "all" })).toEqual({ name: "name", children: [{}] })
  })
})

describe("a parameter and a body", () => {
  it("take the examples beside their schemas", async () => {
    const { operation } = await operationOf(
      {
        parameters: [
          { name: "page", in: "query", example: 3, schema: { type: "integer" } },
          { name: "sort", in: "query", examples: { up: { value: "asc" } }, schema: { type: "string" } },
          {
            name: "filter",
            in: "query",
            content: { "application/json": { schema: object({ a: { type: "string" } }) } },
          },
        ],
        requestBody: {
          content: {
            "application/json": {
              examples: { one: { value: { a: "z" } } },
              schema: object({ a: { type: "string" } }),
            },
          },
        },
        responses: {},
      },
      { method: "post" },
    )
    const sampler = createSampler({ direction: "request" })
    const values = parametersOf(operation).map((one) => sampler.sampleParameter(one))
    expect(values.map((one) => one.isDecided && one.value)).toEqual([3, "asc", { a: "a" }])
    expect(sampler.sampleMedia(requestBodyOf(operation)!.content[0]!)).toEqual({
      isDecided: true,
      value: { a: "z" },
    })
  })

  it("are undecided without a schema", async () => {
    expect(createSampler({ direction: "request" }).sampleMedia({ name: "application/json" })).toEqual({
      isDecided: false,
      pointer: "",
      reason: "the document has no schema for it",
    })
  })
})
