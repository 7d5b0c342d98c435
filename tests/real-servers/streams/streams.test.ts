// Streams of servers that we didn't write: every event is checked, and endless ones end.

import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { JsonValue } from "@callsheet/format"
import { callsheet } from "../../harness/callsheet.ts"
import { installOnce } from "../../harness/install-once.ts"
import { startServer, type RunningServer } from "../servers.ts"

const installsWithinMs = 150_000

const order = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer", minimum: 1 }, note: { type: "string" } },
}
const itemSchema = {
  type: "object",
  required: ["data"],
  properties: {
    event: { enum: ["created", "message"] },
    id: { type: "string" },
    data: { type: "string", contentMediaType: "application/json", contentSchema: order },
  },
}
const operation = (operationId: string) => ({
  get: {
    operationId,
    responses: { 200: { description: "", content: { "text/event-stream": { itemSchema } } } },
  },
})
const document = {
  openapi: "3.2.0",
  info: { title: "Feed", version: "1" },
  paths: { "/orders": operation("orders"), "/ticks": operation("ticks"), "/waits": operation("waits") },
}
const get = (id: string) => ({ id, type: "request", request: { api: "feed", operation: id } })

beforeAll(() => installOnce(fileURLToPath(new URL(".", import.meta.url))), installsWithinMs)

describe.each([
  ["Hono", "hono-server.mjs", "Hono listens"],
  ["better-sse", "better-sse-server.mjs", "Express listens"],
])("%s", (_, file, ready) => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer(fileURLToPath(new URL(file, import.meta.url)), ready)
  })
  afterAll(() => server.stop())

  it("sends events that are read, checked and ended", async () => {
    const { exitCode, report } = await callsheet(["run", "read", "--reporter", "json"], {
      files: {
        "callsheet.json": { version: 1, streams: { idleMs: 500, maxItems: 50 } },
        "apis/feed/openapi.json": document,
        "apis/feed/environments/local.json": { baseUrl: server.url },
        "apis/feed/environments/schema.json": {
          version: 1,
          variables: { baseUrl: { type: "string", required: true } },
        },
        "apis/workflow/read.json": {
          version: 1,
          validateContracts: true,
          blocks: [get("orders"), get("ticks"), get("waits")],
        },
      },
    })
    const [orders, ticks, waits] = report?.runs[0]?.blocks ?? []
    expect(orders).toMatchObject({
      contract: { status: "passed" },
      response: {
        endedBy: "server",
        body: [1, 2, 3].map((id) => ({ event: "created", id: String(id), data: { id, note: "two\nlines" } })),
      },
    })
    expect(ticks).toMatchObject({
      contract: { status: "passed" },
      response: { endedBy: "items", items: 50 },
    })
    expect((ticks?.response?.body as JsonValue[] | undefined)?.at(-1)).toMatchObject({ data: { id: 50 } })
    expect(waits?.response).toMatchObject({ endedBy: "idle", items: 1 })
    expect(report?.warnings).toBeUndefined()
    expect(exitCode).toBe(0)
  })
})
