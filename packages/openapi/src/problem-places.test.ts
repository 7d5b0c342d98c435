import { describe, expect, it } from "vitest"
import type { ContractProblem, JsonObject, JsonValue } from "@callsheet/format"
import { describeVersions, type Version } from "./testing/document-of.ts"
import { judge } from "./testing/judge.ts"

/** Returns each problem's path, message and schema location, relative to the body's schema. */
async function problemsOf(
  {
    version,
    as,
    schema,
    schemas = {},
  }: { version: Version; as: "json" | "yaml"; schema: JsonValue; schemas?: JsonObject },
  body: JsonValue,
) {
  const { problems } = await judge({ version, as, schema, components: { schemas } }, { body })
  const content = version === "2.0" ? "" : "/content/application~1json"
  const start = `/paths/~1items/get/responses/200${content}/schema`
  return problems.map(({ path, message, schema: at, file, line }: ContractProblem) => {
    expect(file).toBe(`apis/t/openapi.${as}`)
    expect(line).toBeGreaterThan(1)
    return `${path} ${message} (${at?.startsWith(start) === true ? at.slice(start.length) : String(at)})`
  })
}

describeVersions("each problem names its place in the response and in the document", (version, as) => {
  const definitions = version === "2.0" ? "/definitions" : "/components/schemas"
  const big = 9007199254740993n
  const object = (properties: JsonObject): JsonObject => ({ type: "object", properties })

  it.each(
    Object.entries<[schema: JsonObject, body: JsonValue]>({
      "/body/a missing required property (/required)": [{ type: "object", required: ["a"] }, {}],
      "/body/a~1b unexpected property; the schema doesn't define it (/additionalProperties)": [
        { type: "object", additionalProperties: false },
        { "a/b": 1 },
      ],
      "/body/id expected 9007199254740993, received 9007199254740992 (/properties/id/enum)": [
        object({ id: { enum: [big] } }),
        { id: 9007199254740992n },
      ],
      "/body/id expected 9007199254740993 or less, received 9007199254740994 (/properties/id/maximum)": [
        object({ id: { type: "integer", maximum: big } }),
        { id: 9007199254740994n },
      ],
      "/body/a expected more than 3, received 3 (/properties/a/exclusiveMinimum)": [
        object({ a: { type: "integer", minimum: 3, exclusiveMinimum: version < "3.1" ? true : 3 } }),
        { a: 3 },
      ],
      "/body/a expected a string or an integer, received a boolean: true (/properties/a/oneOf)": [
        object({ a: { oneOf: [{ type: "string" }, { type: "integer" }] } }),
        { a: true },
      ],
      [`/body/a expected a value that does not match "not" (/properties/a/not)`]: [
        object({ a: { not: { type: "string" } } }),
        { a: "x" },
      ],
      [`/body/1 expected a match of the pattern ^a, received "b" (/items/pattern)`]: [
        { type: "array", items: { pattern: "^a" } },
        ["a", "b"],
      ],
      "/body/x~1a expected a string, received a number: 1 (/patternProperties/^x~1/type)": [
        { patternProperties: { "^x/": { type: "string" } } },
        { "x/a": 1 },
      ],
      [`/body/a expected a string, received a number: 1 (${definitions}/Text/type)`]: [
        object({ a: { $ref: "#/components/schemas/Text" } }),
        { a: 1 },
      ],
      [`/body/a expected 9007199254740993, received 1 (/properties/a/const)`]: [
        object({ a: { const: big } }),
        { a: 1 },
      ],
      [`/body/a expected nothing, received a string: "x" (/properties/a)`]: [
        object({ a: false }),
        { a: "x" },
      ],
    }),
  )("%s", async (problem, [schema, body]) => {
    const contract = { version, as, schema, schemas: { Text: { type: "string" } } }
    expect(await problemsOf(contract, body)).toEqual([problem])
  })

  it("also for a write-only property with a wrong value", async () => {
    const schema = {
      type: "object",
      required: ["pin", "id"],
      properties: { pin: { type: "string", writeOnly: true }, id: { type: "integer", readOnly: true } },
    }
    expect(await problemsOf({ version, as, schema }, { pin: 1 })).toEqual([
      "/body/id missing required property (/required)",
      "/body/pin expected a string, received a number: 1 (/properties/pin/type)",
    ])
  })
})

describe.each<[Version, string]>([
  ["2.0", "x-nullable"],
  ["3.0", "nullable"],
])("null in OpenAPI %s, by %s", (version, nullable) => {
  const Text = { type: "string" }
  const judged = (schema: JsonObject, body: JsonValue) =>
    problemsOf({ version, as: "json", schema, schemas: { Text } }, body)

  it.each<JsonObject>([
    { type: "string", [nullable]: true },
    { type: "string", enum: ["a"], [nullable]: true },
    { $ref: "#/components/schemas/Text", [nullable]: true },
    { allOf: [{ $ref: "#/components/schemas/Text" }], [nullable]: true },
  ])("is allowed for %j, and no other type is", async (schema) => {
    expect(await judged(schema, null)).toEqual([])
    expect((await judged(schema, 1))[0]).toMatch(/^\/body expected .*, received (?:a number: )?1 \(/)
  })

  it("is not allowed if it is false or belongs to another value", async () => {
    expect(await judged({ type: "string", [nullable]: false }, null)).toEqual([
      "/body expected a string, received null (/type)",
    ])
    const schema = { type: "array", items: { type: "string" }, [nullable]: true }
    expect(await judged(schema, [null])).toEqual(["/body/0 expected a string, received null (/items/type)"])
  })
})
