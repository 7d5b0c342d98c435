// `prepare()`: one workflow, planned once, run many times.

import { spawnSync } from "node:child_process"
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"
import { prepare, type PrepareOptions, type RunEvent } from "../../packages/cli/src/index.ts"

let api: ApiServer
let project: string
let meeting: (() => void)[] = []

const request = (operation: string, query: Readonly<Record<string, string>> = {}) => ({
  id: operation,
  type: "request",
  request: { api: "shop", operation, overrides: { params: { query, header: { "x-key": "{{key}}" } } } },
})
const passes = (source: string, value: unknown) => ({
  id: "check",
  type: "assert",
  assertions: [{ source, operator: "equals", value }],
})

beforeAll(async () => {
  api = await startApi({
    // Answers only when three requests are waiting, so that only concurrent runs get an answer.
    "GET /meet": async ({ query, headers }) => {
      await new Promise<void>((resolve) => {
        meeting.push(resolve)
        if (meeting.length === 3) for (const each of meeting.splice(0)) each()
      })
      return {
        headers: { "set-cookie": `who=${query.get("who")}` },
        body: { cookie: headers.cookie ?? null },
      }
    },
    "GET /who": ({ headers }) => ({ body: { cookie: headers.cookie ?? null, key: headers["x-key"] } }),
    "GET /never": () => new Promise(() => undefined),
  })
  const paths = Object.fromEntries(
    ["meet", "who", "never"].map((name) => [`/${name}`, { get: { operationId: name, responses: {} } }]),
  )
  project = await createFolder({
    "apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        key: { type: "string", required: true, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/shop/environments/local.secrets.env": "key=s3cr3t-k3y\n",
    "apis/shop/environments/bare.json": { baseUrl: api.url },
    "apis/shop/environments/live.json": { extends: "local", level: "production" },
    "apis/workflow/meet.json": {
      version: 1,
      inputs: { name: { type: "string", required: true } },
      blocks: [
        request("meet", { who: "{{name}}" }),
        request("who"),
        passes("who.response.body.cookie", "who={{name}}"),
      ],
    },
    "apis/workflow/fail.json": {
      version: 1,
      blocks: [request("who"), passes("who.response.body.key", "another")],
    },
    "apis/workflow/never.json": { version: 1, blocks: [request("never")] },
    "apis/workflow/script.json": {
      version: 1,
      blocks: [{ id: "say", type: "script", script: { name: "say", exportName: "say" } }],
    },
    "apis/workflow/scripts/script/say.ts": "export const say = (ctx) => ctx.log(String(process.pid))\n",
    "apis/workflow/broken.json": { version: 1, blocks: [{ id: "x", type: "nothing" }] },
  })
})
afterAll(async () => {
  await api.close()
  await rm(project, { recursive: true })
})

const open = (workflow: string, options: Partial<PrepareOptions> = {}) =>
  prepare({ project, workflow, env: "local", ...options })

describe("a prepared workflow", () => {
  it("runs several times at once, each with its own inputs and cookies", async () => {
    const { run, close } = await open("meet")
    const round = () => Promise.all(["a", "b", "c"].map((who) => run({ inputs: { name: who } })))
    for (const result of [...(await round()), ...(await round())])
      expect(result).toEqual({ status: "passed", durationMs: expect.any(Number) as number })
    await close()
  })

  it("names the first failure, without secrets", async () => {
    const { run, close } = await open("fail")
    const result = await run()
    expect(result).toMatchObject({ status: "failed", error: { code: "assertion-failed", block: "check" } })
    expect(JSON.stringify(result)).not.toContain("s3cr3t-k3y")
    await close()
  })

  it("passes on the masked events of a run to its own listener", async () => {
    const { run, close } = await open("fail")
    const events: RunEvent[] = []
    await Promise.all([run({ onEvent: (event) => void events.push(event) }), run()])
    expect(events.filter(({ type }) => type === "run.started")).toHaveLength(1)
    expect(JSON.stringify(events)).toContain('"key":"***"')
    expect(JSON.stringify(events)).not.toContain("s3cr3t-k3y")
    await expect(
      run({
        onEvent: () => {
          throw new Error("mine")
        },
      }),
    ).rejects.toThrow("mine")
    await close()
  })

  it("cancels one run without the others", async () => {
    const { run, close } = await open("never", { timeoutMs: 300 })
    const controller = new AbortController()
    const both = Promise.all([run({ signal: controller.signal }), run()])
    controller.abort()
    const [cancelled, other] = await both
    expect(cancelled).toMatchObject({ status: "failed" })
    expect(cancelled.error).toBeUndefined()
    expect(other.error?.code).toBe("request-timeout")
    await close()
  })

  it("reports inputs that are missing or wrong as a run that couldn't start", async () => {
    const { run, close } = await open("meet")
    expect(await run()).toMatchObject({ status: "error", error: { code: "input-missing" } })
    await expect(run({ inputs: { whom: "a" } })).rejects.toMatchObject({ code: "input-unknown" })
    await close()
  })

  it("takes environments by API, and variables", async () => {
    const { run, close } = await open("fail", { env: { shop: "bare" }, vars: { shop: { key: "another" } } })
    // A secret is sent but never shown, so the assertion compares the value itself.
    expect(await run()).toMatchObject({ status: "passed" })
    await close()
  })

  it.each([
    ["nothing", {}, "workflow-unknown"],
    ["broken", {}, "field-value"],
    ["fail", { env: "bare" }, "variable-missing"],
    ["fail", { env: "nowhere" }, "env-missing"],
  ])("rejects early if %s with %o can't run", async (workflow, options, code) => {
    await expect(open(workflow, options)).rejects.toMatchObject({ code })
  })

  it("doesn't send to production unless the caller says so", async () => {
    const refused = await open("fail", { env: "live" })
    expect(await refused.run()).toMatchObject({ status: "error", error: { code: "confirm-required" } })
    const allowed = await open("fail", { env: "live", yes: true })
    expect(await allowed.run()).toMatchObject({ status: "failed" })
    await refused.close()
    await allowed.close()
  })

  it("ends its script processes when it is closed, and then lets the process end", () => {
    const library = fileURLToPath(new URL("../../packages/cli/dist/index.js", import.meta.url))
    const program = `
      import { prepare } from ${JSON.stringify(library)}
      const { run, close } = await prepare({ project: ${JSON.stringify(project)}, workflow: "script", env: "local" })
      const pids = []
      const onEvent = (event) => { if (event.type === "log.written") pids.push(Number(event.text)) }
      await Promise.all([run({ onEvent }), run({ onEvent })])
      await close()
      const isAlive = (pid) => { try { return process.kill(pid, 0) } catch { return false } }
      console.log(pids.length, pids.filter(isAlive).length)`
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      timeout: 15_000,
      encoding: "utf8",
    })
    expect(`${stdout}${stderr}`).toBe("2 0\n")
  })
})
