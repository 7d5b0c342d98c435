// A project whose shop calls back. A test decides what the shop sends to the address that it is given.

import { rm } from "node:fs/promises"
import { onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles, type CallOptions, type Files } from "../harness/callsheet.ts"

const paid = {
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["id", "state"],
        properties: { id: { type: "integer" }, state: { enum: ["paid"] } },
      },
    },
  },
}
const answered = { 204: { description: "Received." } }

export const shopDocument = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/subscriptions": {
      post: {
        operationId: "subscribe",
        requestBody: { content: { "application/json": { schema: { type: "object" } } } },
        responses: { 201: { description: "Subscribed." } },
        callbacks: {
          onPaid: { "{$request.body#/url}": { post: { requestBody: paid, responses: answered } } },
        },
      },
    },
  },
  webhooks: {
    shipped: {
      post: {
        requestBody: {
          content: { "application/json": { schema: { type: "object", required: ["parcel"] } } },
        },
        responses: answered,
      },
    },
  },
}

/** Subscribes with an address below the inbox. The shop has called back when it responds. */
export const subscribe = (path: string, id = "subscribe") => ({
  id,
  type: "request",
  request: {
    api: "shop",
    operation: "subscribe",
    overrides: { body: { url: `{{env.inbox.baseUrl}}${path}` } },
  },
})

export const read = (id: string, query: Readonly<Record<string, string>> = {}) => ({
  id,
  type: "request",
  request: { api: "inbox", operation: "listMessages", overrides: { params: { query } } },
})

export const equals = (source: string, value: unknown) => ({ source, operator: "equals", value })

/** Asserts how many messages a block has read. */
export const counts = (block: string, count: number): readonly object[] => {
  const messages = `${block}.response.body.messages`
  const last = count === 0 ? [] : [{ source: `${messages}.${count - 1}`, operator: "exists" }]
  return [...last, { source: `${messages}.${count}`, operator: "notExists" }]
}

export const assert = (...assertions: readonly object[]) => ({ id: "check", type: "assert", assertions })

export const workflow = (...blocks: readonly object[]) => ({ version: 1, blocks })

export const strict = (...blocks: readonly object[]) => ({ ...workflow(...blocks), validateContracts: true })

export const json = (body: unknown): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
})

export interface InboxProject {
  readonly folder: string
  /** The addresses that the shop was given. */
  readonly urls: readonly string[]
  readonly run: (words: string, options?: CallOptions) => ReturnType<typeof callsheet>
  readonly write: (files: Files) => Promise<void>
}

/** Opens a project with an inbox. It is removed after the test. */
export async function openInboxProject(
  workflows: Readonly<Record<string, object>>,
  deliver: (url: string) => Promise<unknown> = () => Promise.resolve(),
): Promise<InboxProject> {
  const urls: string[] = []
  const api = await startApi({
    "POST /subscriptions": async ({ json: body }) => {
      const { url } = body as { url: string }
      urls.push(url)
      await deliver(url)
      return { status: 201 }
    },
  })
  const folder = await createFolder({
    "apis/shop/openapi.json": shopDocument,
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    ...Object.fromEntries(
      Object.entries(workflows).map(([name, content]) => [`apis/workflow/${name}.json`, content]),
    ),
  })
  onTestFinished(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  const call = (words: readonly string[], options?: CallOptions) => callsheet(words, { folder, ...options })
  const added = await call(["init", "--inbox"])
  if (added.exitCode !== 0) throw new Error(added.stderr)
  return {
    folder,
    urls,
    run: (words, options) => call(words.split(" "), options),
    write: (files) => writeFiles(folder, files),
  }
}
