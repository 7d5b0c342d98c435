// A small project for agents: one API with a contract, a workflow that checks it, and secrets.

import { startApi, type Answer, type ApiServer, type Route } from "../harness/api-server.ts"
import type { Files } from "../harness/callsheet.ts"

export const SECRET = "s3cr3t-key-for-orders"

const order = {
  type: "object",
  required: ["id", "total", "state"],
  properties: {
    id: { type: "string" },
    total: { type: "number" },
    note: { type: "string" },
    state: { type: "string", enum: ["open", "paid"] },
  },
  additionalProperties: false,
}
const json = (schema: object, description = "An answer.") => ({
  description,
  content: { "application/json": { schema } },
})

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  components: {
    schemas: { Order: order },
    securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } },
  },
  security: [{ apiKey: [] }],
  paths: {
    "/orders": {
      post: {
        operationId: "createOrder",
        tags: ["orders"],
        summary: "Place an order",
        requestBody: {
          required: true,
          ...json({ type: "object", required: ["sku"], properties: { sku: { type: "string" } } }),
        },
        responses: {
          201: json({ $ref: "#/components/schemas/Order" }),
          422: json({ type: "object", properties: { error: { type: "string" } } }),
        },
      },
    },
    "/orders/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: {
        operationId: "getOrder",
        tags: ["orders"],
        summary: "Read an order",
        responses: { 200: json({ $ref: "#/components/schemas/Order" }), 404: { description: "Unknown." } },
      },
      delete: { operationId: "deleteOrder", tags: ["orders"], responses: { 204: { description: "Gone." } } },
    },
  },
}

export const equals = (source: string, value: unknown) => ({ source, operator: "equals", value })

export const checkout = {
  version: 1,
  validateContracts: true,
  inputs: { sku: { type: "string", default: "A-1" } },
  blocks: [
    {
      id: "made",
      type: "request",
      request: {
        api: "shop",
        resource: "orders",
        operation: "createOrder",
        overrides: { body: { sku: "{{sku}}" } },
      },
    },
    {
      id: "check",
      type: "assert",
      assertions: [
        equals("made.response.status", 201),
        { source: "made.response.body.id", operator: "exists" },
        equals("made.response.body.state", "open"),
        equals("sku", "A-1"),
      ],
    },
  ],
}

const remove = {
  version: 1,
  blocks: [
    {
      id: "gone",
      type: "request",
      request: { api: "shop", operation: "deleteOrder", overrides: { params: { path: { id: "1" } } } },
    },
  ],
}

export const shopFiles = (url: string): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: { type: "string", required: true, secret: true },
    },
  },
  "apis/shop/environments/local.json": { baseUrl: url },
  "apis/shop/environments/local.secrets.env": `apiKey=${SECRET}\n`,
  "apis/shop/environments/live.json": { extends: "local", level: "production" },
  "apis/shop/requests/orders/first.json": {
    version: 1,
    operation: "getOrder",
    params: { path: { id: "1" } },
  },
  "apis/workflow/checkout.json": checkout,
  "apis/workflow/remove.json": remove,
  "apis/workflow/scripts/checkout/helper.ts": `export const key = "${SECRET}"\n`,
  "callsheet.json": {
    version: 1,
    suites: { all: { workflows: [{ workflow: "checkout", finally: [{ workflow: "remove" }] }] } },
  },
})

export const startShop = (routes: Readonly<Record<string, Answer | Route>> = {}): Promise<ApiServer> =>
  startApi({
    "POST /orders": { status: 201, body: { id: "1", total: 4.5, state: "open" } },
    "DELETE /orders/1": { status: 204 },
    ...routes,
  })
