// A project whose server gives other ids and times in each response, and whose other values a test sets.

import { randomUUID } from "node:crypto"
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import type { BlockReport } from "@callsheet/format"
import { onTestFinished } from "vitest"
import { startApi, type Answer } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles, type CallOptions, type Files } from "../harness/callsheet.ts"

const order = {
  type: "object",
  properties: {
    id: { type: "string", format: "uuid" },
    createdAt: { type: "string", format: "date-time" },
    revision: { type: "integer", readOnly: true },
    total: { type: "number" },
  },
}

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders/{n}": {
      get: {
        operationId: "getOrder",
        parameters: [{ name: "n", in: "path", required: true, schema: { type: "string" } }],
        responses: { 200: { description: "", content: { "application/json": { schema: order } } } },
      },
    },
  },
}

export const get = (id: string, n: number | string = id, more: object = {}) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "getOrder", overrides: { params: { path: { n: String(n) } }, ...more } },
})

export const workflow = (...blocks: readonly object[]) => ({ version: 1, blocks })

export interface Order {
  body: Record<string, unknown>
  status?: number
  headers: Record<string, string>
}

interface SnapshotProject {
  readonly folder: string
  readonly url: string
  /** Changes the response for a path value. */
  readonly changes: Map<string, (order: Order) => void>
  readonly run: (words: string, options?: CallOptions) => ReturnType<typeof callsheet>
  readonly write: (files: Files) => Promise<void>
  readonly snapshot: (name: string) => Promise<Record<string, unknown>>
}

/** Opens a project with the workflow `checkout`, unless `files` has others. It is removed after the test. */
export async function openSnapshotProject(files: Files = {}): Promise<SnapshotProject> {
  const changes: SnapshotProject["changes"] = new Map()
  let count = 0
  const api = await startApi({
    "*": ({ path }): Answer => {
      const found: Order = {
        headers: {},
        body: {
          id: randomUUID(),
          createdAt: new Date(Date.UTC(2026, 0, 1) + count * 1000).toISOString(),
          revision: ++count,
          total: 10,
          state: "open",
          items: [
            { sku: "A-1", amount: 1 },
            { sku: "B-2", amount: 2 },
          ],
        },
      }
      changes.get(path.replace("/orders/", ""))?.(found)
      return found
    },
  })
  const folder = await createFolder({
    "apis/shop/openapi.json": document,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        key: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/checkout.json": workflow(get("create"), get("pay")),
    ...files,
  })
  onTestFinished(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    folder,
    url: api.url,
    changes,
    run: (words, options) => callsheet(["run", ...words.split(" ")], { folder, ...options }),
    write: (more) => writeFiles(folder, more),
    snapshot: async (name) =>
      JSON.parse(await readFile(join(folder, "snapshots", name), "utf8")) as Record<string, unknown>,
  }
}

/** Returns the paths of the differences of a block, with both sides. */
export const differencesOf = (block: BlockReport | undefined): readonly unknown[] =>
  (block?.assertions ?? []).map(({ source, expected, actual }) => [source, expected, actual])
