// A project with an API whose responses violate its document in many ways, and a server that can be changed.

import { rm } from "node:fs/promises"
import type { Report } from "@callsheet/format"
import { startApi, type Answer } from "../harness/api-server.ts"
import {
  callsheet,
  createFolder,
  readText,
  writeFiles,
  type CallOptions,
  type Files,
} from "../harness/callsheet.ts"

export interface Entry {
  readonly api: string
  readonly operation: string
  readonly status: number
  readonly path: string
  readonly schema: string
  readonly reason?: string
  readonly expires?: string
}

export const BASELINE = "callsheet.baseline.json"
export const schemas = "openapi.json#/components/schemas"

/** The response of `GET /orders` that violates its contract three times, twice in the same way. */
export const broken = {
  total: "3",
  items: [{ id: 1, price: "2" }, { id: 2, price: "4" }, { id: 3 }],
}

export const total: Entry = {
  api: "shop",
  operation: "GET /orders",
  status: 200,
  path: "/body/total",
  schema: `${schemas}/Page/properties/total/type`,
  reason: "old",
}
export const price: Entry = {
  ...total,
  path: "/body/items/*/price",
  schema: `${schemas}/Item/properties/price/type`,
}

const document = (page = "Page") => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": { get: operation("listOrders", page) },
    "/ping": { get: operation("ping") },
  },
  components: {
    schemas: {
      [page]: {
        type: "object",
        properties: {
          total: { type: "integer" },
          items: { type: "array", items: { $ref: "#/components/schemas/Item" } },
          "*": { type: "string" },
        },
      },
      Item: { type: "object", properties: { id: { type: "integer" }, price: { type: "number" } } },
      Closed: { type: "object", additionalProperties: false },
    },
  },
})

const operation = (operationId: string, schema?: string) => ({
  operationId,
  responses: {
    200: {
      description: "",
      ...(schema === undefined
        ? {}
        : { content: { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } } }),
    },
  },
})

const send = (id: string, name: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation: name },
})

export interface TestProject {
  readonly folder: string
  readonly call: (words: readonly string[], options?: CallOptions) => ReturnType<typeof callsheet>
  /** Runs everything. Returns the report and the exit code. */
  readonly run: (
    ...words: readonly string[]
  ) => Promise<{ exitCode: number | undefined; report: Report; stderr: string }>
  /** Sets the answer of `GET /orders`. */
  readonly answer: (body: unknown, more?: Answer) => void
  readonly ping: (answer: Answer) => void
  readonly write: (files: Files) => Promise<void>
  /** Renames the component of the response, or replaces the schema. */
  readonly document: (page?: string) => Promise<void>
  readonly baseline: (...entries: readonly Entry[]) => Promise<void>
  readonly text: () => Promise<string | undefined>
  readonly entries: () => Promise<readonly Entry[]>
  readonly close: () => Promise<void>
}

export async function openProject(): Promise<TestProject> {
  let orders: Answer = { body: broken }
  let pinged: Answer = {}
  const api = await startApi({ "GET /orders": () => orders, "GET /ping": () => pinged })
  const folder = await createFolder({
    "apis/shop/openapi.json": document(),
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        token: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/shop/environments/local.secrets.env": "token=s3cret-token-canary\n",
    "apis/workflow/all.json": {
      version: 1,
      validateContracts: true,
      blocks: [send("orders", "listOrders"), send("ping", "ping")],
    },
  })
  const call = (words: readonly string[], options: CallOptions = {}) =>
    callsheet(words, { folder, timeoutMs: 60_000, ...options })
  const text = () => readText(folder, BASELINE)
  return {
    folder,
    call,
    run: async (...words) => {
      const { exitCode, stdout, stderr } = await call(["run", "--all", "--json", ...words])
      return { exitCode, report: JSON.parse(stdout) as Report, stderr }
    },
    answer: (body, more = {}) => {
      orders = { body, ...more }
    },
    ping: (answer) => {
      pinged = answer
    },
    write: (files) => writeFiles(folder, files),
    document: (page) => writeFiles(folder, { "apis/shop/openapi.json": document(page) }),
    baseline: (...violations) => writeFiles(folder, { [BASELINE]: { version: 1, violations } }),
    text,
    entries: async () =>
      (JSON.parse((await text()) ?? '{"violations":[]}') as { violations: readonly Entry[] }).violations,
    close: async () => {
      await api.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
