import { expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { partAt, WrittenPart } from "../document/part.ts"
import { schemaType } from "../schema/types/schema-type.ts"
import { createSchemaChecker } from "../schema/validate/schema-checker.ts"
import { describeVersions, documentOf } from "../testing/document-of.ts"
import { scalarReadings } from "../schema/validate/text-readings.ts"
import { plainTests } from "./operation-contract.ts"

const texts = [
  "0 -0 00 1 -1 5 10 1.5 -1.50 1e2 1e400 .5 +1 999999999999999 9007199254740993 2147483648",
  "a ab abc abcdef \u{1f600} \u{1f600}b true false null True",
  "2026-11-21 2026-13-21 a@b.example 5fb6b2c6-0f3c-4a2b-9a52-0d5a3f6ac1f7 127.0.0.1",
]
  .flatMap((line) => line.split(" "))
  .concat("", " ")

const schemas: readonly JsonObject[] = [
  ...["string", "integer", "number", "boolean"].map((type) => ({ type })),
  ...["int32", "int64", "double"].map((format) => ({ type: "integer", format })),
  ...["date", "date-time", "email", "uuid", "ipv4", "own"].map((format) => ({ type: "string", format })),
  { type: "integer", minimum: 1, maximum: 5 },
  { type: "number", minimum: -1, maximum: 1.5 },
  { type: "integer", maximum: 9007199254740993n },
  { type: "string", minLength: 1 },
  { type: "string", minLength: 2, maxLength: 3 },
  { type: "string", maxLength: 1 },
  { type: "string", enum: ["a", "true", "1"] },
  { type: "integer", enum: [1, 5, 9007199254740993n] },
  { type: "string", enum: [1, true, null] },
  { type: "boolean", enum: [true] },
]

describeVersions("a short cut", (version) => {
  it("accepts nothing that the validator rejects, and saves it most of its work", async () => {
    let plainlyGood = 0
    let good = 0
    for (const schema of schemas) {
      const document = await documentOf({ version, "x-schema": schema })
      const part = partAt(document, "/x-schema")!
      const { value: test = () => false } = plainTests(part)
      const checker = createSchemaChecker("request")
      const type = schemaType(part, "request")
      for (const text of texts) {
        const isGood = scalarReadings(text, type).some((one) => checker.check(part, [one], "").length === 0)
        if (test(text))
          expect(
            isGood,
            `${text} of ${JSON.stringify(schema, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one))}`,
          ).toBe(true)
        if (test(text)) plainlyGood++
        if (isGood) good++
      }
    }
    expect(plainlyGood / good).toBeGreaterThan(0.7)
  })

  it.each<[what: string, schema: JsonObject]>([
    ["a pattern", { type: "string", pattern: "^a$" }],
    ["alternatives", { type: "integer", oneOf: [{ minimum: 1 }, { maximum: 5 }] }],
    ["several types", { type: ["integer", "string"] }],
    ["an exclusive limit", { type: "integer", minimum: 1, exclusiveMinimum: true }],
    ["a list with a maximum length", { type: "array", maxItems: 2, items: { type: "integer" } }],
    ["nested lists", { type: "array", items: { type: "array", items: {} } }],
    ["no type", {}],
  ])("leaves %s to the validator", async (_, schema) => {
    const document = await documentOf({ version })
    expect(plainTests(new WrittenPart(document, schema, "/x-schema"))).toEqual({})
  })

  it("follows references, except those with siblings from 3.1 on", async () => {
    const document = await documentOf({ version, "x-id": { type: "integer" } })
    const test = (schema: JsonObject) => plainTests(new WrittenPart(document, schema, "/x-schema"))
    expect(test({ $ref: "#/x-id" }).value?.("1")).toBe(true)
    expect(test({ type: "array", items: { $ref: "#/x-id" } }).item?.("x")).toBe(false)
    const isOld = version === "2.0" || version === "3.0"
    expect(test({ $ref: "#/x-id", minimum: 5 }).value?.("1")).toBe(isOld ? true : undefined)
  })
})
