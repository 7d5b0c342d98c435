// The comparison of two runs of the app, which uses the contracts like `callsheet diff`.

import { describe, expect, it } from "vitest"
import type { Answer } from "../harness/api-server.ts"
import { openRuns } from "./open-runs.ts"

const schema = {
  type: "object",
  properties: {
    serial: { type: "integer", readOnly: true },
    name: { type: "string" },
    at: { type: "string", format: "date-time" },
  },
}
const operation = (operationId: string) => ({
  get: { operationId, responses: { 200: { description: "", content: { "application/json": { schema } } } } },
})
const get = (id: string, operation: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation, overrides: { params: { path: { id: "7" } } } },
})

const files = (url: string) => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    paths: {
      "/items/{id}": {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
        ...operation("getItem"),
      },
    },
  },
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: `${url}/v1/` },
  "apis/workflow/w.json": { version: 1, blocks: [get("one", "getItem"), get("two", "getItem")] },
})

async function compare(answers: readonly Answer[]) {
  const waiting = [...answers]
  const runs = await openRuns({ files, routes: { "GET /v1/items/7": () => waiting.shift() } })
  const names: string[] = []
  for (let turn = 0; turn < 2; turn++) {
    const run = await runs.start()
    await runs.done(run)
    names.push(run)
  }
  const [before = "", after = ""] = names
  return { runs, before, after, ...(await runs.handlers["runs.compare"]({ before, after })) }
}

describe("the comparison of two runs", () => {
  it("marks what the contract calls readOnly or a time as noise", async () => {
    const body = (serial: number, name: string) => ({
      body: { serial, name, at: `2026-01-01T00:00:0${serial}Z` },
    })
    const { blocks } = await compare([body(1, "tea"), body(2, "tea"), body(3, "tea"), body(4, "coffee")])
    const shown = blocks.map(({ key, differences }) => [
      key,
      differences.flatMap(({ what, path, noise, reason }) =>
        what === "body" ? [[path, noise, reason]] : [],
      ),
    ])
    expect(shown).toEqual([
      [
        '"one"',
        [
          ["serial", true, "readOnly"],
          ["at", true, "format"],
        ],
      ],
      [
        '"two"',
        [
          ["serial", true, "readOnly"],
          ["name", false, undefined],
          ["at", true, "format"],
        ],
      ],
    ])
  })

  it("lists no block whose responses are equal", async () => {
    const answer = { body: { name: "tea" }, headers: { date: "Mon, 23 Nov 2026 10:00:00 GMT" } }
    expect((await compare([answer, answer, answer, answer])).blocks).toEqual([])
  })

  it("is refused for an unknown run", async () => {
    const { runs, before } = await compare([{}, {}, {}, {}])
    const after = before.replace(/.$/, (last) => (last === "0" ? "1" : "0"))
    await expect(runs.handlers["runs.compare"]({ before, after })).rejects.toMatchObject({
      code: "run-unknown",
    })
  })
})
