import { expect, it } from "vitest"
import { judge } from "../testing/judge.ts"
import { operationOf } from "../testing/document-of.ts"
import { responseRules } from "./response-rules.ts"

const components = {
  schemas: {
    Order: {
      type: "object",
      required: ["id"],
      properties: {
        id: { type: "string", minLength: 2 },
        lines: { type: "array", items: { $ref: "#/components/schemas/Line" } },
        next: { $ref: "#/components/schemas/Order" },
      },
    },
    Line: { allOf: [{ properties: { "a/b": { type: "number", minimum: 1 } } }] },
  },
}
const content = { "application/json": { schema: { $ref: "#/components/schemas/Order" } } }
const headers = { "X-Left": { schema: { type: "integer" } } }
const responses = { "2XX": { description: "", content, headers } }

it("lists every rule that a response violates, at the path where it does", async () => {
  const view = await judge(
    { responses, components },
    {
      headers: { "content-type": "application/json", "x-left": "many" },
      body: { id: "x", lines: [{ "a/b": 0 }, { "a/b": "2" }], next: {} },
    },
  )
  const { operation } = await operationOf(
    { responses },
    { version: "3.0", as: "json", path: "/items", components },
  )
  const listed = responseRules(operation, 200).map(({ path, pointer }) => `${path} ${pointer}`)
  const violated = view.problems.map(({ path, schema }) => `${path.replace(/\/\d+/g, "/*")} ${schema}`)
  expect(violated.length).toBeGreaterThanOrEqual(5)
  for (const each of violated) expect(listed).toContain(each)
})

it("ends although a schema contains itself, and lists nothing for another status", async () => {
  const { operation } = await operationOf(
    { responses },
    { version: "3.0", as: "json", path: "/items", components },
  )
  expect(responseRules(operation, 200).length).toBeLessThan(5_000)
  expect(responseRules(operation, 404)).toEqual([])
})
