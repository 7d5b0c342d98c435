// The document of a small API for mocks, with every kind of parameter, body and response that a mock decides by.

const text = { type: "string" }
const json = (schema: unknown, more: object = {}) => ({ "application/json": { schema, ...more } })

const order = {
  type: "object",
  required: ["id", "sku", "quantity"],
  properties: {
    id: { type: "integer", readOnly: true },
    sku: { type: "string", minLength: 2 },
    quantity: { type: "integer", minimum: 1 },
    note: text,
    state: { type: "string", enum: ["open", "paid"] },
    secret: { type: "string", writeOnly: true },
  },
}
const newOrder = { ...order, required: ["sku", "quantity"], additionalProperties: false }
const problem = {
  description: "A problem.",
  content: {
    "application/problem+json": { schema: { type: "object", properties: { status: { type: "integer" } } } },
  },
}
const one = { description: "The order.", content: json({ $ref: "#/components/schemas/Order" }) }
const id = { name: "orderId", in: "path", required: true, schema: { type: "integer" } }

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  servers: [{ url: "https://shop.example/api/v1/" }],
  security: [{ key: [] }, { token: [] }],
  paths: {
    "/health": {
      get: {
        operationId: "getHealth",
        security: [],
        responses: {
          200: {
            description: "",
            content: {
              "text/plain": { schema: text, example: "fine" },
              "application/json": {
                schema: { type: "object", required: ["up"], properties: { up: { type: "boolean" } } },
                examples: {
                  good: { value: { up: true } },
                  bad: { value: { up: false } },
                  wrong: { value: { up: "yes" } },
                },
              },
            },
          },
          503: {
            description: "",
            headers: { "Retry-After": { required: true, schema: { type: "integer" } } },
          },
        },
      },
    },
    "/wrong": {
      get: {
        operationId: "getWrong",
        security: [],
        responses: { 200: { description: "", content: json({ type: "integer" }, { example: "five" }) } },
      },
    },
    "/orders": {
      get: {
        operationId: "listOrders",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1 } },
          { name: "page", in: "query", schema: { type: "integer", minimum: 1 } },
          { name: "state", in: "query", schema: text },
          { name: "X-Tenant", in: "header", required: true, schema: { type: "string", pattern: "^t-" } },
        ],
        responses: {
          200: {
            description: "",
            content: json({
              type: "object",
              required: ["items", "total", "next"],
              properties: {
                items: { type: "array", items: { $ref: "#/components/schemas/Order" } },
                total: { type: "integer" },
                next: { type: ["string", "null"] },
              },
            }),
          },
        },
      },
      post: {
        operationId: "createOrder",
        requestBody: { required: true, content: json({ $ref: "#/components/schemas/NewOrder" }) },
        responses: { 201: one, 400: problem },
      },
    },
    "/orders/{orderId}": {
      parameters: [id],
      get: { operationId: "getOrder", responses: { 200: one, 404: problem } },
      put: {
        operationId: "replaceOrder",
        requestBody: { content: json({ $ref: "#/components/schemas/NewOrder" }) },
        responses: { 200: one, 404: problem },
      },
      patch: {
        operationId: "changeOrder",
        requestBody: { content: json({ type: "object", properties: newOrder.properties }) },
        responses: { 200: one, 404: problem },
      },
      delete: { operationId: "deleteOrder", responses: { 204: { description: "" }, 404: problem } },
    },
    "/orders/{orderId}/notes": {
      parameters: [id],
      get: {
        operationId: "listNotes",
        responses: {
          200: {
            description: "",
            content: json({ type: "array", items: { $ref: "#/components/schemas/Note" } }),
          },
        },
      },
      post: {
        operationId: "addNote",
        requestBody: { content: json({ type: "object", properties: { text } }) },
        responses: { 201: { description: "", content: json({ $ref: "#/components/schemas/Note" }) } },
      },
    },
    "/orders/{orderId}/notes/{noteId}": {
      parameters: [id, { name: "noteId", in: "path", required: true, schema: text }],
      get: {
        operationId: "getNote",
        responses: { 200: { description: "", content: json({ $ref: "#/components/schemas/Note" }) } },
      },
    },
    "/labels/{name}": {
      parameters: [{ name: "name", in: "path", required: true, schema: text }],
      put: {
        operationId: "putLabel",
        security: [],
        requestBody: { content: json({ type: "object", properties: { color: text } }) },
        responses: {
          200: { description: "", content: json({ $ref: "#/components/schemas/Label" }) },
          201: { description: "", content: json({ $ref: "#/components/schemas/Label" }) },
        },
      },
      get: {
        operationId: "getLabel",
        security: [],
        responses: { 200: { description: "", content: json({ $ref: "#/components/schemas/Label" }) } },
      },
    },
    "/labels": {
      post: {
        operationId: "createLabel",
        security: [],
        requestBody: { content: json({ $ref: "#/components/schemas/Label" }) },
        responses: {
          201: { description: "", content: json({ $ref: "#/components/schemas/Label" }) },
          409: problem,
        },
      },
    },
    "/login": {
      post: {
        operationId: "logIn",
        security: [],
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                required: ["user", "password"],
                properties: { user: text, password: text },
              },
            },
          },
        },
        responses: {
          200: {
            description: "",
            content: json({
              type: "object",
              required: ["access_token"],
              properties: { access_token: { type: "string", minLength: 20 } },
            }),
          },
        },
      },
    },
  },
  components: {
    securitySchemes: {
      key: { type: "apiKey", in: "query", name: "k" },
      token: { type: "http", scheme: "bearer" },
    },
    schemas: {
      Order: order,
      NewOrder: newOrder,
      Note: {
        type: "object",
        required: ["id", "orderId", "text"],
        properties: { id: { type: "string", format: "uuid" }, orderId: { type: "integer" }, text },
      },
      Label: { type: "object", required: ["name"], properties: { name: text, color: text } },
    },
  },
}

export const files = { "apis/shop/openapi.json": document }
export const token = "t0ken-canary-42"
export const asUser = { authorization: `Bearer ${token}`, "x-tenant": "t-1" }
