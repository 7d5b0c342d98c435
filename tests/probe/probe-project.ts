// A project whose server keeps its contract, apart from the faults that a test plants.

import { onTestFinished } from "vitest"
import { rm } from "node:fs/promises"
import { createFolder, type Files } from "../harness/callsheet.ts"
import { startApi, type Answer, type ApiServer } from "../harness/api-server.ts"

type Fault =
  /** 500 for a name that is too long. */
  | "crashes"
  /** No answer for a name that is too long. */
  | "breaks"
  /** Never an answer for a name that is too long. */
  | "hangs"
  /** Ends for good after a name that is too long. */
  | "ends"
  /** 500 for every list of items. */
  | "fails to list"
  /** No answer to a list of items. */
  | "lists nothing"
  /** Creates an item with a negative price. */
  | "accepts"
  /** 418 for an email address that isn't one. */
  | "invents"
  /** Creates nothing. */
  | "refuses"
  /** Never deletes. */
  | "keeps"

export interface Shop {
  readonly server: ApiServer
  readonly folder: string
  readonly faults: Set<Fault>
  /** The items that exist. */
  readonly items: ReadonlyMap<number, unknown>
}

interface Given {
  readonly faults?: readonly Fault[]
  readonly files?: Files
  readonly environment?: object
  /** Called with each new item. */
  readonly onCreated?: (item: { readonly price: number }) => void
}

const json = (schema: object) => ({ "application/json": { schema } })
const item = { allOf: [{ type: "object", required: ["id"], properties: { id: { type: "integer" } } }] }
const [ok, bad] = [{ description: "ok" }, { 400: { description: "bad" } }]

export const shopDocument = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/items": {
      get: {
        operationId: "listItems",
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100 } },
          { name: "X-Mode", in: "header", schema: { type: "string", enum: ["slow", "fast"] } },
        ],
        responses: { 200: { ...ok, content: json({ type: "array", items: item }) }, ...bad },
      },
      post: {
        operationId: "createItem",
        requestBody: {
          required: true,
          content: json({
            type: "object",
            required: ["name", "price"],
            additionalProperties: false,
            properties: {
              name: { type: "string", minLength: 1, maxLength: 50 },
              price: { type: "number", minimum: 0 },
              email: { type: "string", format: "email" },
              tags: { type: "array", maxItems: 3, uniqueItems: true, items: { type: "string" } },
            },
          }),
        },
        responses: { 201: { ...ok, content: json(item) }, ...bad },
      },
    },
    "/items/{itemId}": {
      parameters: [{ name: "itemId", in: "path", required: true, schema: { type: "integer", minimum: 1 } }],
      get: {
        operationId: "getItem",
        responses: { 200: { ...ok, content: json(item) }, ...bad, 404: { description: "gone" } },
      },
      delete: { operationId: "deleteItem", responses: { 204: ok, ...bad, 404: { description: "gone" } } },
    },
  },
}

export async function openShop({ faults: planted = [], files = {}, ...given }: Given = {}): Promise<Shop> {
  const faults = new Set(planted)
  const items = new Map<number, unknown>()
  let next = 1
  const create = (body: Readonly<Record<string, unknown>>): Answer => {
    const id = next++
    items.set(id, body)
    given.onCreated?.({ price: Number(body["price"]) })
    return { status: 201, body: { id, ...body } }
  }
  const server = await startApi({
    "*": (request, response) => {
      const { method, path, json: body } = request
      const id = /^\/items\/([1-9]\d*)$/.exec(path)?.[1]
      if (path === "/items" && method === "GET" && faults.has("lists nothing")) return void response.destroy()
      if (path === "/items" && method === "GET" && faults.has("fails to list")) return { status: 500 }
      if (path === "/items" && method === "GET")
        return mayList(request) ? { body: [...items.keys()].map((one) => ({ id: one })) } : { status: 400 }
      if (path === "/items" && method === "POST") {
        if (faults.has("refuses")) return { status: 400 }
        const isJson = request.headers["content-type"] === "application/json"
        const problem = isJson ? problemOf(body) : "body"
        if (problem === "name" && faults.has("crashes")) return { status: 500 }
        if (problem === "name" && faults.has("ends")) void server.close()
        if (problem === "name" && (faults.has("breaks") || faults.has("ends"))) return void response.destroy()
        if (problem === "name" && faults.has("hangs")) return undefined
        if (problem === "email" && faults.has("invents")) return { status: 418 }
        const isAccepted = problem === undefined || (problem === "price" && faults.has("accepts"))
        return isAccepted ? create(body as Readonly<Record<string, unknown>>) : { status: 400 }
      }
      if (id === undefined) return { status: 400 }
      if (!items.has(Number(id))) return { status: 404 }
      if (method === "GET") return { body: { id: Number(id) } }
      if (faults.has("keeps")) return { status: 400 }
      items.delete(Number(id))
      return { status: 204 }
    },
  })
  const folder = await createFolder({
    "apis/shop/openapi.json": shopDocument,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        token: { type: "string", required: false, secret: true },
        timeout: { type: "number", required: false },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: server.url, ...given.environment },
    ...files,
  })
  onTestFinished(async () => {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return { server, folder, faults, items }
}

const mayList = ({ query, headers }: { query: URLSearchParams; headers: object }): boolean => {
  const limit = query.get("limit")
  const mode = (headers as Readonly<Record<string, unknown>>)["x-mode"]
  const isLimit = limit === null || (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100)
  return isLimit && (mode === undefined || mode === "slow" || mode === "fast")
}

/** Returns the first field of a new item that violates the contract. */
function problemOf(body: unknown): "body" | "name" | "price" | "email" | "tags" | undefined {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "body"
  const { name, price, email, tags, ...others } = body as Readonly<Record<string, unknown>>
  if (Object.keys(others).length > 0 || typeof name !== "string" || name === "") return "body"
  if (name.length > 50) return "name"
  if (typeof price !== "number") return "body"
  if (price < 0) return "price"
  if ("email" in body && (typeof email !== "string" || !/^[^ @]+@[^ @]+$/.test(email))) return "email"
  const isTags =
    Array.isArray(tags) &&
    tags.length <= 3 &&
    new Set(tags).size === tags.length &&
    tags.every((tag) => typeof tag === "string")
  return "tags" in body && !isTags ? "tags" : undefined
}
