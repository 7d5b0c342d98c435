// For tests: a small project with a document, environments, saved requests, scripts and suites.

const json = (schema: unknown) => ({ content: { "application/json": { schema } } })
const text = { type: "string" }

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: {
        operationId: "listOrders",
        tags: ["orders"],
        summary: "Find orders",
        parameters: [
          {
            name: "state",
            in: "query",
            required: true,
            description: "Only these.",
            schema: { enum: ["open", "paid"] },
          },
          { name: "page", in: "query", schema: { type: "integer" } },
        ],
        responses: {
          200: {
            description: "Found",
            ...json({ type: "array", items: { $ref: "#/components/schemas/Order" } }),
          },
        },
      },
      post: {
        operationId: "createOrder",
        tags: ["orders"],
        summary: "Buy [things](https://evil.example)",
        description: "<b>Now</b> ![x](http://evil.example/x.png) www.evil.example",
        requestBody: {
          required: true,
          ...json({
            type: "object",
            required: ["sku"],
            properties: {
              note: text,
              sku: { type: "string", description: "What to buy." },
              speed: { enum: ["slow", "fast"] },
              address: { type: "object", properties: { city: text } },
              isGift: { type: "boolean" },
            },
          }),
        },
        responses: {
          201: { description: "Bought", ...json({ $ref: "#/components/schemas/Order" }) },
          400: { description: "Refused" },
        },
      },
    },
    "/orders/{id}": {
      get: {
        operationId: "getOrder",
        tags: ["orders"],
        parameters: [{ name: "id", in: "path", required: true, schema: text }],
        responses: { 200: { description: "The order", ...json({ $ref: "#/components/schemas/Order" }) } },
      },
    },
    "/health": { get: { tags: ["system"], responses: { 200: { description: "Fine" } } } },
  },
  components: {
    schemas: {
      Order: {
        type: "object",
        required: ["id", "total"],
        properties: {
          id: text,
          total: { type: "number" },
          state: { enum: ["open", "paid"] },
          tags: { type: "array", items: text },
        },
      },
    },
  },
}

export const shopFiles = {
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true, description: "The shop's address." },
      retries: { type: "number", required: false, default: 3 },
      apiKey: { type: "string", required: false, secret: true, description: "From the vault." },
      clientSecret: { type: "string", required: false, secret: true },
    },
  },
  "apis/shop/environments/base.json": { baseUrl: "http://base.example" },
  "apis/shop/environments/local.json": { extends: "base", retries: 5 },
  "apis/shop/environments/local.secrets.env": "apiKey=hunter2-key\n",
  "apis/shop/requests/orders/gift.json": {
    version: 1,
    description: "A gift.",
    operation: "createOrder",
    body: { sku: "a" },
  },
  "apis/workflow/buy.json": { version: 1, blocks: [] },
  "apis/workflow/other.json": { version: 1, inputs: { sku: { type: "string" } }, blocks: [] },
  "apis/workflow/scripts/buy/check.ts":
    'export const limit = 3\nexport function total(ctx: AssertContext) {\n  ctx.assert(ctx.get("order.response.status") === 201)\n}\n',
  "callsheet.json": { version: 1 },
} satisfies Readonly<Record<string, unknown>>
