// Checks sending a URL or a curl command without a file: the same run as of a saved request, and nothing on disk.

import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { RunStarted } from "../../packages/server/src/calls/index.ts"
import { openRuns } from "./open-runs.ts"

const secret = "tok-4711-quiet-lantern"
const routes = {
  "GET /orders": ({ headers, query }) => ({
    body: { got: headers["authorization"] ?? "none", state: query.get("state") },
  }),
  "POST /orders": ({ json }) => ({ status: 201, body: json }),
} satisfies Parameters<typeof openRuns>[0]["routes"]

async function openEmpty(files: Parameters<typeof openRuns>[0]["files"] = () => ({})) {
  const runs = await openRuns({ routes, files })
  const send = async (text: string) => {
    const { started, losses } = await runs.handlers["requests.try"]({ text })
    const run = runOf(started)
    await runs.done(run)
    const [report] = (await runs.read(run)).report.runs
    return { losses, report, block: report?.blocks[0] }
  }
  return { ...runs, send }
}

function runOf(started: RunStarted): string {
  if (!("run" in started)) throw new Error("the request asks first")
  return started.run
}

describe("a request without a file", () => {
  it("is sent from a URL, with its query, and leaves nothing on disk and in the history", async () => {
    const { api, root, send, handlers } = await openEmpty()
    const { block, losses } = await send(`${api.url}/orders?state=open`)
    expect(block).toMatchObject({ status: "passed", response: { status: 200, body: { state: "open" } } })
    expect(block?.request?.url).toBe(`${api.url}/orders?state=open`)
    expect(losses).toEqual([])
    expect(readdirSync(root)).toEqual([])
    expect((await handlers["runs.latest"]({})).runs).toEqual([])
  })

  it("is sent from a curl command, and never shows its credentials", async () => {
    const { api, root, send, events } = await openEmpty()
    const { report } = await send(`curl ${api.url}/orders \\\n  -H 'Authorization: Bearer ${secret}'`)
    expect(api.requests[0]?.headers.authorization).toBe(`Bearer ${secret}`)
    expect(report?.status).toBe("passed")
    expect(JSON.stringify([report, events])).not.toContain(secret)
    expect(readdirSync(root)).toEqual([])
  })

  it("sends a body, and names what curl would do differently", async () => {
    const { api, send } = await openEmpty()
    const { block, losses } = await send(`curl --digest -u ann:x --json '{"book":7}' ${api.url}/orders`)
    expect(block).toMatchObject({ response: { status: 201, body: { book: 7 } } })
    expect(losses.map(({ what }) => what)).toContain("digest authentication")
  })

  it("doesn't use the project's files", async () => {
    const { api, send } = await openEmpty(() => ({
      "apis/unsaved/environments/schema.json": "broken",
      "apis/unsaved/requests/unsaved/get-orders.json": "broken",
      "callsheet.json": "broken",
    }))
    const { block } = await send(`${api.url}/orders`)
    expect(block).toMatchObject({ status: "passed", response: { status: 200 } })
  })

  it("masks the project's secrets in its request and response", async () => {
    const { api, send, events } = await openEmpty((url) => ({
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true },
          apiKey: { type: "string", secret: true, required: false },
        },
      },
      "apis/shop/environments/local.json": { baseUrl: url },
      "apis/shop/environments/local.secrets.env": `apiKey=${secret}\n`,
    }))
    const { report } = await send(`${api.url}/orders?state=${secret}`)
    expect(api.requests[0]?.query.get("state")).toBe(secret)
    expect(report?.status).toBe("passed")
    expect(JSON.stringify([report, events])).not.toContain(secret)
  })

  it.each([
    ["hello there", "this is not a request; expected one URL or one curl command"],
    ["file:///etc/passwd", "this is not a request; expected one URL or one curl command"],
    ["curl https://a.example https://b.example", "this is 2 requests; expected one URL or one curl command"],
    ["", "this is not a request; expected one URL or one curl command"],
  ])("is refused if it isn't one request: %j", async (text, message) => {
    const { handlers } = await openEmpty()
    await expect(handlers["requests.try"]({ text })).rejects.toMatchObject({ status: 422, message })
  })
})
