import { expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { complaintsOfBody } from "../../testing/judge.ts"
import { holdsInheritedName } from "./validator.ts"

it.each([
  { required: ["a", "constructor"] },
  { items: { properties: { toString: {} } } },
  { dependentRequired: { a: ["valueOf"] } },
  { dependentSchemas: { hasOwnProperty: true } },
  { allOf: [{ properties: JSON.parse('{"__proto__":{}}') as object }] },
])("finds an inherited name in %j", (schema) => {
  expect(holdsInheritedName(schema)).toBe(true)
})

it("finds none in a schema with other names", () => {
  const schema = { required: ["id"], properties: { id: { enum: ["length", "name", null, 1] } }, items: true }
  expect(holdsInheritedName(schema)).toBe(false)
  expect(holdsInheritedName(false)).toBe(false)
})

it.each<[schema: JsonObject, body: JsonValue, complaint: string | undefined]>([
  [{ required: ["valueOf"] }, {}, "/body/valueOf: missing required property"],
  [{ required: ["valueOf"] }, { valueOf: 1 }, undefined],
  [{ properties: { toString: { type: "string" } } }, {}, undefined],
  [
    { properties: { toString: { type: "string" } } },
    { toString: 1 },
    "/body/toString: expected a string, received a number: 1",
  ],
  [
    { properties: { id: {} }, additionalProperties: false },
    { valueOf: 1 },
    "/body/valueOf: unexpected property; the schema doesn't define it",
  ],
  [{ $ref: "#/components/schemas/Named" }, { a: {} }, "/body/a/isPrototypeOf: missing required property"],
])("%j checks only own properties of %j", async (schema, body, complaint) => {
  const Named = { properties: { a: { $ref: "#/components/schemas/Careful" } } }
  const components = { schemas: { Named, Careful: { required: ["isPrototypeOf"] } } }
  expect(await complaintsOfBody({ schema, components }, body)).toEqual(
    complaint === undefined ? [] : [complaint],
  )
})
