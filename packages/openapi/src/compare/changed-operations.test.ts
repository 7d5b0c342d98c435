import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { documentOf, type Version } from "../testing/document-of.ts"
import { changedOperations } from "./changed-operations.ts"

const order = (more: JsonObject = {}): JsonObject => ({
  type: "object",
  required: ["id", "total"],
  properties: { id: { type: "string" }, total: { type: "number", ...more } },
})

const body = (schema: JsonObject): JsonObject => ({ content: { "application/json": { schema } } })

const operation = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  operationId: "read",
  responses: { "200": { description: "ok", ...body(schema) } },
  ...more,
})

const reference = { $ref: "#/components/schemas/Order" }

async function changed(
  before: JsonObject,
  after: JsonObject,
  versions: readonly [Version, Version] = ["3.0", "3.0"],
): Promise<readonly string[]> {
  const [old, current] = [before, after].map((content, index) =>
    documentOf({ version: versions[index]!, paths: {}, ...content }),
  )
  return changedOperations(await old!, await current!)
}

const shop = (own: JsonObject, schemas: JsonObject = { Order: order() }): JsonObject => ({
  paths: { "/orders": { get: own }, "/health": { get: { responses: {} } } },
  components: { schemas },
})

describe("changedOperations", () => {
  it.each<[string, JsonObject, JsonObject]>([
    ["a reference that becomes its target", shop(operation(reference)), shop(operation(order()))],
    [
      "another name of a component",
      shop(operation(reference)),
      shop(operation({ $ref: "#/components/schemas/Sale" }), { Sale: order() }),
    ],
    [
      "descriptions, examples and extensions",
      shop(operation(reference)),
      shop(operation({ ...reference }, { summary: "s", description: "d", "x-a": 1 }), {
        Order: { ...order({ description: "d", example: 1 }), title: "t" },
      }),
    ],
    [
      "another order",
      shop(operation(reference, { parameters: [parameter("a"), parameter("b")] })),
      shop(operation(reference, { parameters: [parameter("b"), parameter("a")] }), {
        Order: {
          properties: { total: { type: "number" }, id: { type: "string" } },
          required: ["total", "id"],
          type: "object",
        },
      }),
    ],
    [
      "a component that no operation uses",
      shop(operation(reference)),
      shop(operation(reference), { Order: order(), Other: {} }),
    ],
    [
      "a schema that contains itself",
      shop(operation({ $ref: "#/components/schemas/Tree" }), { Tree: tree("Tree") }),
      shop(operation({ $ref: "#/components/schemas/Node" }), { Node: tree("Node") }),
    ],
  ])("ignores %s", async (_, before, after) => {
    expect(await changed(before, after)).toEqual([])
  })

  it.each<[string, JsonObject, JsonObject]>([
    ["a component", shop(operation(reference)), shop(operation(reference), { Order: order({ minimum: 1 }) })],
    [
      "a component behind a cycle",
      shop(operation({ $ref: "#/components/schemas/Tree" }), {
        Tree: tree("Tree"),
        Leaf: { type: "string" },
      }),
      shop(operation({ $ref: "#/components/schemas/Tree" }), {
        Tree: tree("Tree"),
        Leaf: { type: "integer" },
      }),
    ],
    [
      "a parameter of the path",
      shop(operation(reference)),
      {
        ...shop(operation(reference)),
        paths: {
          "/orders": { get: operation(reference), parameters: [parameter("a")] },
          "/health": { get: { responses: {} } },
        },
      },
    ],
    ["an operationId", shop(operation(reference)), shop(operation(reference, { operationId: "list" }))],
    ["tags", shop(operation(reference)), shop(operation(reference, { tags: ["sales"] }))],
    [
      "a request body",
      shop(operation(reference)),
      shop(operation(reference, { requestBody: { ...body(reference), required: true } })),
    ],
    ["a header", shop(operation(reference)), shop(operation(reference, withHeader({ type: "string" })))],
    [
      "a header's schema",
      shop(operation(reference, withHeader({ type: "string" }))),
      shop(operation(reference, withHeader({ type: "integer" }))),
    ],
    [
      "a status",
      shop(operation(reference)),
      shop(operation(reference, { responses: { "201": { description: "ok", ...body(reference) } } })),
    ],
    ["security", shop(operation(reference)), shop(operation(reference, { security: [{ key: [] }] }))],
    [
      "a server",
      shop(operation(reference)),
      shop(operation(reference, { servers: [{ url: "https://b.example.com" }] })),
    ],
    ["the name by which a discriminator selects", pets("Dog"), pets("Hound")],
  ])("finds an operation by %s", async (_, before, after) => {
    expect(await changed(before, after)).toEqual(["GET /orders"])
  })

  it("returns added and removed operations", async () => {
    const one = { paths: { "/a": { get: { responses: {} } } } }
    const other = { paths: { "/b": { get: { responses: {} } } } }
    expect(await changed(one, other)).toEqual(["GET /a", "GET /b"])
  })

  it("returns every operation for another version or other servers", async () => {
    const one = shop(operation(reference))
    expect(await changed(one, one, ["3.0", "3.1"])).toEqual(["GET /orders", "GET /health"])
    expect(await changed(one, { ...one, servers: [{ url: "https://b.example.com" }] })).toHaveLength(2)
  })
})

function parameter(name: string): JsonObject {
  return { name, in: "query", schema: { type: "string" } }
}

function tree(name: string): JsonObject {
  return {
    type: "object",
    properties: {
      children: { type: "array", items: { $ref: `#/components/schemas/${name}` } },
      leaf: { $ref: "#/components/schemas/Leaf" },
    },
  }
}

function withHeader(schema: JsonObject): JsonObject {
  return {
    responses: { "200": { description: "ok", ...body(reference), headers: { "X-Next": { schema } } } },
  }
}

function pets(name: string): JsonObject {
  return shop(operation({ $ref: "#/components/schemas/Pet" }), {
    Pet: {
      type: "object",
      discriminator: { propertyName: "kind" },
      properties: { kind: { type: "string" } },
    },
    [name]: { allOf: [{ $ref: "#/components/schemas/Pet" }, { properties: { a: { type: "string" } } }] },
  })
}
