// The result of `operations.read` for one operation, from the handlers that the server calls.

import { describe, expect, it } from "vitest"
import { openProject } from "./open-project.ts"
import { shop } from "./shop.ts"

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

const json = (schema: unknown) => ({ content: { "application/json": { schema } } })

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      put: {
        operationId: "replaceOrder",
        tags: ["orders"],
        summary: "Replaces an order",
        parameters: [
          { name: "dry", in: "query", description: "Only tries.", schema: { type: "boolean" } },
          { name: "x-reason", in: "header", required: true, schema: { enum: ["mistake", "wish"] } },
        ],
        requestBody: { required: true, ...json(ref("Order")) },
        responses: {
          "200": { description: "Replaced.", headers: { "X-Shelf": {} }, ...json(ref("Order")) },
          "4XX": { description: "Refused." },
        },
      },
    },
    "/tree": { get: { operationId: "readTree", responses: { default: json(ref("Tree")) } } },
    "/wide": { get: { operationId: "readWide", responses: { "200": json(ref("Wide")) } } },
  },
  components: {
    schemas: {
      Order: {
        type: "object",
        required: ["sku"],
        properties: {
          sku: { type: "string", description: "As s3cr3t-of-live says." },
          quantity: { type: ["integer", "null"] },
          placedAt: { type: "string", format: "date-time" },
          lines: { type: "array", items: { type: "object", properties: { price: { type: "number" } } } },
        },
      },
      Tree: {
        type: "object",
        properties: { children: { type: "array", items: ref("Tree") }, parent: ref("Tree") },
      },
      Part: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 900 }, (_, index) => [`field${index}`, { type: "string" }]),
        ),
      },
      Wide: {
        type: "object",
        properties: Object.fromEntries(
          Array.from({ length: 10 }, (_, index) => [`part${index}`, ref("Part")]),
        ),
      },
    },
  },
}

const open = async () => {
  const { handlers } = await openProject({ ...shop, "apis/shop/openapi.json": document })
  return (operation: string, resource?: string) =>
    handlers["operations.read"]({ api: "shop", operation, ...(resource === undefined ? {} : { resource }) })
}

const count = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? Object.entries(value).reduce((sum, [key, inner]) => sum + (key === "name" ? 1 : count(inner)), 0)
    : 0

describe("operations.read", () => {
  it("returns the parameters of an operation, required ones first, with the document's descriptions", async () => {
    const detail = await (await open())("replaceOrder", "orders")
    expect(detail).toMatchObject({
      name: "replaceOrder",
      method: "PUT",
      path: "/orders/{id}",
      resources: ["orders"],
      summary: "Replaces an order",
    })
    expect(detail.parameters).toEqual([
      { name: "id", in: "path", required: true, words: "integer", kinds: ["number"] },
      {
        name: "x-reason",
        in: "header",
        required: true,
        words: "string",
        kinds: ["string"],
        values: ["mistake", "wish"],
      },
      { name: "dry", in: "query", description: "Only tries.", words: "boolean", kinds: ["boolean"] },
    ])
  })

  it("returns the fields of the body and of the responses by status, and masks secrets", async () => {
    const { body, responses } = await (await open())("PUT /orders/{id}")
    const fields = [
      { name: "sku", required: true, words: "string", kinds: ["string"], description: "As *** says." },
      { name: "quantity", words: "integer or null", kinds: ["number", "null"] },
      { name: "placedAt", words: "string (date-time)", kinds: ["string"] },
      {
        name: "lines",
        words: "array of object",
        kinds: ["array"],
        items: {
          words: "object",
          kinds: ["object"],
          fields: [{ name: "price", words: "number", kinds: ["number"] }],
        },
      },
    ]
    expect(body).toEqual({
      required: true,
      mediaType: "application/json",
      mediaTypes: ["application/json"],
      type: { words: "Order", kinds: ["object"], fields },
    })
    expect(responses).toEqual([
      {
        status: "200",
        description: "Replaced.",
        headers: ["x-shelf"],
        isStream: false,
        body: { words: "Order", kinds: ["object"], fields },
      },
      { status: "4XX", description: "Refused.", headers: [], isStream: false },
    ])
  })

  it("stops at a recursive schema, and at too many fields", async () => {
    const read = await open()
    const [tree] = (await read("readTree")).responses
    expect(tree?.body?.fields).toMatchObject([
      { name: "children", words: "array of Tree", items: { words: "Tree", isCut: true } },
      { name: "parent", words: "Tree", isCut: true },
    ])
    const [wide] = (await read("readWide")).responses
    expect(wide?.body?.fields?.map(({ isCut }) => isCut)).toEqual([
      ...Array.from({ length: 3 }, () => undefined),
      ...Array.from({ length: 7 }, () => true),
    ])
    expect(count(wide)).toBe(3_000)
  })

  it("suggests an operation for an unknown one, and reports an invalid document", async () => {
    const read = await open()
    await expect(read("replaceOrdr")).rejects.toMatchObject({
      code: "operation-unknown",
      hint: 'did you mean "replaceOrder"?',
    })
    const { handlers } = await openProject({ ...shop, "apis/shop/openapi.json": "{" })
    const call = handlers["operations.read"]({ api: "shop", operation: "listOrders" })
    await expect(call).rejects.toMatchObject({ code: "document-invalid" })
    const foreign = handlers["operations.read"]({ api: "nowhere", operation: "listOrders" })
    await expect(foreign).rejects.toMatchObject({ code: "api-unknown" })
  })
})
