// A project whose API requires authentication, and an API without a document. Its server refuses other requests.

import { startApi, type ApiServer } from "../harness/api-server.ts"
import { startEditProject, type EditProject } from "./edit-project.ts"

export interface AuthenticationProject extends EditProject {
  readonly api: ApiServer
}

/** The secrets that the tests type. The page may show, keep and log none of them. */
export const typed = { token: "t0ken-of-ada", key: "k3y-of-ada", password: "pass-of-ada" }

const ok = { 200: { description: "Done." }, 401: { description: "Refused." } }

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  components: {
    securitySchemes: {
      session: { type: "http", scheme: "bearer" },
      shopKey: { type: "apiKey", in: "header", name: "X-Shop-Key" },
      tenant: { type: "apiKey", in: "query", name: "tenant" },
      staff: { type: "http", scheme: "basic" },
    },
  },
  paths: {
    "/orders": { get: { operationId: "listOrders", security: [{ session: [] }], responses: ok } },
    "/items": {
      get: {
        operationId: "listItems",
        security: [{ shopKey: [] }, { staff: [], tenant: [] }],
        responses: ok,
      },
    },
    "/health": { get: { operationId: "readHealth", security: [], responses: ok } },
  },
}

/** The app runs until `close`. */
export async function startAuthenticationProject(): Promise<AuthenticationProject> {
  const refuse = { status: 401, body: { error: "no" } }
  const api = await startApi({
    "GET /orders": ({ headers }) =>
      headers["authorization"] === `Bearer ${typed.token}` ? { body: { orders: [] } } : refuse,
    "GET /items": ({ headers }) => (headers["x-shop-key"] === typed.key ? { body: { items: [] } } : refuse),
    "GET /health": { body: {} },
    "GET /plain": ({ headers }) =>
      headers["authorization"] === `Bearer ${typed.token}` ? { body: { plain: true } } : refuse,
  })
  const schema = { version: 1, variables: { baseUrl: { type: "string", required: true } } }
  const project = await startEditProject({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": schema,
    "apis/shop/environments/local.json": { level: "local", baseUrl: api.url },
    "apis/shop/environments/staging.json": { extends: "local", level: "staging" },
    "apis/shop/requests/orders/mine.json": { version: 1, operation: "listOrders" },
    "apis/plain/environments/schema.json": schema,
    "apis/plain/environments/local.json": { level: "local", baseUrl: api.url },
    "apis/plain/requests/things/one.json": { version: 1, method: "GET", path: "/plain" },
    "apis/workflow/look.json": {
      version: 1,
      blocks: [
        {
          id: "orders",
          type: "request",
          request: { api: "shop", resource: "orders", operation: "listOrders" },
        },
        {
          id: "mine",
          type: "request",
          request: { api: "shop", resource: "orders", instance: "mine" },
        },
      ],
    },
  })
  return {
    ...project,
    api,
    close: async () => {
      await project.close()
      await api.close()
    },
  }
}
