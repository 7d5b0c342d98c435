// A project on disk with workflows to run from the page, and its API.

import { rm } from "node:fs/promises"
import { join } from "node:path"
import { startCommand, type RunningCommand } from "../app-server/start-command.ts"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"

export interface RunProject {
  readonly api: ApiServer
  /** A fresh link of the app. */
  readonly link: () => Promise<string>
  /** Sends the slow response to waiting and later requests. */
  readonly release: () => void
  readonly close: () => Promise<void>
}

/** The app runs until `close`. */
export async function startRunProject(): Promise<RunProject> {
  let release: () => void = () => undefined
  let serial = 0
  const released = new Promise<void>((resolve) => (release = resolve))
  const api = await startApi({
    "GET /books/1": { body: { id: 1, title: "Faust", price: 12.5, tags: ["drama", "verse"] } },
    "GET /books/2": {
      headers: { "x-shelf": "<img src=x onerror=alert(1)>" },
      body: {
        id: "two",
        title: "<script>alert(1)</script> javascript:alert(1) https://evil.example/",
        price: 8,
      },
    },
    "GET /feed": { headers: { "content-type": "application/atom+xml" }, body: "<feed/>" },
    "POST /orders": ({ json }) => ({ status: 201, body: { id: 71, serial: ++serial, order: json } }),
    "GET /slow": async () => {
      await released
      return { body: { id: 9, title: "Late", price: 1 } }
    },
  })
  const folder = await createFolder(files(api.url))
  const home = await createFolder()
  const env = { HOME: home, XDG_STATE_HOME: join(home, "state") }
  const command: RunningCommand = await startCommand({ cwd: folder, env })
  return {
    api,
    release,
    link: command.nextLink,
    close: async () => {
      release()
      await command.end("SIGINT")
      await api.close()
      await Promise.all([folder, home].map((path) => rm(path, { recursive: true, force: true })))
    },
  }
}

const book = {
  type: "object",
  required: ["id", "title", "price"],
  properties: {
    id: { type: "integer" },
    title: { type: "string" },
    price: { type: "number" },
    tags: { type: "array", items: { type: "string" } },
  },
}
/** `serial` differs in each response. */
const order = { type: "object", properties: { serial: { type: "integer", readOnly: true } } }
const answer = { description: "ok", content: { "application/json": { schema: book } } }
const get = (operationId: string) => ({
  get: { operationId, tags: ["books"], responses: { "200": answer } },
})
const request = (id: string, operation: string, resource = "books") => ({
  id,
  type: "request",
  request: { api: "shop", resource, operation },
})
const check = (id: string, source: string, value: unknown) => ({
  id,
  type: "assert",
  assertions: [{ source, operator: "equals", value }],
})

const files = (url: string) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/books/1": get("getFaust"),
      "/books/2": get("getOdd"),
      "/slow": get("getSlow"),
      "/feed": {
        get: {
          operationId: "getFeed",
          tags: ["books"],
          responses: {
            "200": { description: "ok", content: { "application/atom+xml": { schema: book } } },
          },
        },
      },
      "/orders": {
        post: {
          operationId: "createOrder",
          tags: ["orders"],
          requestBody: { content: { "application/json": { example: { book: 1, copies: 2 } } } },
          responses: { "201": { description: "made", content: { "application/json": { schema: order } } } },
        },
      },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { level: "local", baseUrl: url },
  "apis/shop/environments/live.json": { level: "production", baseUrl: url },
  "apis/shop/requests/orders/order it.json": {
    version: 1,
    operation: "createOrder",
    body: { book: 1, note: 'it\'s "mine"' },
  },
  "apis/shop/requests/books/late.json": { version: 1, operation: "getSlow" },
  ...workflows,
})

const workflows = {
  "apis/workflow/green.json": {
    version: 1,
    validateContracts: true,
    inputs: {
      customer: { type: "string", required: true, description: "Who buys." },
      copies: { type: "number", default: 2 },
      gift: { type: "boolean", default: false },
    },
    blocks: [
      { ...request("book", "getFaust"), description: "The book that everybody asks for." },
      {
        id: "checks",
        type: "group",
        blocks: [
          check("price", "book.response.body.price", 12.5),
          check("title", "book.response.body.title", "Faust"),
        ],
      },
      { id: "order", type: "transform", transforms: { title: "book.response.body.title" } },
      {
        id: "each-tag",
        type: "loop",
        mode: "forEach",
        source: "book.response.body.tags",
        blocks: [
          { id: "tag-{{$index}}", type: "transform", transforms: { title: "book.response.body.title" } },
        ],
      },
      {
        id: "place",
        type: "request",
        request: {
          api: "shop",
          resource: "orders",
          operation: "createOrder",
          overrides: { body: { customer: "{{customer}}", copies: "{{copies}}" } },
        },
      },
    ],
  },
  "apis/workflow/failing.json": {
    version: 1,
    validateContracts: true,
    onFailure: "continue",
    blocks: [
      request("good", "getFaust"),
      {
        id: "shelf",
        type: "group",
        blocks: [
          check("fine", "good.response.status", 200),
          check("cheap", "good.response.body.price", 9.99),
        ],
      },
      request("odd", "getOdd"),
    ],
  },
  "apis/workflow/feed.json": {
    version: 1,
    validateContracts: true,
    blocks: [request("feed", "getFeed")],
  },
  "apis/workflow/other-book.json": {
    version: 1,
    blocks: [
      request("book", "getFaust"),
      check("same", "book.response.body", { tags: ["drama", "prose"], title: "Faust", price: 12.5, id: 1 }),
    ],
  },
  "apis/workflow/slow.json": {
    version: 1,
    blocks: [
      request("first", "getFaust"),
      request("late", "getSlow"),
      check("after", "late.response.status", 200),
    ],
  },
  "apis/workflow/scripted.json": {
    version: 1,
    blocks: [{ id: "call", type: "script", script: { name: "greet", exportName: "greet" } }],
  },
  "apis/workflow/scripts/scripted/greet.ts": `import { word } from "./word"\nexport const greet = (ctx) => ctx.log(word)\n`,
  "apis/workflow/scripts/scripted/word.ts": `export const word = "hello from a script"\n`,
  "apis/workflow/many.json": {
    version: 1,
    blocks: [
      {
        id: "rounds",
        type: "loop",
        mode: "times",
        count: 10_000,
        blocks: [{ id: "round-{{$index}}", type: "transform", transforms: { number: "{{$index}}" } }],
      },
    ],
  },
}
