// A suite runs against mocks of its APIs instead of their servers.

import { rm } from "node:fs/promises"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles, type Files } from "../harness/callsheet.ts"

const payment = {
  type: "object",
  required: ["id", "amount"],
  properties: { id: { type: "string", format: "uuid" }, amount: { type: "integer" } },
}
const json = (schema: object) => ({ content: { "application/json": { schema } } })
const none = { 404: { description: "None." } }
const document = {
  openapi: "3.1.0",
  info: { title: "Payments", version: "1" },
  servers: [{ url: "https://payments.example.com/v1" }],
  components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "x-key" } } },
  paths: {
    "/payments": {
      post: {
        operationId: "pay",
        security: [{ key: [] }],
        requestBody: { required: true, ...json(payment) },
        responses: { 201: { description: "Paid.", ...json(payment) } },
      },
      get: {
        operationId: "list",
        responses: { 200: { description: "All.", ...json({ type: "array", items: payment }) } },
      },
    },
    "/payments/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "show", responses: { 200: { description: "One.", ...json(payment) }, ...none } },
      delete: { operationId: "cancel", responses: { 204: { description: "Gone." }, ...none } },
    },
  },
}

const send = (id: string, operation: string, overrides: object = {}) => ({
  id,
  type: "request",
  request: { api: "payments", operation, overrides },
})
const check = (expected: Readonly<Record<string, unknown>>) => ({
  id: "check",
  type: "assert",
  assertions: Object.entries(expected).map(([source, value]) => ({ source, operator: "equals", value })),
})
const path = (id: string) => ({ params: { path: { id } } })

const pay = {
  version: 1,
  validateContracts: true,
  blocks: [
    send("before", "list"),
    send("pay", "pay", { body: { id: "3f1c2a9e-7b4d-4c8a-9e21-000000000000", amount: 5 } }),
    send("show", "show", path("{{pay.response.body.id}}")),
    check({ "before.response.body": [], "pay.response.status": 201, "show.response.body.amount": 5 }),
  ],
}
const cancel = {
  version: 1,
  inputs: { id: { type: "string", required: true } },
  blocks: [send("cancel", "cancel", path("{{id}}")), check({ "cancel.response.status": 204 })],
}

/** A suite that pays and cancels. */
const suite = (...mocks: readonly unknown[]) => {
  const last = [{ workflow: "cancel", inputs: { id: "{{pay.response.body.id}}" } }]
  return { version: 1, suites: { all: { workflows: [{ workflow: "pay", mocks, finally: last }] } } }
}

async function openProject(files: Files) {
  const folder = await createFolder({
    "apis/payments/openapi.json": document,
    "apis/workflow/pay.json": pay,
    "apis/workflow/cancel.json": cancel,
    ...files,
  })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return {
    run: (words: string) => callsheet(words.split(" "), { folder }),
    write: (more: Files) => writeFiles(folder, more),
  }
}

describe("mocks of a suite", () => {
  const stateful = { "callsheet.json": suite({ api: "payments", state: true }) }

  it("need no environment, start empty for each run, and serve its cleanup", async () => {
    const { run } = await openProject(stateful)
    const words = "run --suite all --repeat 3 --jobs 3 --record r.ndjson --json"
    const { exitCode, report, stdout } = await run(words)
    expect(exitCode, stdout).toBe(0)
    expect(report?.runs).toHaveLength(6)
    for (const one of report?.runs ?? [])
      expect(one.environments["payments"]).toEqual({
        name: "mock",
        level: "local",
        baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1$/),
        service: { is: "mock", address: expect.any(String) },
      })
    const replayed = await run("replay r.ndjson --strict")
    expect(replayed.exitCode, replayed.stdout).toBe(0)
  })

  it("keep what an entry of before has created", async () => {
    const mocks = [{ api: "payments", state: true }]
    const { run } = await openProject({
      "callsheet.json": {
        version: 1,
        suites: {
          all: {
            before: [{ workflow: "pay", mocks }],
            workflows: [{ workflow: "cancel", mocks, inputs: { id: "{{pay.pay.response.body.id}}" } }],
          },
        },
      },
    })
    const { exitCode, stdout } = await run("run --suite all")
    expect(exitCode, stdout).toBe(0)
  })

  it("keep a run away from production, unless --var sets the address", async () => {
    const production = await startApi({})
    const { run } = await openProject({
      ...stateful,
      "apis/payments/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true },
          key: { type: "string", required: true, secret: true },
        },
      },
      "apis/payments/environments/live.json": { baseUrl: production.url, level: "production" },
    })
    expect(await run("run --suite all")).toMatchObject({ exitCode: 0 })
    expect(await run("run --suite all --env live")).toMatchObject({ exitCode: 0 })
    expect(production.requests).toHaveLength(0)
    const address = `--var payments.baseUrl=${production.url}`
    const asked = await run(`run --suite all ${address} --env live`)
    await production.close()
    expect(asked.exitCode).toBe(2)
  })

  it("answer from a record in the project", async () => {
    const { run, write } = await openProject(stateful)
    expect(await run("run --suite all --record calls.ndjson")).toMatchObject({ exitCode: 0 })
    await write({ "callsheet.json": suite({ api: "payments", from: "calls.ndjson" }) })
    expect(await run("run --suite all")).toMatchObject({ exitCode: 0 })
    for (const from of ["../calls.ndjson", "missing.ndjson", "callsheet.json"]) {
      await write({ "callsheet.json": suite({ api: "payments", from }) })
      const { exitCode } = await run("run --suite all")
      expect({ from, exitCode }).toEqual({ from, exitCode: 2 })
    }
  })

  it("are checked by validate", async () => {
    const { run } = await openProject({
      "callsheet.json": suite("payment", { api: "payments", from: "r", state: true }),
    })
    const { exitCode, stdout } = await run("validate --json")
    expect(exitCode).toBe(1)
    const { problems } = JSON.parse(stdout) as { problems: { code: string; hint?: string }[] }
    expect(problems.map(({ code, hint }) => [code, hint])).toEqual([
      ["api-unknown", 'did you mean "payments"?'],
      ["field-value", "a record already has the responses"],
    ])
  })
})
