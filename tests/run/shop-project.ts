// A small project of one API, `shop`, and one workflow, `w`, for tests that run blocks as a user does.

import type { BlockReport, RunReport } from "@callsheet/format"
import { startApi, type Answer, type ApiServer, type Route } from "../harness/api-server.ts"
import { callsheet, type CallOptions, type CallResult, type Files } from "../harness/callsheet.ts"

export interface ShopRun extends CallResult {
  /** The run of `w`. */
  readonly run: RunReport
  /** Returns the block with an expanded id, or the last of several. */
  readonly block: (id: string) => BlockReport
  /** `id status` or `id status reason` of every block, in report order. */
  readonly outline: readonly string[]
  readonly requests: ApiServer["requests"]
}

export interface ShopOptions {
  readonly routes?: Readonly<Record<string, Answer | Route>>
  readonly words?: readonly string[]
  /** Added to the files of the project, or replacing them. */
  readonly files?: (url: string) => Files
  readonly workflow?: Readonly<Record<string, unknown>>
  readonly env?: CallOptions["env"]
  readonly timeoutMs?: number
}

const operation = (operationId: string, tag: string) => ({
  operationId,
  tags: [tag],
  responses: { default: { description: "Any." } },
})

export const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/echo": { get: operation("echo", "tools"), post: operation("postEcho", "tools") },
    "/items/{id}": { get: operation("getItem", "items"), delete: operation("deleteItem", "items") },
    "/orders": { get: operation("list", "orders"), post: operation("create", "orders") },
    "/customers": { get: operation("list", "customers") },
  },
}

export const shopFiles = (
  url: string,
  blocks: readonly unknown[],
  workflow: ShopOptions["workflow"] = {},
): Files => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      token: { type: "string", required: false, secret: true },
      tier: { type: "number", required: false },
    },
  },
  "apis/shop/environments/local.json": { baseUrl: url, tier: 3 },
  "apis/shop/environments/local.secrets.env": "token=s3cr3t-t0k3n\n",
  "apis/workflow/w.json": { version: 1, ...workflow, blocks },
})

const defaultRoutes: ShopOptions["routes"] = {
  "GET /echo": (request) => ({
    body: {
      query: Object.fromEntries(request.query),
      headers: request.headers,
      cookie: request.headers.cookie ?? null,
    },
  }),
  "POST /echo": (request) => ({
    status: 201,
    body: { json: request.json ?? null, text: request.text, type: request.headers["content-type"] ?? null },
  }),
  "*": (request) => ({ body: { path: request.path } }),
}

/** Runs blocks as the workflow `w`, and stops the server afterwards. */
export async function runBlocks(blocks: readonly unknown[], options: ShopOptions = {}): Promise<ShopRun> {
  const api = await startApi({ ...defaultRoutes, ...options.routes })
  try {
    const result = await callsheet(["run", "w", "--reporter", "json", ...(options.words ?? [])], {
      files: { ...shopFiles(api.url, blocks, options.workflow), ...options.files?.(api.url) },
      env: { ...options.env },
      timeoutMs: options.timeoutMs ?? 15_000,
    })
    const run = result.report?.runs[0]
    if (run === undefined) throw new Error(`no report\n${result.stdout}\n${result.stderr}`)
    const all = everyBlock(run.blocks)
    return {
      ...result,
      run,
      requests: api.requests,
      outline: all.map(({ id, status, reason }) =>
        reason === undefined ? `${id} ${status}` : `${id} ${status} ${reason}`,
      ),
      block: (id) => {
        const block = all.findLast((one) => one.id === id)
        if (block === undefined) throw new Error(`no block ${id} in ${all.map((one) => one.id).join(", ")}`)
        return block
      },
    }
  } finally {
    await api.close()
  }
}

// Iterative, because a report may nest deeper than the stack.
function everyBlock(blocks: readonly BlockReport[]): readonly BlockReport[] {
  const all: BlockReport[] = []
  const work = [...blocks].reverse()
  for (let block = work.pop(); block !== undefined; block = work.pop()) {
    all.push(block)
    const inner = [
      ...(block.blocks ?? []),
      ...(block.iterations ?? []).flatMap((iteration) => iteration.blocks),
    ]
    for (const child of inner.reverse()) work.push(child)
  }
  return all
}

/** A request block. */
export const request = (id: string, target: Readonly<Record<string, unknown>>) => ({
  id,
  type: "request",
  request: { api: "shop", ...target },
})

/** A GET of `/echo` that sends its query. */
export const echo = (id: string, query: Readonly<Record<string, string>> = {}) =>
  request(id, { operation: "echo", overrides: { params: { query } } })

/** Creates an assert block. Each row is `[source, operator, value?]`. */
export const assert = (id: string, ...rows: readonly (readonly [string, string, unknown?])[]) => ({
  id,
  type: "assert",
  assertions: rows.map(([source, operator, value]) => ({
    source,
    operator,
    ...(value === undefined ? {} : { value }),
  })),
})
