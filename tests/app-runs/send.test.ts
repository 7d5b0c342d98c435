// Row 6: a single saved request, sent by the same engine as runs.

import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { stringifyJson } from "@callsheet/format"
import { putAll } from "../app-project/open-project.ts"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, type OpenRuns, type OpenRunsOptions } from "./open-runs.ts"

const saved = {
  version: 1,
  operation: "getItem",
  params: { path: { id: "7" }, header: { "x-tier": "{{tier}}" } },
}

const open = (options: Partial<OpenRunsOptions> = {}) =>
  openRuns({
    routes: { "*": { body: { ok: true } } },
    files: (url) => ({
      ...shopFiles(url, []),
      "apis/shop/requests/items/seven.json": saved,
      "apis/shop/environments/live.json": { extends: "local", level: "production" },
    }),
    ...options,
  })

type SendInput = Parameters<OpenRuns["handlers"]["requests.send"]>[0]

const seven: SendInput = { api: "shop", resource: "items", request: "seven", environment: "local" }

const start = (of: OpenRuns, order: Partial<SendInput> = {}) =>
  of.handlers["requests.send"]({ ...seven, ...order })

async function send(of: OpenRuns, order: Partial<SendInput> = {}) {
  const started = await start(of, order)
  if (!("run" in started)) throw new Error("it asks first")
  await of.done(started.run)
  return of.read(started.run)
}

describe("a saved request that is sent on its own", () => {
  it("is sent as a block would send it, in the chosen environment", async () => {
    const of = await open()
    const { report } = await send(of)
    expect(of.api.requests.map(({ method, path, headers }) => [method, path, headers["x-tier"]])).toEqual([
      ["GET", "/items/7", "3"],
    ])
    const [block] = report.runs[0]?.blocks ?? []
    expect(block).toMatchObject({
      type: "request",
      status: "passed",
      request: { method: "GET", url: `${of.api.url}/items/7` },
      response: { status: 200, body: { ok: true } },
      contract: { status: "passed" },
    })
  })

  it("is sent as edited, even if that is unsaved or breaks a rule", async () => {
    const of = await open()
    const text = JSON.stringify({ ...saved, params: { path: { id: "8" } } })
    await send(of, { text })
    await send(of, { text, resource: "new", request: "not there" })
    expect(of.api.requests.map(({ path }) => path)).toEqual(["/items/8", "/items/8"])
    const { report } = await send(of, { text: `{"version":1,"operation":"nope"}` })
    expect(report.runs[0]).toMatchObject({ status: "error", error: { code: "operation-unknown" } })
    const broken = await send(of, { text: "{" })
    expect(broken.report.runs[0]).toMatchObject({ status: "error", error: { code: "json-syntax" } })
    expect(of.api.requests).toHaveLength(2)
  })

  it("does not depend on callsheet.json", async () => {
    const of = await open()
    await putAll(of.root, { "callsheet.json": "{" })
    expect((await send(of)).report.status).toBe("passed")
  })

  it.each([
    ["API", { api: "store" }, "api-unknown"],
    ["saved request", { request: "eight" }, "file-missing"],
  ] as const)("is rejected for an unknown %s", async (_, order, code) => {
    const of = await open()
    await expect(start(of, order)).rejects.toMatchObject({ code })
    expect(of.api.requests).toEqual([])
  })

  it("is not in the history, and is nobody's last run", async () => {
    const of = await open()
    const { run, workflow } = await send(of)
    expect(workflow).toBe("shop/items/seven")
    expect(await of.list(workflow)).toEqual([])
    expect(await of.handlers["runs.latest"]({})).toEqual({ runs: [], going: [] })
    expect(await readdir(of.state)).toEqual(["sends"])
    for (let turn = 0; turn < 8; turn++) await send(of)
    await expect(of.read(run)).rejects.toMatchObject({ code: "run-unknown" })
  })

  it("can be stopped, and stops with the app", async () => {
    const of = await open({ routes: { "*": () => new Promise(() => undefined) } })
    const first = await start(of)
    if (!("run" in first)) throw new Error("it asks first")
    expect((await of.handlers["runs.latest"]({})).going).toEqual([])
    await of.handlers["runs.stop"](first)
    await of.done(first.run)
    expect((await of.read(first.run)).report.runs[0]?.blocks[0]).toMatchObject({ reason: "cancelled" })
    await start(of)
    await of.close()
  })

  it("remembers the environment of the API, in a later app too, and starts with that of the last run", async () => {
    const of = await open()
    const prepare = (runs: OpenRuns) => runs.handlers["requests.prepare"]({ api: "shop" })
    expect((await prepare(of)).environments.map(({ name }) => name)).toEqual(["live", "local"])
    expect((await prepare(of)).chosen).toBeUndefined()
    await send(of)
    expect((await prepare(of)).chosen).toBe("local")
    await of.close()
    const later = await openRuns({ root: of.root, state: of.state, files: () => ({}) })
    expect((await prepare(later)).chosen).toBe("local")
    const [name = ""] = await readdir(join(of.state, "sends"))
    expect(((await stat(join(of.state, "sends", name))).mode & 0o777).toString(8)).toBe("600")
    await putAll(of.state, { [`sends/${name}`]: `{"environments":{"shop":"../x"}}` })
    const broken = await openRuns({ root: of.root, state: of.state, files: () => ({}) })
    expect((await prepare(broken)).chosen).toBeUndefined()
    await expect(of.handlers["requests.prepare"]({ api: "store" })).rejects.toMatchObject({
      code: "api-unknown",
    })
  })

  it("asks before production, for exactly this text", async () => {
    const of = await open()
    const live = { environment: "live" }
    const asked = await start(of, live)
    if (!("ask" in asked)) throw new Error("it does not ask")
    expect(asked.ask.production).toMatchObject([
      { api: "shop", environment: "live", atLeast: 1, methods: [{ method: "GET", atLeast: 1 }] },
    ])
    const { confirmation } = asked.ask
    const text = JSON.stringify({ ...saved, params: { path: { id: "9" } } })
    expect(await start(of, { ...live, text, confirmation })).toHaveProperty("ask")
    expect(await start(of, { ...live, confirmation })).toHaveProperty("ask")
    expect(of.api.requests).toEqual([])
    const again = await start(of, { ...live, text })
    if (!("ask" in again)) throw new Error("it does not ask")
    await send(of, { ...live, text, confirmation: again.ask.confirmation })
    expect(of.api.requests.map(({ path }) => path)).toEqual(["/items/9"])
    const remote = await open({ isRemote: () => true })
    await expect(start(remote, live)).rejects.toMatchObject({ code: "confirm-required" })
  })

  it("shows no secret", async () => {
    const canary = "canary-of-a-send-77ab"
    const of = await open({
      routes: { "*": { body: { echo: canary } } },
      processEnvironment: { CALLSHEET_VAR__SHOP__TOKEN: canary },
    })
    const text = JSON.stringify({ ...saved, params: { path: { id: "{{token}}" } } })
    const { report } = await send(of, { text })
    expect(of.api.requests[0]?.path).toBe(`/items/${canary}`)
    const files = await readdir(of.state, { recursive: true, withFileTypes: true })
    const kept = await Promise.all(
      files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), "utf8")),
    )
    for (const said of [stringifyJson(report), JSON.stringify(of.events), ...kept])
      expect(said).not.toContain(canary)
  })
})
