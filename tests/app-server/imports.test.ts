// Imports and generated tests that the app plans: other calls go on meanwhile, and no file of a project contains a known secret.

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import type { JsonObject } from "@callsheet/format"
import { makeAppPlace } from "../app-files/start-app-command.ts"

const secret = "tok-4711abcd"
const place = () =>
  makeAppPlace({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        apiKey: { type: "string", required: false, secret: true },
        other: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: "https://api.example.com" },
    "apis/shop/environments/local.secrets.env": `apiKey=${secret}\n`,
  })

type App = Awaited<ReturnType<Awaited<ReturnType<typeof place>>["start"]>>

/** Returns the answer of a call, and the longest time that another call took meanwhile as a share of its time. */
async function askBeside<T>({ ask }: App, planning: Promise<T>): Promise<{ answer: T; share: number }> {
  const state = { isPlanned: false }
  const began = performance.now()
  const planned = planning.finally(() => (state.isPlanned = true))
  let longest = 0
  while (!state.isPlanned) {
    const before = performance.now()
    await ask("project.read", {})
    longest = Math.max(longest, performance.now() - before)
  }
  return { answer: await planned, share: longest / (performance.now() - began) }
}

it("answers other calls while it plans an import of 20,000 requests", async () => {
  const app = await (await place()).start()
  const item = Array.from({ length: 20_000 }, (_, at) => ({
    name: "a",
    request: { method: "GET", url: `https://api.example.com/${at}` },
  }))
  const text = JSON.stringify({ info: { name: "P" }, item })
  const planning = app.ask("imports.plan", { sources: [{ name: "shop.json", text }], api: "shop" })
  const { answer, share } = await askBeside(app, planning)
  expect(answer.body).toMatchObject({ requests: 20_000 })
  expect(share).toBeLessThan(1 / 3)
})

it("answers other calls while it plans the tests of a document of 10 MB", async () => {
  const { start } = await makeAppPlace({ "apis/large/openapi.json": largeDocument() })
  const app = await start()
  const { answer, share } = await askBeside(app, app.ask("tests.plan", { api: "large" }))
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ suites: ["generated"] })
  expect(share).toBeLessThan(1 / 3)
})

/** Returns a document with 1,000 operations, and 10 KB of text for each. */
const largeDocument = (): JsonObject => ({
  openapi: "3.1.0",
  info: { title: "Large", version: "1" },
  paths: Object.fromEntries(
    Array.from({ length: 1_000 }, (_, at) => [
      `/resources-${at}`,
      { get: { description: "text ".repeat(2_000), responses: { "200": { description: "OK" } } } },
    ]),
  ),
})

it("writes no secret of the project or of its own process into a file, and lists what it replaced", async () => {
  const { start, project } = await place()
  const { ask } = await start({ CALLSHEET_VAR__SHOP__OTHER: "proc-9999zz" })
  const text = `curl 'https://api.example.com/${secret}/PROC-9999ZZ?a=${secret.toUpperCase()}'\n`
  const {
    status,
    body,
    text: answer,
  } = await ask("imports.plan", {
    sources: [{ name: "c.sh", text }],
    api: "shop",
  })
  expect([status, body.saved]).toEqual([200, 1])
  expect(body.losses.some(({ reason }) => reason.includes("shop.apiKey"))).toBe(true)
  expect((await ask("plans.apply", { plan: body.plan })).status).toBe(200)
  const written = await Promise.all(body.files.map((file) => readFile(join(project, file), "utf8")))
  for (const one of [answer, ...body.files, ...written]) {
    expect(one.toLowerCase()).not.toContain(secret)
    expect(one.toLowerCase()).not.toContain("proc-9999zz")
  }
  expect(written.join("")).toContain("{{apiKey}}")
})

it("refuses what can't be imported with its problems", async () => {
  const { start } = await place()
  const { ask } = await start()
  const { status, text } = await ask("imports.plan", {
    sources: [{ name: "a.json", text: "{" }],
    api: "shop",
  })
  expect(status).toBe(422)
  expect(JSON.parse(text)).toMatchObject({ code: "json-syntax", problems: [{ file: "a.json", line: 1 }] })
  const yaml = await ask("imports.plan", {
    sources: [{ name: "pasted text", text: "openapi: 3.1.0\ninfo:\n  title: [Shop\npaths: {}\n" }],
  })
  expect([yaml.status, JSON.parse(yaml.text)]).toMatchObject([
    422,
    { code: "yaml-syntax", problems: [{ file: "pasted text", line: expect.any(Number) }] },
  ])
})
