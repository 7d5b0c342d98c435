import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { describeVersions, documentOf, type Version } from "../testing/document-of.ts"
import { inferResources } from "./infer-resources.ts"
import type { Resource } from "./resource-model.ts"

const text: JsonObject = { type: "string" }
const object = (properties: JsonObject): JsonObject => ({ type: "object", properties })
const order = object({ id: text, note: text })

const answers = (status: string, schema?: JsonObject): JsonObject => ({
  responses: {
    [status]: { description: "d", ...(schema && { content: { "application/json": { schema } } }) },
  },
})
const path = (...names: readonly string[]): JsonObject => ({
  parameters: names.map((name) => ({ name, in: "path", required: true, schema: text })),
})

/** Formats a resource: `orders /orders /orders/{id}: create POST body.id`. */
const show = ({ name, collectionPath, itemPath, parent, roles }: Resource): string =>
  [
    `${name} ${collectionPath ?? "-"} ${itemPath ?? "-"}${parent === undefined ? "" : ` in ${parent.name}`}:`,
    ...Object.entries(roles).map(
      ([role, { operation, identifier }]) => `${role} ${operation.method} ${identifier?.join(".") ?? "?"}`,
    ),
  ].join(" ")

async function resourcesOf(paths: JsonObject, version: Version = "3.1"): Promise<readonly string[]> {
  return inferResources(await documentOf({ version, paths })).resources.map(show)
}

describeVersions("the resources of a document", (version) => {
  it("have roles by path and method, and the identifier in their responses", async () => {
    const paths = {
      "/orders": {
        get: answers("200", object({ items: { type: "array", items: order } })),
        post: answers("201", order),
      },
      "/orders/{orderId}": {
        ...path("orderId"),
        get: answers("200", order),
        patch: answers("200", order),
        delete: answers("204"),
      },
      "/orders/{orderId}/cancel": { ...path("orderId"), post: answers("200", order) },
    }
    expect(await resourcesOf(paths, version)).toEqual([
      "orders /orders /orders/{orderId}: create POST id read GET id list GET items.0.id update PATCH id delete DELETE ?",
    ])
  })
})

describe("the resources of a document", () => {
  it("belong to the resource whose item path is above, whatever the parameter's name", async () => {
    const paths = {
      "/users/{id}": { ...path("id"), get: answers("200", order) },
      "/users/{userId}/posts": { ...path("userId"), post: answers("201", order) },
      "/users/{userId}/posts/{post_id}": { ...path("userId", "post_id"), get: answers("200", order) },
    }
    expect(await resourcesOf(paths)).toEqual([
      "users - /users/{id}: read GET id",
      "posts /users/{userId}/posts /users/{userId}/posts/{post_id} in users: create POST id read GET id",
    ])
  })

  it("may be created below another resource than they are read", async () => {
    const paths = {
      "/orders/{orderId}": { ...path("orderId"), get: answers("200", order) },
      "/orders/{orderId}/returns": { ...path("orderId"), post: answers("201", order) },
      "/returns/{returnId}": { ...path("returnId"), get: answers("200", order) },
    }
    expect(await resourcesOf(paths)).toEqual([
      "orders - /orders/{orderId}: read GET id",
      "returns /orders/{orderId}/returns /returns/{returnId} in orders: create POST id read GET id",
    ])
  })

  it.each([
    ["orderId", ["id", "note"], "id"],
    ["order_uuid", ["id", "uuid"], "uuid"],
    ["task_gid", ["gid", "id"], "gid"],
    ["order", ["slug", "note"], "slug"],
    ["sku", ["id", "sku"], "sku"],
    ["id", ["orderId", "note"], "orderId"],
    ["id", ["order_id"], "order_id"],
    ["owner", ["id"], "?"],
  ])("are identified by {%s} in %j: %s", async (parameter, fields, field) => {
    const item = object(Object.fromEntries(fields.map((name) => [name, text])))
    const paths = { [`/orders/{${parameter}}`]: { ...path(parameter), get: answers("200", item) } }
    expect(await resourcesOf(paths)).toEqual([`orders - /orders/{${parameter}}: read GET ${field}`])
  })

  it.each([
    ["namespaces", "namespace_id", { namespace: text, label: text }, "namespace"],
    ["floating_ips", "floating_ip", { ip: text, region: object({}) }, "ip"],
    ["subscription_schedules", "schedule", { id: text, phase: text }, "id"],
    ["domains", "domain", { domain: object({ id: text }) }, "domain.id"],
  ])("%s are identified by {%s} in %j: %s", async (name, parameter, fields, field) => {
    const paths = { [`/${name}/{${parameter}}`]: { ...path(parameter), get: answers("200", object(fields)) } }
    expect(await resourcesOf(paths)).toEqual([`${name} - /${name}/{${parameter}}: read GET ${field}`])
  })

  it("have an identifier only in the responses that describe it", async () => {
    const paths = {
      "/orders": {
        get: answers("200", { type: "array", items: object({ note: text }) }),
        post: answers("201", order),
      },
      "/orders/{orderId}": { ...path("orderId"), get: answers("200", order) },
    }
    expect(await resourcesOf(paths)).toEqual([
      "orders /orders /orders/{orderId}: create POST id read GET id list GET ?",
    ])
  })

  it("are not identified by a parameter that chooses one of a few words", async () => {
    const section = { name: "section", in: "path", required: true, schema: { enum: ["guides", "reference"] } }
    const paths = {
      "/categories": { post: answers("201", object({ title: text, section: text })) },
      "/categories/{section}": {
        parameters: [section],
        get: answers("200", { type: "array", items: object({ title: text }) }),
      },
    }
    expect(await resourcesOf(paths)).toEqual([
      "categories /categories -: create POST ?",
      "categories /categories/{section} -: list GET ?",
    ])
  })

  it("are found in wrappers", async () => {
    const paths = {
      "/orders": {
        get: answers(
          "200",
          object({ meta: object({ id: text }), data: object({ orders: { type: "array", items: order } }) }),
        ),
        post: answers("201", object({ meta: object({ id: text }), data: order })),
      },
      "/orders/{id}": { ...path("id"), get: answers("200", object({ order })) },
    }
    expect(await resourcesOf(paths)).toEqual([
      "orders /orders /orders/{id}: create POST data.id read GET order.id list GET data.orders.0.id",
    ])
  })

  it("take the identifier from a link first", async () => {
    const post = {
      responses: {
        "201": {
          description: "d",
          content: { "application/json": { schema: object({ id: text, handle: text }) } },
          links: {
            read: { operationId: "readOrder", parameters: { "path.id": "$response.body#/handle" } },
            other: { operationId: "missing", parameters: { id: "$response.body#/id" } },
          },
        },
      },
    }
    const paths = {
      "/orders": { post },
      "/orders/{id}": { ...path("id"), get: { operationId: "readOrder", ...answers("200", order) } },
    }
    expect(await resourcesOf(paths)).toEqual(["orders /orders /orders/{id}: create POST handle read GET id"])
  })

  it("are no single documents, and no actions", async () => {
    const paths = {
      "/settings": { get: answers("200", order), put: answers("200", order) },
      "/login": { post: answers("200", order) },
      "/files/{name}.{ending}": { ...path("name", "ending"), get: answers("200", order) },
    }
    expect(await resourcesOf(paths)).toEqual([])
  })

  it("have the current one in place of an identifier", async () => {
    const paths = {
      "/sessions": { post: answers("201", order) },
      "/sessions/current": { get: answers("200", order), delete: answers("204") },
    }
    expect(await resourcesOf(paths)).toEqual([
      "sessions /sessions /sessions/current: create POST id read GET id delete DELETE ?",
    ])
  })
})
