// A bug in callsheet, which these tests plant in Node's own functions: the command reports it, writes every report and
// exits with 2.

import { rm } from "node:fs/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type CallResult } from "../harness/callsheet.ts"

/** The message of the bug. No output may quote it. */
const secret = "kettle-lantern-47"

/** Code that runs before callsheet, and breaks what only an answer to a digest challenge uses. */
const planted = {
  thrown: `throw new RangeError("${secret}")`,
  "thrown as text": `throw "${secret}"`,
  "thrown in a callback": `process.nextTick(() => { throw new RangeError("${secret}") }); return real(name, ...rest)`,
  "rejected by nobody's promise": `Promise.reject(new RangeError("${secret}")); return real(name, ...rest)`,
  "emitted without a listener": `new (require("node:events"))().emit("error", new RangeError("${secret}")); return real(name, ...rest)`,
  "emitted later": `setImmediate(() => new (require("node:events"))().emit("error", new RangeError("${secret}"))); return real(name, ...rest)`,
} as const

const preload = (code: string): string => `
const crypto = require("node:crypto")
const real = crypto.createHash
crypto.createHash = (name, ...rest) => {
  if (name !== "md5") return real(name, ...rest)
  ${code}
}
`

const get = (id: string, api = "shop") => ({ id, type: "request", request: { api, operation: "getItem" } })
const documentOf = (security: object) => ({
  openapi: "3.1.0",
  info: { title: "Shop", version: "1" },
  components: { securitySchemes: { login: { type: "http", scheme: "digest" } } },
  ...security,
  paths: { "/item": { get: { operationId: "getItem", responses: { 200: { description: "Done." } } } } },
})
const environment = {
  "environments/schema.json": {
    version: 1,
    variables: { baseUrl: { type: "string", required: true }, login: { type: "string", required: false } },
  },
}
const under = (api: string, files: object) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`apis/${api}/${path}`, content]))

const reports = ["out.xml", "out.html"] as const

/** Runs two workflows. The first hits the planted bug. Returns the files of the reporters, too. */
async function run(code: string, words: readonly string[] = []) {
  const api = await startApi({
    "/item": ({ headers }) =>
      headers.authorization === undefined
        ? { status: 401, headers: { "www-authenticate": 'Digest realm="a", nonce="b"' } }
        : { body: {} },
    "/plain/item": { body: {} },
  })
  const folder = await createFolder({
    ...under("shop", {
      ...environment,
      "openapi.json": documentOf({ security: [{ login: [] }] }),
      "environments/local.json": { baseUrl: api.url, login: "ada:pass" },
    }),
    ...under("plain", {
      ...environment,
      "openapi.json": documentOf({}),
      "environments/local.json": { baseUrl: `${api.url}/plain` },
    }),
    "apis/workflow/broken.json": { version: 1, blocks: [get("a"), get("b", "plain")] },
    "apis/workflow/other.json": { version: 1, blocks: [get("c", "plain")] },
    "preload.cjs": preload(code),
  })
  onTestFinished(async () => {
    await api.close()
    await rm(folder, { recursive: true, force: true })
  })
  const result: CallResult = await callsheet(
    [
      "run",
      "broken",
      "other",
      "--json",
      "--reporter",
      "junit=out.xml",
      "--reporter",
      "html=out.html",
      ...words,
    ],
    { folder, env: { NODE_OPTIONS: "--require ./preload.cjs" } },
  )
  const texts = await Promise.all(reports.map(async (path) => (await readText(folder, path)) ?? ""))
  const output = [result.stdout, result.stderr, ...texts].join("\n")
  expect(output).not.toContain(secret)
  return { ...result, texts }
}

describe("a bug in a block", () => {
  it.each(["thrown", "thrown as text", "emitted without a listener"] as const)(
    "that is %s fails the block, and the other workflow runs",
    async (kind) => {
      const { exitCode, report, stderr } = await run(planted[kind])
      expect(exitCode).toBe(2)
      const [broken, other] = report?.runs ?? []
      expect(broken?.blocks[0]?.error).toMatchObject({ code: "unexpected-error" })
      expect(broken?.blocks[1]?.status).toBe("skipped")
      expect(other?.status).toBe("passed")
      expect(report?.status).toBe("error")
      expect(stderr.match(/this is a bug in callsheet .*please report it/g)).toHaveLength(1)
    },
  )

  it("lets the next blocks run with --on-failure continue", async () => {
    const { exitCode, report } = await run(planted.thrown, ["--on-failure", "continue"])
    expect(exitCode).toBe(2)
    expect(report?.runs[0]?.blocks.map(({ status }) => status)).toEqual(["failed", "passed"])
  })

  it("prints where it happened with --debug, without the message", async () => {
    const { exitCode, stderr } = await run(planted.thrown, ["--debug"])
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/RangeError\n {4}at .*preload\.cjs/)
  })

  it("is in every report", async () => {
    const { exitCode, texts } = await run(planted.thrown)
    expect(exitCode).toBe(2)
    for (const text of texts) expect(text).toContain("this is a bug in callsheet")
  })
})

describe("a bug that nothing catches", () => {
  it.each(["thrown in a callback", "rejected by nobody's promise", "emitted later"] as const)(
    "and that is %s ends the run as Ctrl-C does: reports are written",
    async (kind) => {
      const { exitCode, report, stderr, texts } = await run(planted[kind])
      expect(exitCode).toBe(2)
      expect(report?.runs[0]?.workflow).toBe("broken")
      for (const text of texts) expect(text).toContain("broken")
      expect(stderr).toMatch(/this is a bug in callsheet .*please report it/)
    },
  )
})
