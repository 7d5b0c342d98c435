import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { judge } from "../testing/judge.ts"

const order: JsonObject = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "integer" }, name: { type: "string" } },
}
const event = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: "object",
  properties,
  ...more,
})
const decoded = (contentSchema: JsonObject): JsonObject => ({
  type: "string",
  contentMediaType: "application/json",
  contentSchema,
})

/** Judges the text of a stream that a document describes by a media type object. */
async function problemsIn(type: string, body: JsonValue, media: JsonObject): Promise<unknown> {
  const { status, problems, unchecked } = await judge(
    { version: "3.1", responses: { 200: { description: "", content: { [type]: media } } } },
    { body, headers: { "content-type": `${type}; charset=utf-8` } },
  )
  expect(unchecked).toBeUndefined()
  return status === "passed" ? [] : problems.map(({ path, message }) => `${path}: ${message}`)
}

const events = "text/event-stream"
const lines = "application/x-ndjson"
const good = `{"id":1}\n{"id":2}\n`
const bad = `{"id":1}\n{"id":"x"}\n`
const wrongId = `expected an integer, received a string: "x"`

describe("the schema of a stream of lines", () => {
  it.each<[claim: string, media: JsonObject, path: string]>([
    ["itemSchema describes each item", { itemSchema: order }, "/body/1/id"],
    ["an object describes each item", { schema: order }, "/body/1/id"],
    [
      "an object without a type describes each item",
      { schema: { properties: order["properties"]! } },
      "/body/1/id",
    ],
    ["an array describes all items", { schema: { type: "array", items: order } }, "/body/1/id"],
    ["items without a type describe all items", { schema: { items: order } }, "/body/1/id"],
    ["a union of objects describes each item", { schema: { oneOf: [order] } }, "/body/1/id"],
  ])("%s", async (_, media, path) => {
    expect(await problemsIn(lines, good, media)).toEqual([])
    expect(await problemsIn(lines, bad, media)).toEqual([expect.stringContaining(`${path}: `)])
  })

  it("a string describes the raw text", async () => {
    const schema = { type: "string", pattern: "^\\{" }
    expect(await problemsIn(lines, good, { schema })).toEqual([])
    expect(await problemsIn(lines, `1\n`, { schema })).toEqual([expect.stringContaining("/body: ")])
  })

  it("both schemas apply", async () => {
    const media = { schema: { type: "array", minItems: 3 }, itemSchema: order }
    expect(await problemsIn(lines, bad, media)).toEqual([
      "/body: expected 3 items or more, received 2",
      `/body/1/id: ${wrongId}`,
    ])
  })

  it("a line that isn't JSON is text", async () => {
    expect(await problemsIn(lines, `{"id":1}\nnope\n`, { itemSchema: order })).toEqual([
      `/body/1: expected an object, received a string: "nope"`,
    ])
  })

  it.each<[JsonObject]>([[{}], [{ schema: {} }], [{ schema: { type: "string" } }], [{ itemSchema: true }]])(
    "%j accepts anything",
    async (media) => {
      expect(await problemsIn(lines, `1\nnope\n`, media)).toEqual([])
      expect(await problemsIn(events, `data: x\n\n`, media)).toEqual([])
    },
  )

  it("describes a text sequence, too", async () => {
    const found = await problemsIn("application/json-seq", `\u001e{"id":"x"}\n`, { itemSchema: order })
    expect(found).toEqual([`/body/0/id: ${wrongId}`])
  })
})

describe("the schema of a stream of events", () => {
  const text = `event: made\nid: 1\ndata: {"id":"x"}\n\ndata: {"id":2}\n\n`

  it("as an object describes the data", async () => {
    expect(await problemsIn(events, text, { schema: order })).toEqual([`/body/0/data/id: ${wrongId}`])
  })

  it("as an array describes the events with their decoded data", async () => {
    const items = event({ data: order }, { required: ["data"] })
    expect(await problemsIn(events, text, { schema: { type: "array", items } })).toEqual([
      `/body/0/data/id: ${wrongId}`,
    ])
  })

  it("as itemSchema describes the event, with its data as text", async () => {
    const itemSchema = event({ event: { enum: ["made"] }, data: { type: "string", maxLength: 9 } })
    expect(await problemsIn(events, text, { itemSchema })).toEqual([
      `/body/0/data: expected 9 characters or less, received "{\\"id\\":\\"x\\"}"`,
    ])
    expect(await problemsIn(events, `event: lost\ndata: 1\n\n`, { itemSchema })).toEqual([
      expect.stringContaining("/body/0/event: "),
    ])
    expect(await problemsIn(events, `data: 12\n\n`, { itemSchema })).toEqual([])
  })

  it("as itemSchema describes the decoded data by contentSchema", async () => {
    const itemSchema = event({ data: decoded(order) }, { required: ["data"] })
    expect(await problemsIn(events, text, { itemSchema })).toEqual([`/body/0/data/id: ${wrongId}`])
    expect(await problemsIn(events, `data: nope\n\n`, { itemSchema })).toEqual([
      `/body/0/data: expected JSON, received "nope"`,
    ])
  })

  it("as itemSchema has a contentSchema for each kind of event", async () => {
    const kind = (name: string, data: JsonObject): JsonObject => ({
      properties: { event: { const: name }, data },
    })
    const itemSchema = event(
      { event: { type: "string" }, data: { type: "string" } },
      {
        required: ["event"],
        oneOf: [kind("text", {}), kind("number", { pattern: "^\\d+$" }), kind("order", decoded(order))],
      },
    )
    const stream = (data: string) =>
      `event: text\ndata: {\n\nevent: number\ndata: 5\n\nevent: order\ndata: ${data}\n\n`
    expect(await problemsIn(events, stream(`{"id":1}`), { itemSchema })).toEqual([])
    expect(await problemsIn(events, stream(`{"id":"x"}`), { itemSchema })).toEqual([
      expect.stringMatching(/^\/body\/2/),
    ])
  })

  it("as itemSchema describes decoded data that isn't a string", async () => {
    const itemSchema = event({ data: order })
    expect(await problemsIn(events, text, { itemSchema })).toEqual([`/body/0/data/id: ${wrongId}`])
    const either = event({ data: { oneOf: [order, { type: "string", const: "[DONE]" }] } })
    expect(await problemsIn(events, `data: {"id":1}\n\ndata: [DONE]\n\n`, { itemSchema: either })).toEqual([])
    expect(await problemsIn(events, `data: nope\n\n`, { itemSchema: either })).toHaveLength(1)
  })

  it("finds 1,000 problems at most", async () => {
    const found = await problemsIn(lines, `{"id":"x"}\n`.repeat(5_000), { itemSchema: order })
    expect(found).toHaveLength(21)
    expect((found as string[]).at(-1)).toBe(": and 980 more problems")
  })

  it("doesn't quote a secret", async () => {
    const { problems } = await judge(
      {
        version: "3.1",
        responses: {
          200: { description: "", content: { [events]: { itemSchema: event({ data: decoded(order) }) } } },
        },
      },
      {
        body: `data: {"id":"canary"}\n\n`,
        headers: { "content-type": events },
        isSecret: (secret) => secret.includes("canary"),
      },
    )
    expect(problems[0]?.message).toBe("expected an integer, received ***")
  })
})
