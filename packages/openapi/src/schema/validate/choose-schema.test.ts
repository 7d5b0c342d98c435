import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { describeVersions } from "../../testing/document-of.ts"
import { complaintsOfBody } from "../../testing/judge.ts"

const missing = "missing required property"

describeVersions("the discriminator of a base", (version, as) => {
  const written = (mapping?: JsonObject): JsonValue =>
    version === "2.0" ? "kind" : { propertyName: "kind", ...(mapping === undefined ? {} : { mapping }) }
  const base = (mapping?: JsonObject) => ({
    type: "object",
    required: ["kind"],
    properties: { kind: { type: "string" }, friend: { $ref: "#/components/schemas/Pet" } },
    discriminator: written(mapping),
  })
  const extending = (base: string, more: JsonObject) => ({
    allOf: [{ $ref: `#/components/schemas/${base}` }, more],
  })
  const schemas = (mapping?: JsonObject): JsonObject => ({
    Pet: base(mapping),
    Dog: extending("Pet", { required: ["bark"], properties: { bark: { type: "string" } } }),
    Cat: extending("Pet", { required: ["claws"], properties: { claws: { type: "integer" } } }),
    Puppy: extending("Dog", { required: ["age"] }),
    Stone: { type: "object", required: ["weight"] },
  })
  const judged = (
    body: JsonValue,
    schema: JsonObject = { $ref: "#/components/schemas/Pet" },
    mapping?: JsonObject,
  ) => complaintsOfBody({ version, as, schema, components: { schemas: schemas(mapping) } }, body)

  it("checks a value against the schema that it names, and what that includes", async () => {
    expect(await judged({ kind: "Dog", bark: "wow" })).toEqual([])
    expect(await judged({ kind: "Dog", bark: 1 })).toEqual([
      "/body/bark: expected a string, received a number: 1",
    ])
    expect(await judged({ kind: "Cat" })).toEqual([`/body/claws: ${missing}`])
    expect(await judged({ kind: "Puppy" })).toEqual([`/body/bark: ${missing}`, `/body/age: ${missing}`])
    expect(await judged({ kind: "Pet" })).toEqual([])
    expect(await judged({})).toEqual([`/body/kind: ${missing}`])
  })

  it("checks each nested value against its own schema", async () => {
    const body = { kind: "Dog", bark: "wow", friend: { kind: "Cat", claws: 1, friend: { kind: "Dog" } } }
    expect(await judged(body)).toEqual([`/body/friend/friend/bark: ${missing}`])
    const list = { type: "array", items: { $ref: "#/components/schemas/Pet" } }
    expect(await judged([{ kind: "Dog", bark: "a" }, { kind: "Cat" }], list)).toEqual([
      `/body/1/claws: ${missing}`,
    ])
  })

  it("lists the names if a value has none of them", async () => {
    expect(await judged({ kind: "Cow" })).toEqual([
      `/body/kind: expected one of "Dog", "Cat", received "Cow"`,
    ])
  })

  it("chooses among the schemas that extend the response's schema", async () => {
    const dog = { $ref: "#/components/schemas/Dog" }
    expect(await judged({ kind: "Puppy", bark: "a" }, dog)).toEqual([`/body/age: ${missing}`])
    expect(await judged({ kind: "Dog", bark: "a" }, dog)).toEqual([])
    expect(await judged({ kind: "Cat", bark: "a" }, dog)).toEqual([])
    expect(await judged({ kind: "Dog" }, dog)).toEqual([`/body/bark: ${missing}`])
  })

  it("chooses if an unnamed schema includes the base", async () => {
    const schema = { allOf: [{ $ref: "#/components/schemas/Pet" }, { required: ["id"] }] }
    expect(await judged({ kind: "Cat" }, schema)).toEqual([`/body/claws: ${missing}`, `/body/id: ${missing}`])
  })

  // 2.0 has no mapping.
  if (version === "2.0") return

  it("knows the names of its mapping, as references and as names", async () => {
    const mapping = {
      hound: "#/components/schemas/Dog",
      puss: "Cat",
      rock: "Stone",
      gone: "#/components/schemas/Gone",
    }
    const pet = { $ref: "#/components/schemas/Pet" }
    expect(await judged({ kind: "hound" }, pet, mapping)).toEqual([`/body/bark: ${missing}`])
    expect(await judged({ kind: "puss" }, pet, mapping)).toEqual([`/body/claws: ${missing}`])
    expect(await judged({ kind: "Cat" }, pet, mapping)).toEqual([`/body/claws: ${missing}`])
    expect(await judged({ kind: "Cow" }, pet, mapping)).toEqual([
      `/body/kind: expected one of "hound", "puss", "rock", "gone", "Dog", "Cat", received "Cow"`,
    ])
  })

  it("checks a value against both if the schema that it names does not include the base", async () => {
    const pet = { $ref: "#/components/schemas/Pet" }
    const body = { kind: "rock", friend: 1 }
    expect(await judged(body, pet, { rock: "Stone" })).toEqual([
      "/body/friend: expected an object, received a number: 1",
      `/body/weight: ${missing}`,
    ])
  })
})

describe("the discriminator of a base", () => {
  const pet = (more: JsonObject, kind: JsonObject = { type: "string" }) => ({
    Pet: { type: "object", properties: { kind }, discriminator: { propertyName: "kind", ...more } },
    Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { required: ["claws"] }] },
  })
  const judged = (schemas: JsonObject, body: JsonValue, version: "3.0" | "3.2" = "3.2") =>
    complaintsOfBody({ version, schema: { $ref: "#/components/schemas/Pet" }, components: { schemas } }, body)

  it("uses 3.2's default schema for a value that names none", async () => {
    const schemas = pet({ defaultMapping: "Cat" })
    expect(await judged(schemas, { kind: "Cow" })).toEqual([`/body/claws: ${missing}`])
    expect(await judged(schemas, {})).toEqual([`/body/claws: ${missing}`])
  })

  it("allows names that the property's own schema lists", async () => {
    expect(await judged(pet({}, { type: "string", enum: ["CAT"] }), { kind: "CAT" })).toEqual([])
  })

  it("distinguishes nothing if no schema extends it", async () => {
    const { Pet } = pet({})
    expect(await judged({ Pet }, { kind: "Cow" }, "3.0")).toEqual([])
  })

  it("knows the names from x-ms-discriminator-value", async () => {
    const { Pet, Cat } = pet({})
    const schemas = { Pet, Cat: { ...Cat, "x-ms-discriminator-value": "#Zoo.Cat" } }
    expect(await judged(schemas, { kind: "#Zoo.Cat" }, "3.0")).toEqual([`/body/claws: ${missing}`])
    expect(await judged(schemas, { kind: "Cow" }, "3.0")).toEqual([
      `/body/kind: expected "#Zoo.Cat", received "Cow"`,
    ])
  })

  it("counts the chosen schema's properties as evaluated", async () => {
    const schemas = {
      ...pet({}),
      Closed: { allOf: [{ $ref: "#/components/schemas/Pet" }], unevaluatedProperties: false },
      Cat: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { claws: {} } }] },
      Box: {
        properties: { pet: { allOf: [{ $ref: "#/components/schemas/Pet" }], unevaluatedProperties: false } },
      },
    }
    const contract = {
      version: "3.1",
      schema: { $ref: "#/components/schemas/Box" },
      components: { schemas },
    } as const
    expect(await complaintsOfBody(contract, { pet: { kind: "Cat", claws: 1 } })).toEqual([])
    expect(await complaintsOfBody(contract, { pet: { kind: "Cat", wings: 1 } })).toEqual([
      "/body/pet/wings: unexpected property; the schema doesn't define it",
    ])
  })
})
