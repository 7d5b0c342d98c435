// A value may repeat others, but not so often that it fills the memory. In the app, such a run would stop all calls.

import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"

const STEPS = 40

const transform = (id: string, transforms: Readonly<Record<string, string>>) => ({
  id,
  type: "transform",
  transforms,
})
const start = transform("t0", { a: "text", b: "text" })
const steps = (make: (before: string) => Readonly<Record<string, string>>) =>
  Array.from({ length: STEPS }, (_, at) => transform(`t${at + 1}`, make(`t${at}`)))
const request = (body: unknown) => ({
  id: "send",
  type: "request",
  request: { api: "shop", operation: "addItem", overrides: { body } },
})

async function run(blocks: readonly object[], text = "x") {
  const api = await startApi({ "*": { body: {} } })
  onTestFinished(() => api.close())
  const files = {
    "apis/shop/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: {
        "/items": {
          post: {
            operationId: "addItem",
            requestBody: { content: { "application/json": { schema: {} } } },
            responses: { 200: { description: "Done." } },
          },
        },
      },
    },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/one.json": {
      version: 1,
      inputs: { text: { type: "string", default: text } },
      blocks,
    },
  }
  const result = await callsheet(["run", "one", "--json"], { files, timeoutMs: 60_000 })
  const failed = result.report?.runs[0]?.blocks.find(({ status }) => status === "failed")
  return { exitCode: result.exitCode, code: failed?.error?.code, sent: api.requests.length }
}

const tooLarge = { exitCode: 1, code: "value-too-large", sent: 0 }
const long = "y".repeat(200_000)

describe("a value that doubles", { timeout: 90_000 }, () => {
  it.each<readonly [string, readonly object[], string]>([
    ["with each transform", [start, ...steps((before) => ({ a: before, b: before }))], "x"],
    [
      "with each transform that reads a member",
      [start, ...steps((before) => ({ a: `${before}.b`, b: before }))],
      "x",
    ],
    [
      "three times with each transform",
      [start, ...steps((before) => ({ a: before, b: before, c: before }))],
      "x",
    ],
    [
      "inside nested groups",
      [
        start,
        ...steps((before) => ({ a: before, b: before })).map((block) => ({
          id: `${block.id}-in`,
          type: "group",
          blocks: [block],
        })),
      ],
      "x",
    ],
    ["in a body, of one long text", [request({ list: Array.from({ length: 200 }, () => "{{text}}") })], long],
    ["in a text of a body", [request({ a: "{{text}}".repeat(200) })], long],
    [
      "in members of a body",
      [request(Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`m${at}`, "{{text}}"])))],
      long,
    ],
    [
      "in the value of an assertion",
      [
        {
          id: "check",
          type: "assert",
          assertions: [
            { source: "text", operator: "equals", value: Array.from({ length: 200 }, () => "{{text}}") },
          ],
        },
      ],
      long,
    ],
  ])("%s fails its block", async (_, blocks, text) => {
    const { code, ...rest } = await run(blocks, text)
    expect({ code: code === "child-failed" ? "value-too-large" : code, ...rest }).toEqual(tooLarge)
  })
})

describe("a value that repeats others a few times", () => {
  it("is made and sent", async () => {
    const blocks = [
      start,
      ...steps((before) => ({ a: before, b: before })).slice(0, 8),
      request({ a: "{{t8}}", b: "{{t8}}", c: "{{text}} {{text}}" }),
    ]
    expect(await run(blocks, "y".repeat(2000))).toEqual({ exitCode: 0, code: undefined, sent: 1 })
  })
})
