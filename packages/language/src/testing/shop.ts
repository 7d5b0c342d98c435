// A small API with documented responses, for tests.

import { findingsOf, type ApiFiles } from "./project-of.ts"

const json = (schema: unknown) => ({ content: { "application/json": { schema } } })
const text = { type: "string" }

export const shop: ApiFiles = {
  document: {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "https://shop.example" }],
    paths: {
      "/orders": {
        get: {
          operationId: "listOrders",
          parameters: [
            { name: "page", in: "query", schema: { type: "integer" } },
            { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
          ],
          responses: {
            200: {
              description: "",
              ...json({ type: "array", items: { $ref: "#/components/schemas/Order" } }),
            },
          },
        },
        post: {
          operationId: "createOrder",
          parameters: [{ name: "Idempotency-Key", in: "header", required: true, schema: text }],
          requestBody: {
            required: true,
            ...json({
              type: "object",
              required: ["sku", "quantity"],
              properties: {
                sku: text,
                quantity: { type: "integer" },
                speed: { enum: ["slow", "fast"] },
                note: { type: ["string", "null"] },
                tags: { type: "array", items: text },
                address: { type: "object", required: ["city"], properties: { city: text } },
              },
            }),
          },
          responses: {
            201: {
              description: "",
              headers: { "X-Request-Id": { schema: text } },
              ...json({ $ref: "#/components/schemas/Order" }),
            },
            400: { description: "", ...json({ $ref: "#/components/schemas/Fault" }) },
          },
        },
      },
      "/orders/{id}": {
        get: {
          operationId: "getOrder",
          responses: {
            200: { description: "", ...json({ $ref: "#/components/schemas/Order" }) },
            404: { description: "", ...json({ $ref: "#/components/schemas/Fault" }) },
          },
        },
        delete: { operationId: "deleteOrder", responses: { 204: { description: "" } } },
      },
    },
    components: {
      schemas: {
        Order: {
          type: "object",
          properties: {
            id: text,
            status: { type: "string", enum: ["open", "paid"] },
            total: { type: "number" },
            lines: {
              type: "array",
              items: { type: "object", properties: { sku: text, quantity: { type: "integer" } } },
            },
            labels: { type: "array", items: { type: "string" } },
            extra: { type: "object", properties: { gift: { type: "boolean" } }, additionalProperties: true },
            payment: {
              oneOf: [
                { type: "object", properties: { card: text } },
                { type: "object", properties: { iban: text } },
              ],
            },
            anything: {},
          },
        },
        Fault: { type: "object", properties: { code: text, detail: text } },
      },
    },
  },
  environments: {
    "schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        size: { type: "number", required: false },
        apiKey: { type: "string", required: true, secret: true },
      },
    },
    "local.json": { baseUrl: "http://127.0.0.1:1" },
  },
}

export const create = {
  id: "create",
  type: "request",
  request: {
    api: "shop",
    operation: "createOrder",
    overrides: { params: { header: { "idempotency-key": "{{$uuid}}" } }, body: { sku: "A", quantity: 1 } },
  },
}

export const list = { id: "list", type: "request", request: { api: "shop", operation: "listOrders" } }

export const get = (id: string, value: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "getOrder", overrides: { params: { path: { id: value } } } },
})

export const expects = (source: string, operator: string, value?: unknown, id = "check") => ({
  id,
  type: "assert",
  assertions: [{ source, operator, ...(value === undefined ? {} : { value }) }],
})

/** Returns the problems of a workflow that uses the shop and has these blocks. */
export const findings = (...blocks: readonly unknown[]): Promise<readonly string[]> =>
  findingsOf({ workflows: { w: { version: 1, blocks } }, apis: { shop } })
