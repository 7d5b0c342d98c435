// Values that turn out to be secret after they were shown: nothing written at the end of the run may contain them.

import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"
import { textsIn } from "../harness/texts-in.ts"

const token = "t0ken-canary-42"

const document = {
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  paths: {
    "/orders": { get: { operationId: "listOrders", responses: { 200: { description: "" } } } },
  },
}

const send = (id: string) => ({ id, type: "request", request: { api: "shop", operation: "listOrders" } })
const call = (id: string, exportName: string) => ({
  id,
  type: "script",
  script: { name: "say", exportName },
})

const script = `
export const log = (ctx) => ctx.log(ctx.get("give.response.body.token"))
export const keep = (ctx) => ctx.secret(ctx.get("give.response.body.token"))
export const keepWord = (ctx) => ctx.secret("passed")
`

/** A token that is in the response, an id, a log, an output and a failure before a script declares it secret. */
const blocks = [
  send("give"),
  {
    id: "each",
    type: "loop",
    mode: "forEach",
    source: "give.response.body.list",
    iteratorVar: "item",
    blocks: [send("of-{{item}}")],
  },
  {
    id: "setup",
    type: "group",
    blocks: [
      call("logged", "log"),
      { id: "kept", type: "transform", transforms: { kept: "give.response.body.token" } },
      call("keep", "keep"),
      call("keep-word", "keepWord"),
    ],
  },
]

const check = {
  id: "check",
  type: "assert",
  assertions: [{ source: "give.response.body.token", operator: "equals", value: "other" }],
}

let api: ApiServer
const files = () => ({
  "apis/shop/openapi.json": document,
  "apis/shop/environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true } },
  },
  "apis/shop/environments/local.json": { baseUrl: api.url },
  "apis/workflow/w.json": { version: 1, onFailure: "continue", blocks: [check, ...blocks].sort(giveFirst) },
  "apis/workflow/scripts/w/say.ts": script,
})

const giveFirst = (one: { readonly id: string }, other: { readonly id: string }): number =>
  Number(other.id === "give") - Number(one.id === "give")

beforeAll(async () => {
  api = await startApi({ "GET /orders": { body: { token, list: [token] } } })
})
afterAll(() => api.close())

const reporters = ["pretty", "json", "junit", "coverage", "ndjson", "ctrf", "har"] as const

describe("a secret that a script declares late", () => {
  it.each(reporters)("is not in the file of %s", async (name) => {
    const folder = await createFolder(files())
    await callsheet(["run", "w", `--reporter=${name}=out/report`], { folder })
    const report = await readText(folder, "out/report")
    expect(report).toMatch(/of-\*\*\*|each/)
    expect(report).not.toContain(token)
  })

  it("is not in a directory of Allure results", async () => {
    const folder = await createFolder(files())
    await callsheet(["run", "w", "--reporter=allure=results"], { folder })
    const text = textsIn(join(folder, "results"))
    expect(text).toContain("of-***")
    expect(text).not.toContain(token)
  })

  it("is not in a report on standard output", async () => {
    for (const name of ["json", "junit", "coverage", "ctrf", "har"]) {
      const { stdout } = await callsheet(["run", "w", `--reporter=${name}`, "--verify-no-leak"], {
        files: files(),
      })
      expect(stdout).not.toContain(token)
      expect(stdout.length).toBeGreaterThan(100)
    }
  })

  it("is not in the lines that the terminal shows afterward, which keep their keywords", async () => {
    const { stdout } = await callsheet(["run", "w"], { files: files() })
    const after = stdout.slice(stdout.indexOf("setup"))
    expect(after).toContain("│ ***")
    expect(after).toMatch(/received +"\*\*\*"/)
    expect(after).toMatch(/w failed {2}1 failed, \d+ passed/)
    expect(after).not.toContain(token)
  })
})
