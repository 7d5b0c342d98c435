import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "@callsheet/format"
import { operationOf } from "../testing/document-of.ts"
import { said } from "../testing/type-of.ts"
import { responseTypes } from "./response-types.ts"

const order = {
  type: "object",
  required: ["sku"],
  properties: { sku: { type: "string" }, count: { type: "integer" } },
}

type MediaTypes = readonly (readonly [mediaType: string, schema?: JsonValue])[]

const contentOf = (...types: MediaTypes): JsonObject => ({
  content: Object.fromEntries(types.map(([type, schema]) => [type, schema === undefined ? {} : { schema }])),
})

async function responsesOf(responses: JsonObject, method = "post", components: JsonObject = {}) {
  const { operation } = await operationOf({ responses }, { version: "3.1", method, components })
  return responseTypes(operation)
}

describe("bodies of responses", () => {
  it.each<readonly [types: MediaTypes, path: string, outcome: string]>([
    [[["application/json", order]], "count", "number"],
    [[["application/json", order]], "cuont", "nowhere"],
    [[["application/problem+json; charset=utf-8", order]], "count", "number"],
    [[["application/json"]], "count", "unknown"],
    [[["text/plain", { type: "string" }]], "", "string"],
    [[["application/xml", order]], "count", "nowhere"],
    [[["text/csv"]], "", "string"],
    [[["image/png", { type: "string", format: "binary" }]], "", "string"],
    [[["*/*", order]], "", "object|string"],
    [[["*/*", order]], "cuont", "nowhere"],
    [[["application/*"]], "", "unknown"],
    [[["text/plain", order]], "count", "number"],
    [
      [
        ["application/json", order],
        ["application/xml", order],
      ],
      "",
      "object|string",
    ],
    [
      [
        ["application/json", order],
        ["application/hal+json", { properties: { links: {} } }],
      ],
      "cuont",
      "nowhere",
    ],
  ])("of %j: %s is %s", async (types, path, outcome) => {
    const [response] = await responsesOf({ 200: { description: "", ...contentOf(...types) } })
    expect(said(response!.body!, path)).toBe(outcome)
  })

  const event = (data: JsonObject): JsonObject => ({ type: "object", properties: { data } })
  const text: JsonObject = { type: "string", contentMediaType: "application/json", contentSchema: order }

  it.each<readonly [type: string, media: JsonObject, path: string, outcome: string]>([
    ["application/x-ndjson", { itemSchema: order }, "0.count", "number"],
    ["application/x-ndjson", { itemSchema: order }, "count", "nowhere"],
    ["application/jsonl", { schema: order }, "0.count", "number"],
    ["application/json-seq", { schema: { type: "array", items: order } }, "1.count", "number"],
    ["application/x-ndjson", { schema: { type: "string" } }, "0.count", "unknown"],
    ["text/event-stream", {}, "0.data.count", "unknown"],
    ["text/event-stream", {}, "0.event", "string"],
    ["text/event-stream", {}, "0.dtaa", "nowhere"],
    ["text/event-stream", { schema: order }, "0.data.count", "number"],
    ["text/event-stream", { itemSchema: event(text) }, "0.data.count", "number"],
    ["text/event-stream", { itemSchema: event(text) }, "0.data.cuont", "nowhere"],
    ["text/event-stream", { itemSchema: event({ type: "string" }) }, "0.data.count", "unknown"],
    ["text/event-stream", { itemSchema: event(order) }, "0.data.count", "number"],
    ["text/event-stream", { schema: { type: "array", items: event(order) } }, "0.data.count", "number"],
  ])("are arrays of items for streams: %s with %j, %s: %s", async (type, media, path, outcome) => {
    const [response] = await responsesOf({ 200: { description: "", content: { [type]: media } } })
    expect(response?.isStream).toBe(true)
    expect(said(response!.body!, path)).toBe(outcome)
  })

  it("keeps statuses, ranges and the default under their keys", async () => {
    const responses = await responsesOf({
      200: { description: "" },
      "4xx": { description: "" },
      default: { description: "" },
      "x-other": {},
    })
    expect(responses.map(({ status }) => status)).toEqual(["200", "4XX", "default"])
    expect(responses.every(({ body }) => body === undefined)).toBe(true)
  })

  it("expects no body where HTTP has none", async () => {
    const content = contentOf(["application/json", order])
    const bodies = (list: Awaited<ReturnType<typeof responsesOf>>) =>
      list.map(({ body }) => body !== undefined)
    expect(bodies(await responsesOf({ 200: content, 204: content, 304: content }))).toEqual([
      true,
      false,
      false,
    ])
    expect(bodies(await responsesOf({ 200: content }, "head"))).toEqual([false])
  })

  it("knows nothing about a response whose reference doesn't resolve", async () => {
    const [broken, found] = await responsesOf(
      { 200: { $ref: "#/components/responses/Lost" }, 201: { $ref: "#/components/responses/Made" } },
      "post",
      { responses: { Made: { description: "", ...contentOf(["application/json", order]) } } },
    )
    expect([said(broken!.body!, "a"), said(found!.body!, "sku")]).toEqual(["unknown", "string"])
  })

  it("has headers by their lowercase names", async () => {
    const headers = {
      "X-Total": { schema: { type: "integer" } },
      "Set-Cookie": { schema: { type: "string" } },
    }
    const [response] = await responsesOf({ 200: { description: "", headers } })
    expect(response!.headers).toEqual(["x-total", "set-cookie"])
  })
})
