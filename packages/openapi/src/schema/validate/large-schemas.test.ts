import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { createContractChecker } from "../../create-contract-checker.ts"
import { findOperation } from "../../document/operations.ts"
import { readDocument } from "../../document/read-document.ts"
import { complaintsOfBody } from "../../testing/judge.ts"

const missing = "missing required property"
const wrong = `expected an integer, received a string: "x"`

/** 300 properties, each a different object. */
const wide = (inner: JsonObject): JsonObject => ({
  type: "object",
  properties: Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`p${index}`, inner])),
})

describe("a schema too large to compile in one piece", () => {
  it("is checked against a value like a small one", async () => {
    const inner = { type: "object", required: ["id"], properties: { id: { type: "integer" } } }
    const schema = { ...wide(inner), unevaluatedProperties: false }
    const of31 = (body: JsonValue) => complaintsOfBody({ version: "3.1", schema }, body)
    expect(await of31({ p0: { id: 1 }, p150: { id: 1 }, p299: { id: 1 } })).toEqual([])
    expect(await of31({ p0: { id: "x" }, p150: {}, p299: { id: "x" } })).toEqual([
      `/body/p0/id: ${wrong}`,
      `/body/p150/id: ${missing}`,
      `/body/p299/id: ${wrong}`,
    ])
    expect(await of31({ p299: { id: 1 }, p300: {} })).toEqual([
      "/body/p300: unexpected property; the schema doesn't define it",
    ])
  })

  it("lets its alternatives tell a part apart", async () => {
    const cat = { required: ["kind"], properties: { kind: { const: "cat" }, lives: { type: "integer" } } }
    const dog = { required: ["kind"], properties: { kind: { const: "dog" } } }
    const schema = wide({ oneOf: [cat, dog] })
    const body = { p0: { kind: "dog" }, p299: { kind: "cat", lives: "x" } }
    expect(await complaintsOfBody({ version: "3.1", schema }, body)).toEqual([`/body/p299/lives: ${wrong}`])
  })

  it("may nest deeper than the stack if the value does not", async () => {
    let schema: JsonObject = { type: "object", properties: { id: { type: "integer" } } }
    for (let depth = 0; depth < 4000; depth++)
      schema = { type: "object", properties: { in: schema, id: { type: "integer" } } }
    const body = { in: { in: { id: "x" } } }
    expect(await complaintsOfBody({ version: "3.1", schema }, body)).toEqual([`/body/in/in/id: ${wrong}`])
  })

  it("is compiled only as far as values reach, if aliases expand it from a few lines", async () => {
    const lines = ["x-0: &s0 {type: object, properties: {id: {type: integer}}}"]
    for (let level = 1; level <= 10; level++) {
      const inner = `{a: *s${level - 1}, b: *s${level - 1}}`
      lines.push(`x-${level}: &s${level} {type: object, properties: ${inner}}`)
    }
    const text = `openapi: 3.1.0
${lines.join("\n")}
paths:
  /a:
    get:
      responses:
        200: {content: {application/json: {schema: *s10}}}`
    const { document } = await readDocument({ file: "apis/a/openapi.yaml", text })
    if (document === undefined) throw new Error("the document cannot be read")
    const found = findOperation(document, { operation: "GET /a" })
    if (found.status !== "found") throw new Error(found.message)
    let body: JsonObject = { id: "x" }
    for (let level = 0; level < 10; level++) body = level % 2 === 0 ? { b: body } : { a: body, b: {} }
    const headers = { "content-type": "application/json" }
    const response = { method: "GET", status: 200, headers, body, isWellFormed: true }
    const view = await createContractChecker(document).check({ operation: found.operation, ...response })
    expect(view.problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      `/body${"/a/b".repeat(5)}/id: ${wrong}`,
    ])
  })
})
