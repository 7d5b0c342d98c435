import { describe, expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { describeVersions, documentOf } from "../testing/document-of.ts"
import { findOperation, findOperationByPath, listOperations, slug } from "./operations.ts"
import { parametersOf } from "./parameters.ts"
import { serverUrl } from "./server-url.ts"

const paths: JsonObject = {
  "/orders": {
    parameters: [],
    summary: "not an operation",
    get: { operationId: "listOrders", tags: ["Order Lines", "orders"], summary: "All of them" },
    post: { operationId: "create", tags: ["Orders"] },
  },
  "/carts/{id}": { post: { operationId: "create", tags: ["Carts"] }, delete: {} },
  "/{tenant}/users": { get: {} },
  "/{any}": { get: {} },
  "/shared": { $ref: "#/components/pathItems/Shared" },
  "/broken": { $ref: "#/components/pathItems/Gone" },
  "/odd": 3,
  "x-extension": { get: { operationId: "never" } },
}
const components = { pathItems: { Shared: { head: { operationId: "__proto__", tags: ["x", 1, "x"] } } } }

const document = await documentOf({ version: "3.1", paths, components })

describeVersions("the list of operations", (version, as) => {
  it("lists every operation in document order", async () => {
    const list = listOperations(await documentOf({ version, as, paths, components }))
    expect(list.map(({ name, method, path, resources }) => [name, method, path, resources])).toEqual([
      ["listOrders", "GET", "/orders", ["Order Lines", "orders"]],
      ["create", "POST", "/orders", ["Orders"]],
      ["create", "POST", "/carts/{id}", ["Carts"]],
      ["DELETE /carts/{id}", "DELETE", "/carts/{id}", ["carts"]],
      ["GET /{tenant}/users", "GET", "/{tenant}/users", ["users"]],
      ["GET /{any}", "GET", "/{any}", []],
      ["__proto__", "HEAD", "/shared", ["x"]],
    ])
    expect(list[0]?.summary).toBe("All of them")
  })
})

it("merges a path item with the siblings of its reference, which win", async () => {
  const parameter = (name: string): JsonObject => ({ name, in: "query" })
  const shared = {
    parameters: [parameter("theirs")],
    servers: [{ url: "http://theirs" }],
    get: { operationId: "get" },
    put: { operationId: "put" },
  }
  const joined = await documentOf({
    version: "3.1",
    paths: {
      "/a": { $ref: "#/components/pathItems/Shared", put: { operationId: "own" }, delete: {} },
      "/b": { $ref: "#/components/pathItems/Shared", parameters: [parameter("own")], summary: "x" },
      "/c": { $ref: "#/components/pathItems/Gone", get: { operationId: "beside" } },
    },
    components: { pathItems: { Shared: shared } },
  })
  const found = listOperations(joined).map((operation) => [
    operation.name,
    operation.pointer,
    parametersOf(operation).map(({ name }) => name),
    serverUrl(joined, operation),
  ])
  const place = "/components/pathItems/Shared"
  expect(found).toEqual([
    ["get", `${place}/get`, ["theirs"], "http://theirs"],
    ["own", "/paths/~1a/put", ["theirs"], "http://theirs"],
    ["DELETE /a", "/paths/~1a/delete", ["theirs"], "http://theirs"],
    ["get", `${place}/get`, ["own"], "http://theirs"],
    ["put", `${place}/put`, ["own"], "http://theirs"],
    ["beside", "/paths/~1c/get", [], undefined],
  ])
})

it("supports 3.2's query and additional methods", async () => {
  const found = listOperations(
    await documentOf({ version: "3.2", paths: { "/a": { query: {}, additionalOperations: { COPY: {} } } } }),
  )
  expect(found.map(({ name, pointer }) => [name, pointer])).toEqual([
    ["QUERY /a", "/paths/~1a/query"],
    ["COPY /a", "/paths/~1a/additionalOperations/COPY"],
  ])
})

it("reports which path of a missing operation doesn't resolve", async () => {
  const lost = await documentOf({
    version: "3.1",
    paths: { "/a": { get: {} }, "/b": { $ref: "#/components/pathItems/Gone" } },
  })
  expect(findOperation(lost, { operation: "listThings" })).toEqual({
    status: "unknown",
    code: "operation-unknown",
    message: `the document has no operation "listThings"`,
    hint: `the reference of the path /b does not resolve: the document has nothing at "#/components/pathItems/Gone"`,
  })
})

describe("finding an operation", () => {
  const find = (operation: string, resource?: string) =>
    findOperation(document, { operation, ...(resource === undefined ? {} : { resource }) })
  const place = (operation: string, resource?: string) => {
    const found = find(operation, resource)
    return found.status === "found" ? `${found.operation.method} ${found.operation.path}` : found.status
  }

  it.each([
    ["listOrders", undefined, "GET /orders"],
    ["GET /orders", undefined, "GET /orders"],
    ["get /orders", undefined, "GET /orders"],
    ["listOrders", "Order Lines", "GET /orders"],
    ["listOrders", "order-lines", "GET /orders"],
    ["listOrders", "orders", "GET /orders"],
    ["create", "orders", "POST /orders"],
    ["create", "Carts", "POST /carts/{id}"],
    ["POST /orders", "Orders", "POST /orders"],
    ["DELETE /carts/{id}", "carts", "DELETE /carts/{id}"],
    ["GET /{tenant}/users", "users", "GET /{tenant}/users"],
    ["__proto__", undefined, "HEAD /shared"],
    ["create", undefined, "ambiguous"],
    ["constructor", undefined, "unknown"],
    ["toString", undefined, "unknown"],
    ["GET /Orders", undefined, "unknown"],
    ["never", undefined, "unknown"],
    ["listOrders", "carts", "unknown"],
  ])("%s of %s is %s", (operation, resource, expected) => {
    expect(place(operation, resource)).toBe(expected)
  })

  it("prefers the tag with the exact spelling", async () => {
    const twins = await documentOf({
      paths: {
        "/a": { get: { operationId: "x", tags: ["Pets"] } },
        "/b": { get: { operationId: "x", tags: ["pets"] } },
      },
    })
    const of = (resource: string) => {
      const found = findOperation(twins, { operation: "x", resource })
      return found.status === "found" ? found.operation.path : found.status
    }
    expect(of("Pets")).toBe("/a")
    expect(of("pets")).toBe("/b")
    expect(of("PETS")).toBe("ambiguous")
  })

  it("explains what is unknown", () => {
    expect(find("listOrder")).toEqual({
      status: "unknown",
      code: "operation-unknown",
      message: `the document has no operation "listOrder"`,
      hint: `did you mean "listOrders"?`,
      replacement: { is: "value", from: "listOrder", to: "listOrders" },
    })
    expect(find("GET /order")).toMatchObject({ hint: `did you mean "GET /orders"?` })
    expect(find("listOrders", "carts")).toEqual({
      status: "unknown",
      of: "resource",
      code: "operation-unknown",
      message: `the operation "listOrders" does not belong to the resource "carts"`,
      hint: `it belongs to "Order Lines" and "orders"`,
    })
  })

  it("lists the candidates of an ambiguous name", () => {
    expect(find("create")).toEqual({
      status: "ambiguous",
      code: "operation-unknown",
      message: `several operations are named "create": POST /orders (Orders); POST /carts/{id} (Carts)`,
      hint: `set "resource", or write the operation as "METHOD /path"`,
    })
  })

  it("finds by method and path exactly", () => {
    expect(findOperationByPath(document, "post", "/carts/{id}")?.name).toBe("create")
    expect(findOperationByPath(document, "POST", "/carts/{key}")).toBeUndefined()
    expect(findOperationByPath(document, "GET", "/carts/7")).toBeUndefined()
  })
})

it.each([
  ["Order Lines", "order-lines"],
  ["  Pet / Store! ", "pet-store"],
  ["snake_case", "snake_case"],
  ["Größe", "größe"],
])("turns %j into the slug %j", (tag, expected) => {
  expect(slug(tag)).toBe(expected)
})
