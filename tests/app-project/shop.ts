// A small valid project.

import type { Files } from "./open-project.ts"

export const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": {
      get: { operationId: "listOrders", summary: "All orders", tags: ["orders"], responses: {} },
      post: { operationId: "createOrder", deprecated: true, responses: {} },
    },
    "/orders/{id}": {
      get: {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        responses: {},
      },
    },
  },
}

export const workflow = (...ids: readonly string[]) => ({
  version: 1,
  blocks: ids.map((id) => ({ id, type: "request", request: { api: "shop", operation: "listOrders" } })),
})

export const shop: Files = {
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: { type: "string", required: false, secret: true },
    },
  },
  "apis/shop/environments/local.json": { baseUrl: "http://127.0.0.1:1" },
  "apis/shop/environments/live.json": { extends: "local", level: "production" },
  "apis/shop/environments/live.secrets.env": "apiKey=s3cr3t-of-live\n",
  "apis/shop/requests/orders/mine.json": { version: 1, description: "Mine", operation: "listOrders" },
  "apis/shop/requests/orders/raw.json": { version: 1, method: "GET", path: "/orders" },
  "apis/workflow/checkout.json": {
    version: 1,
    blocks: [{ id: "all", type: "group", blocks: workflow("one", "two").blocks }],
  },
}
