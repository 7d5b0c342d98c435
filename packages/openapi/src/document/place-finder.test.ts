import { describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { createContractChecker } from "../create-contract-checker.ts"
import { listOperations } from "./operations.ts"
import { readDocument } from "./read-document.ts"

const yaml = `openapi: 3.0.0
info: { title: t, version: "1" }
paths:
  /a:
    get:
      responses:
        "200":
          description: ""
          headers:
            X-Total: { required: true, schema: {} }
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Order" }
components:
  schemas:
    Order:
      required: [id]
      patternProperties:
        ^x-: { type: string }
      allOf:
        - $ref: "#/components/schemas/Order/properties/other"
      nullable: true
      properties:
        other:
          description: anything
        count:
          nullable: true
          type: integer
          exclusiveMinimum: true
          minimum: 0
        kind:
          oneOf:
            - { type: string, enum: [a, b] }
            - { type: boolean }
        lines:
          items: { $ref: "#/components/schemas/Gone" }
        code:
          type: string
          pattern: ^(a+)+\\1$
`

async function places(text: string, file: string, response: { status?: number; body?: JsonValue }) {
  const { document, problems } = await readDocument({ file, text })
  const [operation] = document === undefined ? [] : listOperations(document)
  if (document === undefined || operation === undefined) throw new Error(JSON.stringify(problems))
  const view = await createContractChecker(document).check({
    operation,
    method: "GET",
    status: 200,
    headers: { "content-type": "application/json", "x-total": "1" },
    body: {},
    isWellFormed: true,
    ...response,
  })
  return view.problems.map(({ path, schema, file: where, line }) => [path, schema, `${where}:${line}`])
}

const ofYaml = (response: Parameters<typeof places>[2]) => places(yaml, "apis/t/openapi.yaml", response)
const order = "/components/schemas/Order"
const at = (line: number) => `apis/t/openapi.yaml:${line}`

describe("the position of what a response violates", () => {
  it.each<[body: JsonValue, path: string, schema: string, line: number]>([
    [{}, "/body/id", `${order}/required`, 17],
    [{ id: 1, "x-a": 1 }, "/body/x-a", `${order}/patternProperties/^x-/type`, 19],
    [{ id: 1, count: "x" }, "/body/count", `${order}/properties/count/type`, 28],
    [{ id: 1, count: 0 }, "/body/count", `${order}/properties/count/exclusiveMinimum`, 29],
    [{ id: 1, kind: "c" }, "/body/kind", `${order}/properties/kind/oneOf/0/enum`, 33],
    [{ id: 1, kind: 1 }, "/body/kind", `${order}/properties/kind/oneOf`, 33],
    [{ id: 1, lines: [1] }, "/body/lines/0", `${order}/properties/lines/items/$ref`, 36],
    [{ id: 1, code: "a".repeat(40) + "b" }, "/body/code", `${order}/properties/code/pattern`, 39],
  ])("is found for %j", async (body, path, schema, line) => {
    expect(await ofYaml({ body })).toEqual([[path, schema, at(line)]])
  })

  it("is at the operation's responses if the status is undocumented", async () => {
    expect(await ofYaml({ status: 500 })).toEqual([["/status", "/paths/~1a/get/responses", at(7)]])
  })

  it("is found in JSON too", async () => {
    const schema = { properties: { n: { type: "integer" } } }
    const content = { "application/json": { schema } }
    const document = {
      openapi: "3.1.0",
      paths: { "/a": { get: { responses: { "200": { content } } } } },
    }
    const text = JSON.stringify(document, null, 2)
    const line = text.split("\n").findIndex((row) => row.includes('"type"')) + 1
    expect(await places(text, "apis/t/openapi.json", { body: { n: "x" } })).toEqual([
      [
        "/body/n",
        "/paths/~1a/get/responses/200/content/application~1json/schema/properties/n/type",
        `apis/t/openapi.json:${line}`,
      ],
    ])
  })
})
