// A project with a secret, random values, polls and scripts, and the edits that the tests make to it.

import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { BlockReport, Report } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, type CallOptions, type CallResult } from "../harness/callsheet.ts"

export const key = "key-canary-4711"
export const token = "token-canary-0815"

const operation = (operationId: string, more: object = {}) => ({
  operationId,
  responses: { default: { description: "" } },
  ...more,
})

export const send = (id: string, name: string, overrides?: object) => ({
  id,
  type: "request",
  request: { api: "shop", operation: name, ...(overrides === undefined ? {} : { overrides }) },
})
export const check = (id: string, source: string, value?: unknown, operator = "equals") => ({
  id,
  type: "assert",
  assertions: [value === undefined ? { source, operator } : { source, operator, value }],
})

export const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  components: { securitySchemes: { apiKey: { type: "apiKey", in: "header", name: "x-api-key" } } },
  security: [{ apiKey: [] }],
  paths: {
    "/token": { post: operation("getToken") },
    "/orders": { post: operation("createOrder"), get: operation("listOrders") },
    "/orders/{id}": { get: operation("getOrder") },
    "/down": { get: operation("getDown") },
  },
}

export interface ReplayProject {
  readonly api: ApiServer
  readonly folder: string
  readonly call: (words: readonly string[], options?: CallOptions) => Promise<CallResult>
  readonly edit: (file: string, change: (text: string) => string) => Promise<void>
}

export async function openProject(files: Readonly<Record<string, unknown>>): Promise<ReplayProject> {
  let polls = 0
  const api = await startApi({
    "POST /token": {
      body: { token, user: "ann", big: "0" },
      headers: { "set-cookie": "sid=session-7; Max-Age=60" },
    },
    "POST /orders": ({ json, headers }) => ({
      status: 201,
      body: { id: 7, order: json, cookie: headers.cookie ?? null, key: headers["x-api-key"] },
    }),
    "GET /orders": ({ query }) => ({ body: { page: query.get("page"), items: [{ id: 1 }, { id: 2 }] } }),
    "GET /orders/7": () => ({ body: { status: ++polls % 3 === 0 ? "done" : "open" } }),
    "GET /orders/8": {
      body: '{"id":12345678901234567890}',
      headers: { "content-type": "application/json" },
    },
    "GET /down": (_, response) => {
      response.destroy()
      return undefined
    },
  })
  const folder = await createFolder({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        apiKey: { type: "string", secret: true, required: true },
        tenant: { type: "string", required: false },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: "http://nowhere.invalid", tenant: "a" },
    "apis/shop/environments/local.secrets.env": `apiKey=${key}\n`,
    ...files,
  })
  return {
    api,
    folder,
    call: (words, options = {}) => callsheet(words, { folder, timeoutMs: 60_000, ...options }),
    edit: async (file, change) => {
      const path = join(folder, file)
      await writeFile(path, change(await readFile(path, "utf8")))
    },
  }
}

/** Returns every block of a report, by id. Blocks of iterations replace earlier ones. */
export function blocksOf(report: Report | undefined, run = 0): Record<string, BlockReport> {
  const found: Record<string, BlockReport> = {}
  const work = [...(report?.runs[run]?.blocks ?? [])]
  for (let block = work.shift(); block !== undefined; block = work.shift()) {
    found[block.id] = block
    work.push(...(block.blocks ?? []), ...(block.iterations ?? []).flatMap((iteration) => iteration.blocks))
  }
  return found
}

/** Returns a report without its times, in which a replay differs from its record. */
export const withoutTimes = (report: Report | undefined): unknown =>
  JSON.parse(
    JSON.stringify(report, (name, value: unknown) =>
      name === "durationMs" || name === "replayed" ? undefined : value,
    ),
  )
