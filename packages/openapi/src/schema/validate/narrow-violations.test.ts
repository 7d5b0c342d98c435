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
    "for %s, reports violations of the alternative that a property selects",
    async (keyword) => {
      const schema = { items: { [keyword]: refs } }
      expect(await complaintsOfBody({ version, as, schema, components }, [{ kind: "dog", bark: 1 }])).toEqual(
        ["/body/0/bark: expected a string, received a number: 1"],
      )
    },
  )

  it("does not select an alternative because it says nothing about a property", async () => {
    const other = { type: "object", required: ["name"] }
    const schema = { oneOf: [{ $ref: "#/components/schemas/Cat" }, other] }
    expect(await complaintsOfBody({ version, as, schema, components }, { kind: "cow", claws: 1 })).toEqual([
      "/body: matches none of the 2 documented alternatives; the closest is Cat",
      `/body/kind: expected "cat", received "cow"`,
    ])
  })

  it("finds, through references, which values distinguish an alternative", async () => {
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

  it.each(["oneOf", "anyOf"])(
    "for %s, reports violations of the alternative with the value's type",
    async (keyword) => {
      const schema = { [keyword]: [{ type: "string" }, { type: "array", items: { type: "integer" } }] }
      expect(await complaintsOfBody({ version, as, schema }, ["x"])).toEqual([
        `/body/0: expected an integer, received a string: "x"`,
      ])
    },
  )

  it("lists the types if the value has none of them", async () => {
    const schema = { oneOf: [{ type: "string" }, { type: "integer" }, { anyOf: [{ type: "array" }] }] }
    expect(await complaintsOfBody({ version, as, schema }, true)).toEqual([
      "/body: expected a string, an integer or an array, received a boolean: true",
    ])
  })

  it("reports that no alternative fits if all of them forbid everything", async () => {
    const schema = { oneOf: [false, false] }
    const [complaint] = await complaintsOfBody({ version, as, schema }, true)
    expect(complaint).toBe("/body: matches none of the 2 documented alternatives")
  })

  it("reports the closest alternative if none is clearly meant", async () => {
    const schema = { anyOf: [{ required: ["a", "b"] }, { required: ["c"] }] }
    expect(await complaintsOfBody({ version, as, schema }, {})).toEqual([
      "/body: matches none of the 2 documented alternatives; the closest is alternative 2",
      `/body/c: ${missing}`,
    ])
  })

  it("treats the alternative with the value's property names as closest, however deep the violation", async () => {
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

  it("reports in one sentence what several alternatives require of a scalar", async () => {
    const schema = { oneOf: [{ type: "integer" }, { format: "date" }, { pattern: "^[0-9]{4}$" }] }
    expect(await complaintsOfBody({ version, as, schema }, "20x5")).toEqual([
      `/body: expected a date (RFC 3339), or a match of the pattern ^[0-9]{4}$, received "20x5"`,
    ])
  })

  it("fails a value that matches several schemas of oneOf", async () => {
    const schema = { oneOf: [{ type: "integer" }, { type: "number" }] }
    expect(await complaintsOfBody({ version, as, schema }, 1)).toEqual([
      "/body: expected a match of exactly one of the 2 documented alternatives, received a match of alternative 1 and alternative 2",
    ])
  })

  it("keeps the other violations next to a failed alternative", async () => {
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

  it("checks a value against the branch that its discriminator names", async () => {
    expect(await complaintsOfBody(discriminated(), { kind: "Cat", lives: "nine" })).toEqual([
      `/body/lives: expected an integer, received a string: "nine"`,
    ])
    const mapped = discriminated({ puss: "#/components/schemas/Cat", rex: "Dog" })
    expect(await complaintsOfBody(mapped, { kind: "puss", lives: 9 })).toEqual([])
    expect(await complaintsOfBody(mapped, { kind: "rex", lives: 9 })).toEqual([
      "/body/lives: expected a string, received a number: 9",
    ])
  })

  it("checks all branches if the discriminator names none", async () => {
    expect(await complaintsOfBody(discriminated(), { kind: "Mouse", lives: 1 })).toEqual([])
    expect(await complaintsOfBody(discriminated(), { kind: "Mouse" })).toEqual([
      "/body: expected a match of exactly one of the 2 documented alternatives, received a match of Cat and Dog",
    ])
  })

  it("reports the discriminator if the value names no branch and matches none", async () => {
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
    it("keeps the violations of a schema that is one of its own alternatives", async () => {
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

  it("selects the alternative that lists the discriminator's value, if no mapping names it", async () => {
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
