// Streams that a mock answers with: written item by item, and checked as a run checks them.

import { expect, it } from "vitest"
import { callsheet } from "../harness/callsheet.ts"
import { send, startMock } from "./mock-process.ts"

const integer = { type: "integer" }
const counted = { type: "object", required: ["n"], properties: { n: integer } }
const event = (data: object, more: object = {}) => ({
  type: "object",
  required: ["data"],
  properties: { event: { const: "tick" }, data, ...more },
})
const encoded = event({ type: "string", contentMediaType: "application/json", contentSchema: counted })

const events = "text/event-stream"
const lines = "application/x-ndjson"

const filesOf = (type: string, media: object) => ({
  "apis/ticks/openapi.json": {
    openapi: "3.2.0",
    info: { title: "Ticks", version: "1" },
    paths: { "/ticks": { get: { responses: { 200: { description: "", content: { [type]: media } } } } } },
  },
})

interface Row {
  readonly is: string
  readonly type: string
  readonly media: object
  readonly sends: string
  /** The path of the value that the log calls wrong. */
  readonly wrong?: string
}

it.each<Row>([
  {
    is: "events of an example",
    type: events,
    media: { itemSchema: event(counted, { id: integer }), example: [{ event: "tick", data: { n: 1 } }] },
    sends: 'event: tick\ndata: {"n":1}\n\n',
  },
  {
    is: "a wrong event",
    type: events,
    media: { itemSchema: event(counted), example: [{ data: { n: 1 } }, { data: { n: "two" } }] },
    sends: 'data: {"n":1}\n\ndata: {"n":"two"}\n\n',
    wrong: "/body/1/data/n",
  },
  {
    is: "events with a text of JSON",
    type: events,
    media: { itemSchema: encoded, example: [{ data: '{"n":1}' }] },
    sends: 'data: {"n":1}\n\n',
  },
  {
    is: "an event with a wrong text of JSON",
    type: events,
    media: { itemSchema: encoded, example: [{ data: '{"n":1}' }, { data: '{"m":1}' }] },
    sends: 'data: {"n":1}\n\ndata: {"m":1}\n\n',
    wrong: "/body/1/data/n",
  },
  {
    is: "a sample of a text of JSON",
    type: events,
    media: { itemSchema: encoded },
    sends: 'event: tick\ndata: {"n":1}\n\n',
  },
  { is: "a sample of data", type: events, media: { schema: counted }, sends: 'data: {"n":1}\n\n' },
  {
    is: "an example that is the raw text",
    type: events,
    media: { itemSchema: event(integer), example: ": hello\nid: 7\ndata: 1\n\ndata: x\n\n" },
    sends: ": hello\nid: 7\ndata: 1\n\ndata: x\n\n",
    wrong: "/body/1/data",
  },
  {
    is: "a wrong line",
    type: lines,
    media: { itemSchema: counted, example: [{ n: 1 }, { n: "x" }] },
    sends: '{"n":1}\n{"n":"x"}\n',
    wrong: "/body/1/n",
  },
  {
    is: "a text sequence with a suffix",
    type: "application/geo+json-seq",
    media: { itemSchema: counted, example: [{ n: 1 }, { n: 2 }] },
    sends: '\u001e{"n":1}\n\u001e{"n":2}\n',
  },
])("sends $is, and logs only what is wrong", async ({ type, media, sends, wrong }) => {
  const mock = await startMock(["--json"], { files: filesOf(type, media) })
  const { status, headers, text } = await send(`${mock.urls["ticks"]}/ticks`)
  expect([status, headers.get("content-type"), text]).toEqual([200, type, sends])
  const [line = ""] = (await mock.stop()).lines
  const { responseErrors = [] } = JSON.parse(line) as { responseErrors?: { path: string }[] }
  expect(responseErrors.map(({ path }) => path)).toEqual(wrong === undefined ? [] : [wrong])
})

it("records a stream as a run does, without its secrets", async () => {
  const secret = "s3cret-of-an-event"
  const hidden = { type: "object", properties: { key: { type: "string", format: "password" } } }
  const files = filesOf(events, {
    itemSchema: event(hidden),
    example: [{ data: 1 }, { data: { key: secret } }],
  })
  const mock = await startMock(["--record", "use.callsheet"], { files })
  expect((await send(`${mock.urls["ticks"]}/ticks`)).text).toContain(secret)
  expect((await mock.stop()).stdout).not.toContain(secret)
  const { stdout } = await callsheet(["report", "use.callsheet", "--json"], { folder: mock.folder })
  expect(stdout).not.toContain(secret)
  expect(JSON.parse(stdout)).toMatchObject({
    runs: [
      {
        blocks: [
          {
            iterations: [
              {
                blocks: [
                  {
                    response: { endedBy: "server", items: 2, body: [{ data: 1 }, { data: { key: "***" } }] },
                  },
                ],
              },
            ],
          },
        ],
      },
    ],
  })
})
