import { expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { partAt } from "../document/part.ts"
import { createSchemaChecker } from "../schema/validate/schema-checker.ts"
import { describeVersions, documentOf, type Version } from "../testing/document-of.ts"

const pointer = "/x-schema"

/** Returns how a request with this value violates the contract. */
async function violations(
  version: Version,
  schema: JsonObject,
  value: JsonValue,
): Promise<readonly string[]> {
  const document = await documentOf({ version, "x-schema": schema })
  const checkSchema = createSchemaChecker("request")
  const problems = checkSchema(partAt(document, pointer)!, [value], "/body")
  return problems.map(
    (problem) => `${problem.path}: ${problem.message} (${problem.schema?.slice(pointer.length)})`,
  )
}

describeVersions("a schema of what requests send", (version) => {
  const order = {
    type: "object",
    required: ["id", "sku", "pin"],
    properties: {
      id: { type: "integer", readOnly: true },
      sku: { type: "string" },
      pin: { type: "string", writeOnly: true },
    },
  }

  it("requires write-only properties, but not read-only ones", async () => {
    expect(await violations(version, order, { sku: "a" })).toEqual([
      "/body/pin: missing required property (/required)",
    ])
    expect(await violations(version, order, { sku: "a", pin: "1" })).toEqual([])
  })

  it("rejects read-only properties, also below lists and references", async () => {
    const id = "/body/0/id: expected nothing (the property is read-only), received a number: 7"
    expect(await violations(version, { items: order }, [{ sku: "a", pin: "1", id: 7 }])).toEqual([
      `${id} (/items/properties/id/readOnly)`,
    ])
    const referred = {
      items: { properties: { id: { $ref: "#/x-schema/x-id" } } },
      "x-id": { readOnly: true },
    }
    expect(await violations(version, referred, [{ id: 7 }])).toEqual([
      `${id} (/items/properties/id/readOnly)`,
    ])
  })

  it("accepts a body that is marked read-only, because the mark applies only to properties", async () => {
    expect(await violations(version, { type: "object", readOnly: true }, {})).toEqual([])
  })
})
