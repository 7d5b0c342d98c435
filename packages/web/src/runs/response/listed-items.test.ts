import { describe, expect, it } from "vitest"
import type { BlockReport, ResponseView } from "@callsheet/format"
import { createItemVerdicts, itemWords, listedItems, messageVerdict } from "./listed-items.ts"

const block = (more: Partial<BlockReport>): BlockReport => ({
  id: "a",
  type: "request",
  status: "passed",
  durationMs: 5,
  request: { method: "GET", url: "http://127.0.0.1:1/***/_messages?path=/a" },
  ...more,
})
const response = (more: Partial<ResponseView>): BlockReport =>
  block({ response: { status: 200, durationMs: 5, sizeBytes: 1, ...more } })

describe("listedItems", () => {
  it("lists the latest items of a stream that goes on, and those before a failure", () => {
    const streamed = { items: 1200, latest: [1, 2] }
    expect(listedItems(block({ streamed, durationMs: 0 }))).toMatchObject({
      words: "1,200 items so far",
      total: 1200,
      isGoing: true,
    })
    expect(listedItems(block({ streamed }))?.words).toBe("1,200 items before the failure")
  })

  it("says what ended a stream", () => {
    const words = (endedBy: NonNullable<ResponseView["endedBy"]>) =>
      listedItems(response({ body: [1], items: 1, endedBy }))?.words
    expect(words("server")).toBe("1 item, ended by the server")
    expect(words("idle")).toBe("1 item, ended after a time without data (streams.idleMs)")
    expect(words("until")).toBe("1 item, ended at an item that ends it (streams.until)")
    expect(words("timeout")).toBe("1 item, ended at the time limit of the request")
  })

  it("lists the messages of the inbox only in its own response", () => {
    const listed = response({ body: { messages: [{}] } })
    expect(listedItems(listed)).toMatchObject({ what: "message", words: "1 message", steps: ["messages"] })
    const other = { method: "GET", url: "http://127.0.0.1:1/messages" }
    expect(listedItems({ ...listed, request: other })).toBeUndefined()
    expect(listedItems(response({ body: [1] }))).toBeUndefined()
  })
})

describe("itemWords", () => {
  it("shows an event by its name, id and data, and any other item by its start", () => {
    expect(itemWords("item", { event: "made", id: "7", data: { a: 1 } })).toEqual({
      name: "made",
      id: "7",
      text: '{"a":1}',
    })
    expect(itemWords("item", { data: 1, more: 2 })).toEqual({ text: '{"data":1,"more":2}' })
    expect(itemWords("item", "x".repeat(10_000)).text).toHaveLength(200)
  })

  it("shows a message by its method, path and body", () => {
    expect(itemWords("message", { method: "PUT", path: "/a" })).toEqual({ name: "PUT /a", text: "" })
  })
})

describe("the verdict on an item", () => {
  it("has the violations of its index, with paths inside it", () => {
    const verdictAt = createItemVerdicts([
      { path: "/body/1/data/id", message: "a" },
      { path: "/body/1", message: "b", known: true },
      { path: "/body/2", message: "c", known: true },
      { path: "/headers/x", message: "d" },
    ])
    expect(verdictAt(0)).toEqual({ problems: [] })
    expect(verdictAt(1)).toMatchObject({
      status: "failed",
      problems: [{ path: "/body/data/id" }, { path: "/body" }],
    })
    expect(verdictAt(2).status).toBe("known")
  })

  it("of a message survives anything in its place", () => {
    expect(messageVerdict(undefined)).toEqual({ status: undefined, problems: [] })
    expect(messageVerdict({ contract: { status: "odd", problems: [1, { path: {}, line: "x" }] } })).toEqual({
      status: undefined,
      problems: [
        { path: "", message: "" },
        { path: "{}", message: "" },
      ],
    })
  })
})
