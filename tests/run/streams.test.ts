// Streams are responses whose body is an array: what ends them, what blocks and scripts read, and what reports say.

import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BlockReport } from "@callsheet/format"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"
import { startStreams, streamNames, type StreamServer } from "./streams-server.ts"

const eventType = "text/event-stream"
const order = { type: "object", required: ["id"], properties: { id: { type: "integer" } } }
const types: Readonly<Record<string, string>> = {
  lines: "application/x-ndjson",
  jsonl: "application/jsonl",
  sequence: "application/json-seq",
  malformed: "application/x-ndjson",
}

let server: StreamServer
beforeAll(async () => {
  server = await startStreams()
})
afterAll(() => server.close())

/** Documents every stream, with media type objects by name. */
const documentOf = (media: Readonly<Record<string, object>> = {}) => ({
  openapi: "3.2.0",
  info: { title: "Feed", version: "1" },
  paths: Object.fromEntries(
    streamNames.map((name) => [
      `/${name}`,
      {
        get: {
          operationId: name,
          parameters: [{ name: "count", in: "query", schema: { type: "integer" } }],
          responses: { 200: { description: "", content: { [types[name] ?? eventType]: media[name] ?? {} } } },
        },
      },
    ]),
  ),
})

const get = (operation: string, overrides?: object) => ({
  id: operation,
  type: "request",
  request: { api: "feed", operation, ...(overrides === undefined ? {} : { overrides }) },
})
const check = (id: string, ...assertions: readonly object[]) => ({ id, type: "assert", assertions })

interface Given {
  readonly blocks: readonly object[]
  readonly streams?: object
  readonly media?: Readonly<Record<string, object>>
  readonly workflow?: object
  readonly files?: Files
}

const filesOf = ({ blocks, streams, media, workflow, files }: Given): Files => ({
  "callsheet.json": { version: 1, streams: { idleMs: 150, ...streams } },
  "apis/feed/openapi.json": documentOf(media),
  "apis/feed/environments/local.json": { baseUrl: server.url },
  "apis/feed/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/workflow/read.json": { version: 1, onFailure: "continue", ...workflow, blocks },
  ...files,
})

const run = (given: Given, ...options: readonly string[]) =>
  callsheet(["run", "read", ...options], { files: filesOf(given) })

/** Runs one request, and returns its block's report. */
async function receive(
  name: string,
  given: Partial<Given> = {},
  ...options: readonly string[]
): Promise<BlockReport> {
  const { report } = await run({ blocks: [get(name)], ...given }, "--reporter", "json", ...options)
  const block = report?.runs[0]?.blocks[0]
  if (block === undefined) throw new Error("the block didn't run")
  return block
}

describe("the body of a stream", () => {
  it.each<[name: string, body: readonly unknown[]]>([
    ["orders", [{ event: "created", id: "1", data: { id: 7 } }, { data: { id: 8 } }]],
    ["scalars", [{ data: 5 }, { data: true }, { data: "hello" }]],
    ["lines", [{ id: 7 }, { id: 8 }, { id: 9 }]],
    ["jsonl", [{ id: 7 }]],
    ["sequence", [{ id: 7 }, { id: 8 }]],
    ["bytes", [{ event: "made", id: "1", data: { n: "é€😀" } }, { data: 2 }, { data: "x" }]],
    ["invalid-utf8", [{ data: "a\uFFFD" }]],
    ["empty", []],
  ])("is an array: %s", async (name, body) => {
    const { status, response } = await receive(name)
    expect(status).toBe("passed")
    expect(response).toMatchObject({ body, items: body.length, endedBy: "server" })
  })

  it("is read by assertions, loops and placeholders like any other", async () => {
    const { exitCode, report } = await run(
      {
        blocks: [
          get("orders"),
          check(
            "ids",
            { source: "orders.response.body.0.data.id", operator: "equals", value: 7 },
            { source: "orders.response.body.0.event", operator: "equals", value: "created" },
            { source: "orders.response.body.2", operator: "notExists" },
            { source: "orders.response.bodyText", operator: "contains", value: "event: created\nid: 1\n" },
          ),
          {
            id: "each",
            type: "loop",
            mode: "forEach",
            source: "orders.response.body",
            iteratorVar: "one",
            blocks: [check("has-{{$index}}", { source: "one.data.id", operator: "greaterThan", value: 6 })],
          },
        ],
      },
      "--reporter",
      "json",
    )
    expect(report?.runs[0]?.counts).toMatchObject({ failed: 0 })
    expect(exitCode).toBe(0)
  })

  it("has its raw text for scripts", async () => {
    const script = `import type { AssertContext } from "@callsheet/sdk"
export function raw(ctx: AssertContext): void {
  ctx.expect(ctx.get("orders.response.bodyText")).toContain("data: {\\"id\\":8}\\n\\n")
  ctx.expect("orders.response.body.1.data.id").toEqual(8)
}
`
    const { exitCode, stdout } = await run({
      blocks: [get("orders"), { id: "raw", type: "assert", script: { name: "checks", exportName: "raw" } }],
      files: { "apis/workflow/scripts/read/checks.ts": script },
    })
    expect(stdout).toContain("read passed")
    expect(exitCode).toBe(0)
  })
})

describe("a workflow that reads a stream", () => {
  const data = { type: "string", contentMediaType: "application/json", contentSchema: order }
  const media = { orders: { itemSchema: { type: "object", properties: { data } } } }

  it.each<[source: string, message: string]>([
    ["orders.response.body.0.data.idd", 'no property "idd"'],
    ["orders.response.body.id", '"id"'],
    ["orders.response.bodyTxt", '"bodyTxt"'],
  ])("has paths that the document knows: %s", async (source, message) => {
    const wrong = filesOf({ blocks: [get("orders"), check("ids", { source, operator: "exists" })], media })
    expect((await callsheet(["validate"], { files: wrong })).stdout).toContain(message)
  })
})

describe("a stream ends", () => {
  it.each<[name: string, endedBy: string, body: readonly unknown[]]>([
    ["idle", "idle", [{ data: { id: 7 } }]],
    ["gzip", "idle", [{ data: { id: 7 } }]],
    ["br", "idle", [{ data: { id: 7 } }]],
    ["done", "until", [{ data: { id: 7 } }, { event: "done", data: "bye" }]],
    ["mark", "until", [{ data: { id: 7 } }]],
  ])("without failing: %s", async (name, endedBy, body) => {
    const { status, response } = await receive(name)
    expect(status).toBe("passed")
    expect(response).toMatchObject({ endedBy, body, items: body.length })
  })

  it("after 1,000 items, or another number", async () => {
    expect((await receive("flood")).response).toMatchObject({ endedBy: "items", items: 1000 })
    const { response } = await receive("flood", { streams: { maxItems: 3 } })
    expect(response).toMatchObject({
      endedBy: "items",
      items: 3,
      body: [{ id: "0" }, { id: "1" }, { id: "2" }],
    })
  })

  it("at the time limit of the request, if it has an item", async () => {
    const { status, response } = await receive("beats", {}, "--timeout", "400")
    expect(status).toBe("passed")
    expect(response).toMatchObject({ endedBy: "timeout", items: 1 })
    const silent = await receive("silent", {}, "--timeout", "400")
    expect(silent).toMatchObject({ status: "failed", error: { code: "request-timeout" } })
  })

  it("at other names and texts", async () => {
    const { response } = await receive("orders", { streams: { until: ["created"] } })
    expect(response).toMatchObject({ endedBy: "until", items: 1 })
    const text = await receive("scalars", { streams: { until: ["true"] } })
    expect(text.response).toMatchObject({ endedBy: "until", body: [{ data: 5 }] })
    const none = await receive("mark", { streams: { until: [] } })
    expect(none.response).toMatchObject({ endedBy: "idle", items: 3 })
  })

  it("and fails if it breaks off or is too large", async () => {
    expect(await receive("breaks")).toMatchObject({ status: "failed", error: { code: "request-failed" } })
    const large = await receive("large", {}, "--max-response-size", "64KiB")
    expect(large.error?.message).toContain("the response is larger than 64 KiB")
  })

  it.each<[claim: string, streams: object, message: string]>([
    ["an idle time of 0", { idleMs: 0 }, "streams.idleMs is 0; expected more than 0"],
    ["no items", { maxItems: 0 }, "streams.maxItems is 0; expected 1 or more"],
    ["an empty name", { until: [""] }, "streams.until[0]"],
    ["an unknown field", { idle: 1 }, 'streams: unknown field "idle"'],
  ])("never by %s", async (_, streams, message) => {
    const { exitCode, stdout } = await callsheet(["validate"], {
      files: filesOf({ blocks: [get("idle")], streams }),
    })
    expect(stdout).toContain(message)
    expect(exitCode).toBe(1)
  })
})

describe("the contract of a stream", () => {
  const contracts = { workflow: { validateContracts: true } }
  const itemSchema = {
    type: "object",
    properties: {
      data: { type: "string", contentMediaType: "application/json", contentSchema: order },
    },
  }

  it.each<[claim: string, name: string, media: object, path: string]>([
    ["itemSchema", "scalars", { itemSchema }, "/body/0/data"],
    ["an object", "scalars", { schema: order }, "/body/0/data"],
    ["an array", "malformed", { schema: { type: "array", items: order } }, "/body/1"],
    ["lines", "malformed", { itemSchema: order }, "/body/1"],
    ["a string", "orders", { schema: { type: "string", pattern: "^data" } }, "/body"],
  ])("names the item: %s", async (_, name, media, path) => {
    const { status, contract } = await receive(name, { ...contracts, media: { [name]: media } })
    expect(status).toBe("failed")
    expect(contract?.problems[0]).toMatchObject({ path, file: "apis/feed/openapi.json" })
    const good = await receive("orders", { ...contracts, media: { orders: { itemSchema } } })
    expect(good).toMatchObject({ status: "passed", contract: { status: "passed" } })
  })
})

describe("100,000 events", () => {
  it("fit into the memory of their body", async () => {
    const count = 100_000
    const { exitCode, stdout } = await callsheet(["run", "read", "--timeout", "60000"], {
      files: filesOf({
        blocks: [get("flood", { params: { query: { count: String(count) } } })],
        streams: { maxItems: count * 2 },
      }),
      // The items take about 40 MB.
      env: { NODE_OPTIONS: "--max-old-space-size=90" },
      timeoutMs: 90_000,
    })
    expect(stdout).toContain("100000 items, ended by the server")
    expect(exitCode).toBe(0)
  }, 100_000)
})

describe("a report of a stream", () => {
  it("says what ended it, on the screen and in HTML", async () => {
    const folder = await createFolder(filesOf({ blocks: [get("idle"), get("done")] }))
    const { stdout } = await callsheet(["run", "read", "--reporter", "pretty", "--reporter", "html=r.html"], {
      folder,
    })
    expect(stdout).toMatch(/idle +GET \/idle {2}200 {2}1 item, ended by streams.idleMs/)
    expect(stdout).toMatch(/done +GET \/done {2}200 {2}2 items, ended by streams.until/)
    expect(await readFile(join(folder, "r.html"), "utf8")).toContain("1 item, ended by streams.idleMs")
    await rm(folder, { recursive: true })
  })

  it("shows each item as it arrives", async () => {
    const { stdout } = await run({ blocks: [get("idle"), get("orders")] }, "--reporter", "ndjson")
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { type: string; item?: unknown })
    const order = events.flatMap(({ type, item }) =>
      type === "stream.item" ? [item] : type === "response.received" ? [type] : [],
    )
    expect(order).toEqual([
      { data: { id: 7 } },
      "response.received",
      { event: "created", id: "1", data: { id: 7 } },
      { data: { id: 8 } },
      "response.received",
    ])
    expect((await run({ blocks: [get("idle")] }, "--very-verbose")).stdout).toContain("idle item 0")
  })

  it.each<[name: string, message: string]>([
    ["malformed", "body.1 of the stream is not JSON, so it is text (2 items in all)"],
    ["invalid-utf8", "body.0 of the stream is not valid UTF-8, so it has replacement characters"],
    ["cut", "the stream ended within an event, so callsheet ignored that event, as browsers do"],
  ])("warns about items: %s", async (name, message) => {
    const { exitCode, stdout } = await run({ blocks: [get(name)] })
    expect(stdout).toContain(`${message} (stream-item-invalid)`)
    expect(exitCode).toBe(0)
  })

  it("is an archive with the text of the stream", async () => {
    const { stdout } = await run({ blocks: [get("orders"), get("sequence")] }, "--reporter", "har")
    const { log } = JSON.parse(stdout) as { log: { entries: { response: { content: { text: string } } }[] } }
    expect(log.entries.map(({ response }) => response.content.text)).toEqual([
      'event: created\nid: 1\ndata: {"id":7}\n\ndata: {"id":8}\n\n',
      '\u001e{"id":7}\n\u001e{"id":8}\n',
    ])
  })

  it.each(["ndjson", "json", "pretty", "har", "html"])(
    "never shows a secret, although it arrives in two pieces: %s",
    async (reporter) => {
      const shown = reporter === "pretty" ? ["--very-verbose"] : ["--reporter", reporter]
      const { stdout, stderr } = await run({ blocks: [get("secret")] }, ...shown)
      expect(stdout).toContain("again *** here")
      expect(stdout + stderr).not.toContain("47110815")
    },
  )
})

describe("a record of a stream", () => {
  it("repeats the items with their times, without waiting", async () => {
    const script = `import type { AssertContext } from "@callsheet/sdk"
export function raw(ctx: AssertContext): void {
  ctx.expect(ctx.get("beats.response.bodyText")).toContain(": beat")
}
`
    const folder = await createFolder(
      filesOf({
        blocks: [
          get("beats"),
          get("secret"),
          { id: "raw", type: "assert", script: { name: "checks", exportName: "raw" } },
        ],
        files: { "apis/workflow/scripts/read/checks.ts": script },
      }),
    )
    const itemsIn = (text: string) => text.split("\n").filter((line) => line.includes('"stream.item"'))
    const first = await callsheet(
      ["run", "read", "--timeout", "1500", "--reporter", "ndjson", "--record", "r.rec"],
      { folder },
    )
    expect(first.exitCode).toBe(0)
    expect(gunzipSync(await readFile(join(folder, "r.rec"))).toString()).not.toContain("47110815")
    const shown = await callsheet(["report", "r.rec", "--reporter", "ndjson"], { folder })
    expect(itemsIn(shown.stdout)).toEqual(itemsIn(first.stdout))
    expect(itemsIn(first.stdout)).toHaveLength(3)
    const { exitCode, report } = await callsheet(["replay", "r.rec", "--json"], { folder })
    expect(exitCode).toBe(0)
    expect(report?.durationMs).toBeLessThan(1_000)
    const [beats, secret] = report?.runs[0]?.blocks ?? []
    expect(beats?.response).toMatchObject({ endedBy: "timeout", items: 1, body: [{ data: { id: 7 } }] })
    expect(beats?.response?.durationMs).toBeGreaterThan(1_000)
    expect(secret?.response).toMatchObject({ endedBy: "server", items: 2 })
    await rm(folder, { recursive: true })
  })
})
