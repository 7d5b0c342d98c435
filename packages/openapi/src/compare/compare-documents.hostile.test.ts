// Documents that never end or never fit: the comparison still ends, and says what it can't compare.

import { expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { documentOf } from "../testing/document-of.ts"
import { compareDocuments } from "./compare-documents.ts"

const text = { type: "string" }
const whole = { type: "integer" }
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })

async function compare(schema: JsonValue, before: JsonObject, after: JsonObject, other = schema) {
  const read = (body: JsonValue, schemas: JsonObject) =>
    documentOf({
      version: "3.1",
      components: { schemas },
      paths: {
        "/a": {
          get: {
            responses: { "200": { description: "", content: { "application/json": { schema: body } } } },
          },
        },
      },
    })
  const [one, two] = await Promise.all([read(schema, before), read(other, after)])
  return compareDocuments(one, two)
}

const kinds = (changes: Awaited<ReturnType<typeof compare>>) =>
  changes.map(({ kind, path }) => `${kind} ${path}`)

it("ends where references lead in a circle", async () => {
  const circle = { A: ref("B"), B: ref("A") }
  expect(kinds(await compare(ref("A"), circle, { ...circle, B: text }))).toEqual(["type-changed /body"])
  expect(kinds(await compare(ref("A"), circle, circle))).toEqual([])
})

it("ends where schemas include each other", async () => {
  const circle = (schema: JsonObject): JsonObject => ({
    A: { allOf: [ref("B")], properties: { x: schema } },
    B: { allOf: [ref("A")], properties: { y: text } },
  })
  expect(kinds(await compare(ref("A"), circle(text), circle(whole)))).toEqual(["type-changed /body/x"])
})

it("compares schemas in any depth", async () => {
  const deep = (leaf: JsonObject): JsonObject =>
    Array.from({ length: 1000 }).reduce<JsonObject>(
      (inner) => ({ type: "object", properties: { a: inner } }),
      leaf,
    )
  expect(kinds(await compare(deep(text), {}, {}, deep(whole)))).toEqual([
    `type-changed /body${"/a".repeat(1000)}`,
  ])
})

it("compares a union of many branches by their names only", async () => {
  const names = Array.from({ length: 500 }, (_, index) => `N${index}`)
  const union = { oneOf: names.map(ref) }
  const schemas = (schema: JsonObject): JsonObject =>
    Object.fromEntries(names.map((name) => [name, { type: "object", properties: { [name]: schema } }]))
  const changes = kinds(await compare(union, schemas(text), { ...schemas(text), N7: { ...text } }))
  expect(changes).toEqual(["type-changed /body"])
})

it("says which combinations of schemas it doesn't compare", async () => {
  const count = 18
  const schemas = (more: JsonObject): JsonObject =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const inner = (step: number): JsonObject => ({
          allOf: [ref(`Q${(index + 1) % count}`), ref(`Q${(index * 2 + step) % count}`)],
        })
        return [`Q${index}`, { properties: { p: inner(0), q: inner(1), ...(index === 7 ? more : {}) } }]
      }),
    )
  const changes = await compare({ allOf: [ref("Q0"), ref("Q5")] }, schemas({}), schemas({ z: text }))
  expect(new Set(changes.map(({ kind }) => kind))).toEqual(new Set(["property-added", "schema-changed"]))
})

it("ignores keywords with values that make no sense", async () => {
  const schema: JsonObject = {
    type: 5,
    properties: [],
    required: "a",
    enum: {},
    allOf: {},
    oneOf: [1, null, "x"],
    items: 7,
    minimum: "x",
    $ref: 7,
  }
  expect(kinds(await compare(schema, {}, {}, {}))).toEqual([])
})

it("doesn't take the name of a property for one of Object's", async () => {
  const object = (schema: JsonObject): JsonObject =>
    JSON.parse(
      `{"type":"object","properties":{"__proto__":${JSON.stringify(schema)},"constructor":${JSON.stringify(schema)}}}`,
    ) as JsonObject
  expect(kinds(await compare(object(text), {}, {}, object(whole)))).toEqual([
    "type-changed /body/__proto__",
    "type-changed /body/constructor",
  ])
})
