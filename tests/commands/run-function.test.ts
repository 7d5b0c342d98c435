import { rm } from "node:fs/promises"
import { join, relative } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder } from "../harness/callsheet.ts"
import {
  CallsheetError,
  createReportFold,
  run,
  type RunEvent,
  type RunOptions,
} from "../../packages/cli/src/index.ts"

let api: ApiServer
let project: string

const request = (operation: string, overrides = {}) => ({
  id: operation,
  type: "request",
  request: { api: "shop", operation, overrides },
})

beforeAll(async () => {
  api = await startApi({
    "GET /ping": (request) => ({ body: { count: 3, key: request.headers["x-key"] ?? null } }),
    "GET /never": () => new Promise(() => undefined),
  })
  const paths = Object.fromEntries(
    ["ping", "never"].map((name) => [`/${name}`, { get: { operationId: name, responses: {} } }]),
  )
  const source = "ping.response.body.count"
  project = await createFolder({
    "apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        key: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/shop/environments/live.json": { extends: "local", level: "production" },
    "apis/workflow/ping.json": {
      version: 1,
      inputs: { count: { type: "number", required: true } },
      blocks: [
        request("ping", { params: { header: { "x-key": "{{key}}" } } }),
        { id: "check", type: "assert", assertions: [{ source, operator: "equals", value: "{{count}}" }] },
      ],
    },
    "apis/workflow/never.json": { version: 1, blocks: [request("never")] },
    "callsheet.json": {
      version: 1,
      defaults: { env: { shop: "local" }, retries: 1 },
      suites: {
        nightly: {
          before: [{ workflow: "ping", as: "seed", inputs: { count: 3 } }],
          workflows: [{ workflow: "ping", inputs: { count: "{{seed.ping.response.body.count}}" } }],
        },
        broken: { workflows: ["ping", "pong"] },
      },
    },
    "counts.csv": "count\n3\n4\n3\n",
  })
})
afterAll(async () => {
  await api.close()
  await rm(project, { recursive: true })
})

const ping = (options: RunOptions = {}) =>
  run({
    project,
    workflows: ["ping"],
    environment: "local",
    inputs: { count: 3 },
    overrides: { shop: { key: "s3cr3t-canary-80" } },
    ...options,
  })

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )

describe("run", () => {
  it("returns the report of its events, with secrets masked", async () => {
    const fold = createReportFold()
    const report = await ping({ onEvent: fold.apply, verifyNoLeak: true })
    expect(report.status).toBe("passed")
    expect(report).toEqual(fold.report)
    expect(report.runs[0]?.blocks[0]?.response?.body).toEqual({ count: 3, key: "***" })
    expect(JSON.stringify(report)).not.toContain("s3cr3t")
  })

  it("returns a report if assertions fail, and if the run could not start", async () => {
    expect((await ping({ inputs: { count: 4 } })).status).toBe("failed")
    const report = await ping({ environment: "nowhere" })
    expect(report).toMatchObject({ status: "error", runs: [{ blocks: [], error: { code: "env-missing" } }] })
  })

  it.each([
    [{ workflows: ["png"] }, "workflow-unknown"],
    [{ workflows: [] }, "usage"],
    [{ all: true }, "usage"],
    [{ suite: "nightly" }, "usage"],
    [{ workflows: [], suite: "night" }, "suite-unknown"],
    [{ workflows: [], suite: "broken" }, "workflow-unknown"],
    [{ workflows: [], suite: "nightly", data: "counts.csv" }, "usage"],
    [{ workflows: ["ping", "never"], data: "counts.csv" }, "usage"],
    [{ inputs: { count: 3, nope: 1 } }, "input-unknown"],
    [{ project: "/nowhere/at/all" }, "project-missing"],
  ] as const)("rejects misuse: %j", async (options, code) => {
    const error = await failure(ping(options))
    expect(error).toBeInstanceOf(CallsheetError)
    expect(error).toMatchObject({ code })
  })

  it("runs a suite, with the defaults of callsheet.json", async () => {
    const overrides = { shop: { key: "s3cr3t-canary-81" } }
    const report = await run({ project, suite: "nightly", overrides, leftovers: true })
    const { runs, leftovers } = report
    expect(
      runs.map(({ entry, role, status, attempt, inputs }) => [entry, role, status, attempt, inputs]),
    ).toEqual([
      ["seed", "before", "passed", 1, { count: 3 }],
      ["ping", "main", "passed", 1, { count: 3 }],
    ])
    expect(runs[0]?.environments["shop"]?.name).toBe("local")
    expect(leftovers).toEqual([])
  })

  it("runs rows, repeats, retries and stops as on the command line", async () => {
    const data = relative(process.cwd(), join(project, "counts.csv"))
    const { runs } = await ping({ inputs: {}, data, repeat: 2, retries: 2, bail: 1 })
    expect(
      runs.map(({ row, repeat, attempt, status, reason }) => [row, repeat, attempt, reason ?? status]),
    ).toEqual([
      [1, 1, 1, "passed"],
      [2, 1, 1, "failed"],
      [2, 1, 2, "failed"],
      [2, 1, 3, "failed"],
      [3, 1, undefined, "bail"],
      [1, 2, undefined, "bail"],
    ])
  })

  it("sends nothing to production unless that is allowed", async () => {
    const before = api.requests.length
    const report = await ping({ environment: "live" })
    expect(report.runs[0]?.error?.code).toBe("confirm-required")
    expect(api.requests.length).toBe(before)
    expect((await ping({ environment: "live", yes: true })).status).toBe("passed")
  })

  it("stops on abort, and still reports", async () => {
    const controller = new AbortController()
    const onEvent = (event: RunEvent) => {
      if (event.type === "request.sent") controller.abort()
    }
    const report = await run({
      project,
      workflows: ["never"],
      environment: "local",
      signal: controller.signal,
      onEvent,
    })
    expect(report.runs[0]).toMatchObject({
      status: "failed",
      blocks: [{ status: "skipped", reason: "cancelled" }],
    })
  })

  it("rejects with the error that the listener throws, after everything is closed", async () => {
    const heard: string[] = []
    const onEvent = (event: RunEvent) => {
      heard.push(event.type)
      if (event.type === "block.started") throw new RangeError("mine")
    }
    expect(await failure(ping({ onEvent }))).toEqual(new RangeError("mine"))
    expect(heard).toEqual(["run.started", "block.started"])
  })
})
