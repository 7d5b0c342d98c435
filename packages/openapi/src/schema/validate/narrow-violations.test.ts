import { expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { describeVersions } from "../../testing/document-of.ts"
import { complaintsOfBody } from "../../testing/judge.ts"

const missing = "missing required property"

describeVersions("alternatives", (version, as) => {
  const cat = {
    type: "object",
    required: ["kind", "claws"],
    properties: { kind: { enum: ["cat"] }, claws: { type: "integer" } },
  }
  const dog = {
    type: "object",
    required: ["kind", "bark"],
    properties: { kind: { enum: ["dog"] }, bark: { type: "string" } },
  }
  const components = { schemas: { Cat: cat, Dog: dog } }
  const refs = [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]

  it.each(["oneOf", "anyOf"])(
    "tells of %s what breaks the one that was meant by a property",
    async (keyword) => {
      const schema = { items: { [keyword]: refs } }
      expect(await complaintsOfBody({ version, as, schema, components }, [{ kind: "dog", bark: 1 }])).toEqual(
        ["/body/0/bark: expected a string, received a number: 1"],
      )
    },
  )

  it("does not take an alternative for the one that was meant because it says nothing of a property", async () => {
    const other = { type: "object", required: ["name"] }
    const schema = { oneOf: [{ $ref: "#/components/schemas/Cat" }, other] }
    expect(await complaintsOfBody({ version, as, schema, components }, { kind: "cow", claws: 1 })).toEqual([
      "/body: matches none of the 2 documented alternatives; the closest is Cat",
      `/body/kind: expected "cat", received "cow"`,
    ])
  })

  it("finds behind references that an alternative says which values tell it apart", async () => {
    const kinds = {
      schemas: {
        ...components.schemas,
        Kind: { enum: ["cow"] },
        Named: { properties: { kind: { $ref: "#/components/schemas/Kind" } } },
      },
    }
    const cow = {
      allOf: [{ $ref: "#/components/schemas/Named" }, { type: "object", required: ["milk", "name"] }],
    }
    const schema = { oneOf: [{ $ref: "#/components/schemas/Cat" }, cow] }
    expect(
      await complaintsOfBody({ version, as, schema, components: kinds }, { kind: "cow", claws: 1 }),
    ).toEqual([`/body/milk: ${missing}`, `/body/name: ${missing}`])
  })

  it.each(["oneOf", "anyOf"])("tells of %s what breaks the one of the value's type", async (keyword) => {
    const schema = { [keyword]: [{ type: "string" }, { type: "array", items: { type: "integer" } }] }
    expect(await complaintsOfBody({ version, as, schema }, ["x"])).toEqual([
      `/body/0: expected an integer, received a string: "x"`,
    ])
  })

  it("names the types where the value is of none of them", async () => {
    const schema = { oneOf: [{ type: "string" }, { type: "integer" }, { anyOf: [{ type: "array" }] }] }
    expect(await complaintsOfBody({ version, as, schema }, true)).toEqual([
      "/body: expected a string, an integer or an array, received a boolean: true",
    ])
  })

  it("says that none fits where all alternatives forbid everything", async () => {
    const schema = { oneOf: [false, false] }
    const [complaint] = await complaintsOfBody({ version, as, schema }, true)
    expect(complaint).toBe("/body: matches none of the 2 documented alternatives")
  })

  it("tells of the closest where none stands out", async () => {
    const schema = { anyOf: [{ required: ["a", "b"] }, { required: ["c"] }] }
    expect(await complaintsOfBody({ version, as, schema }, {})).toEqual([
      "/body: matches none of the 2 documented alternatives; the closest is alternative 2",
      `/body/c: ${missing}`,
    ])
  })

  it("takes the one for the closest whose names the value has, however deep it breaks it", async () => {
    const schemas = {
      Found: { required: ["data"] },
      Failed: { required: ["error"], properties: { error: { properties: { code: { type: "integer" } } } } },
    }
    const contract = {
      version,
      as,
      components: { schemas },
      schema: { anyOf: [{ $ref: "#/components/schemas/Found" }, { $ref: "#/components/schemas/Failed" }] },
    }
    expect(await complaintsOfBody(contract, { error: { code: "x" } })).toEqual([
      "/body: matches none of the 2 documented alternatives; the closest is Failed",
      `/body/error/code: expected an integer, received a string: "x"`,
    ])
  })

  it("says in one sentence what several ask of a value that has no parts", async () => {
    const schema = { oneOf: [{ type: "integer" }, { format: "date" }, { pattern: "^[0-9]{4}$" }] }
    expect(await complaintsOfBody({ version, as, schema }, "20x5")).toEqual([
      `/body: expected a date (RFC 3339), or a match of the pattern ^[0-9]{4}$, received "20x5"`,
    ])
  })

  it("fails a value that fits several of oneOf", async () => {
    const schema = { oneOf: [{ type: "integer" }, { type: "number" }] }
    expect(await complaintsOfBody({ version, as, schema }, 1)).toEqual([
      "/body: expected a match of exactly one of the 2 documented alternatives, received a match of alternative 1 and alternative 2",
    ])
  })

  it("keeps what else is wrong beside a failed alternative", async () => {
    const schema = { required: ["x"], oneOf: refs }
    expect(
      await complaintsOfBody({ version, as, schema, components }, { kind: "cat", claws: "many" }),
    ).toEqual([`/body/claws: expected an integer, received a string: "many"`, `/body/x: ${missing}`])
  })

  const loose = {
    schemas: {
      Cat: { properties: { lives: { type: "integer" } } },
      Dog: { properties: { lives: { type: "string" } } },
    },
  }
  const discriminated = (mapping?: JsonObject) => ({
    version,
    as,
    components: loose,
    schema: {
      oneOf: refs,
      discriminator: { propertyName: "kind", ...(mapping === undefined ? {} : { mapping }) },
    },
  })

  it("holds a value against the branch that its discriminator names", async () => {
    expect(await complaintsOfBody(discriminated(), { kind: "Cat", lives: "nine" })).toEqual([
      `/body/lives: expected an integer, received a string: "nine"`,
    ])
    const mapped = discriminated({ puss: "#/components/schemas/Cat", rex: "Dog" })
    expect(await complaintsOfBody(mapped, { kind: "puss", lives: 9 })).toEqual([])
    expect(await complaintsOfBody(mapped, { kind: "rex", lives: 9 })).toEqual([
      "/body/lives: expected a string, received a number: 9",
    ])
  })

  it("goes the plain way where the discriminator names no branch", async () => {
    expect(await complaintsOfBody(discriminated(), { kind: "Mouse", lives: 1 })).toEqual([])
    expect(await complaintsOfBody(discriminated(), { kind: "Mouse" })).toEqual([
      "/body: expected a match of exactly one of the 2 documented alternatives, received a match of Cat and Dog",
    ])
  })

  it("tells of the discriminator where the value names no branch, and fits none", async () => {
    const schemas = {
      Cat: { type: "object", required: ["claws"] },
      Dog: { type: "object", required: ["bark"] },
    }
    const schema = { oneOf: refs, discriminator: { propertyName: "kind", mapping: { puss: "Cat" } } }
    const problemsOf = (body: JsonObject) =>
      complaintsOfBody({ version, as, schema, components: { schemas } }, body)
    expect(await problemsOf({ kind: "Mouse" })).toEqual([
      `/body/kind: expected one of "Cat", "Dog", "puss", received "Mouse"`,
    ])
    expect(await problemsOf({})).toEqual([`/body/kind: ${missing}`])
    expect(await problemsOf({ kind: "Mouse", claws: 1 })).toEqual([])
  })

  // 2.0 and 3.0 have no keyword for names.
  if (version === "3.1" || version === "3.2")
    it("keeps what is wrong where a schema is among its own alternatives", async () => {
      const Node = { propertyNames: { $ref: "#/components/schemas/Node" }, pattern: "^x" }
      const contract = {
        version,
        as,
        schema: { $ref: "#/components/schemas/Node" },
        components: { schemas: { Node } },
      }
      expect(await complaintsOfBody(contract, { x: 1 })).toEqual([])
      expect(await complaintsOfBody(contract, { b: 1, c: 1 })).not.toEqual([])
    })

  it("takes the alternative that lists what the discriminator's property holds, where no mapping names it", async () => {
    const schema = { oneOf: refs, discriminator: { propertyName: "kind" } }
    const of = (body: JsonObject) => complaintsOfBody({ version, as, schema, components }, body)
    expect(await of({ kind: "cat", claws: "many" })).toEqual([
      `/body/claws: expected an integer, received a string: "many"`,
    ])
    expect(await of({ kind: "cow", claws: 1 })).toEqual([
      "/body: matches none of the 2 documented alternatives; the closest is Cat",
      `/body/kind: expected "cat", received "cow"`,
    ])
  })
})
