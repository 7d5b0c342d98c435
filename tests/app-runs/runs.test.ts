// Rows 7 and 8 of the app: runs equal those of `callsheet run`, and their events are sent live.

import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { createReportFold, keepProgress, stringifyJson, type Report } from "@callsheet/format"
import { startTestApp } from "../app-server/start-test-app.ts"
import { shopFiles } from "../run/shop-project.ts"
import { callsheet } from "../harness/callsheet.ts"
import { putAll, type Files } from "../app-project/open-project.ts"
import { openRuns, until, withoutTimes, type OpenRuns } from "./open-runs.ts"

const get = (id: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "getItem", overrides: { params: { path: { id } } } },
})

const check = (id: string, source: string, value: unknown) => ({
  id,
  type: "assert",
  assertions: [{ source, operator: "equals", value }],
})

const someKinds = [
  get("first"),
  { id: "shape", type: "transform", transforms: { big: "first.response.body.big" } },
  { id: "loop", type: "loop", mode: "times", count: 2, blocks: [get("item-{{$index}}")] },
  check("wrong", "first.response.status", 7),
]
const inputs = { word: { type: "string", default: "hello" }, count: { type: "number", default: 1 } }

const routes = {
  "*": { body: '{"ok":true,"big":9007199254740993}', headers: { "content-type": "application/json" } },
}

const formatReport = (report: Report): string => withoutTimes(stringifyJson(report))

const eventsOf = (events: OpenRuns["events"], run: string) =>
  events.flatMap((event) => (event.type === "run.events" && event.run === run ? [event] : []))

/** A response that waits until it is released. */
function deferResponse() {
  let release = (): void => undefined
  const released = new Promise<void>((resolve) => (release = resolve))
  const route = async () => {
    await released
    return { body: { ok: true } }
  }
  return { release: () => release(), route }
}

const outline = ({ runs }: Report): readonly string[] =>
  (runs[0]?.blocks ?? []).map(({ id, status }) => `${id} ${status}`)

describe("a run from the page", () => {
  const files = (url: string): Files => shopFiles(url, someKinds, { inputs, onFailure: "continue" })

  it("has the report of `callsheet run`, except for times", async () => {
    const runs = await openRuns({ routes, files })
    const run = await runs.start({ inputs: { word: "hi", count: "3" } })
    await runs.done(run)
    const words = ["--env", "shop=local", "--input", "word=hi", "--input", "count=3", "--reporter", "json"]
    const command = await callsheet(["run", "w", ...words], { folder: runs.root })
    const { report } = await runs.read(run)
    expect([report.status, report.runs[0]?.counts]).toEqual(["failed", { passed: 5, failed: 1, skipped: 0 }])
    expect(command.stdout).toContain("9007199254740993")
    expect(formatReport(report)).toBe(withoutTimes(command.stdout.replaceAll("\n", "")))
  })

  it("is sent as events that add up to its report, in batches without a gap", async () => {
    const runs = await openRuns({ routes, files })
    const run = await runs.start()
    await runs.done(run)
    const batches = eventsOf(runs.events, run)
    const fold = createReportFold(undefined, keepProgress)
    let next = 0
    for (const { from, events } of batches) {
      expect(from).toBe(next)
      next += events.length
      for (const event of events) fold.apply(event)
    }
    expect(batches.length).toBeLessThan(next)
    expect(formatReport(fold.report)).toBe(formatReport((await runs.read(run)).report))
    expect(runs.events.filter(({ type }) => type === "run.changed")).toEqual(
      [false, true].map((isDone) => ({ type: "run.changed", run, workflow: "w", isDone })),
    )
    expect(runs.events.at(-1)).toMatchObject({ type: "run.changed", isDone: true })
  })

  it("leaves out of its events only what no page can handle", async () => {
    const long = { body: { text: "x".repeat(300_000) } }
    const blocks = [get("one"), get("two")]
    const runs = await openRuns({ routes: { "*": long }, files: (url) => shopFiles(url, blocks) })
    const run = await runs.start()
    await runs.done(run)
    const events = eventsOf(runs.events, run)
    expect(events.flatMap((batch) => batch.events.map(({ type }) => type))).not.toContain("response.received")
    const missing = events.slice(1).filter(({ from }, at) => {
      const before = events[at]
      return before === undefined || from !== before.from + before.events.length
    })
    expect(missing).toHaveLength(2)
    expect(stringifyJson((await runs.read(run)).report).length).toBeGreaterThan(600_000)
  })

  it("continues to its end when nobody listens", async () => {
    const { release, route } = deferResponse()
    const runs = await openRuns({
      routes: { "/items/slow": route },
      files: (url) => shopFiles(url, [get("slow"), get("after")]),
    })
    const app = await startTestApp({ handlers: runs.handlers })
    onTestFinished(app.close)
    const session = await app.enter()
    const answer = await app.post(
      "/api/runs.start",
      { workflow: "w", environments: { shop: "local" }, inputs: {} },
      session,
    )
    const { run } = JSON.parse(answer.body) as { run: string }
    await until(() => runs.api.requests.length === 1)
    await app.close()
    release()
    await runs.done(run)
    expect((await runs.list()).map(({ run: kept }) => kept)).toEqual([run])
    expect(runs.api.requests.map(({ path }) => path)).toEqual(["/items/slow", "/items/after"])
  })

  it("uses the files as of its start", async () => {
    const { release, route } = deferResponse()
    const runs = await openRuns({
      routes: { "/items/slow": route, "*": { body: {} } },
      files: (url) => shopFiles(url, [get("slow"), get("before")]),
    })
    const run = await runs.start()
    await until(() => runs.api.requests.length === 1)
    const later = shopFiles(runs.api.url, [get("later")])
    await writeFile(join(runs.root, "apis/workflow/w.json"), JSON.stringify(later["apis/workflow/w.json"]))
    release()
    await runs.done(run)
    const next = await runs.start()
    await runs.done(next)
    expect(outline((await runs.read(run)).report)).toEqual(["slow passed", "before passed"])
    expect(outline((await runs.read(next)).report)).toEqual(["later passed"])
  })
})

describe("parallel runs", () => {
  it("are independent, and stopping one stops no other", async () => {
    const { release, route } = deferResponse()
    const runs = await openRuns({
      routes: { "/items/slow": route, "*": { body: {} } },
      files: (url) => shopFiles(url, [get("slow"), get("after")]),
    })
    const [stopped, other] = [await runs.start(), await runs.start()]
    await until(() => runs.api.requests.length === 2)
    expect((await runs.handlers["runs.latest"]({})).going.map(({ run }) => run)).toEqual([stopped, other])
    await runs.handlers["runs.stop"]({ run: stopped })
    await runs.done(stopped)
    expect(await runs.read(other)).toMatchObject({ isDone: false })
    release()
    await runs.done(other)
    expect(outline((await runs.read(stopped)).report)).toEqual(["slow skipped", "after skipped"])
    expect(outline((await runs.read(other)).report)).toEqual(["slow passed", "after passed"])
    const listed = (await runs.list()).map(({ run, status, isStopped }) => [run, [status, isStopped]])
    expect(Object.fromEntries(listed)).toEqual({
      [stopped]: ["failed", true],
      [other]: ["passed", undefined],
    })
    await runs.close()
    const later = await openRuns({ root: runs.root, state: runs.state, files: () => ({}) })
    expect((await later.list()).map(({ isStopped }) => isStopped)).toEqual([undefined, true])
  })

  it("are limited to eight, including those about to start", async () => {
    const { release, route } = deferResponse()
    const runs = await openRuns({
      routes: { "*": route },
      files: (url) => shopFiles(url, [get("slow")]),
    })
    const starts = await Promise.allSettled(Array.from({ length: 10 }, () => runs.start()))
    const refused = starts.flatMap((start) =>
      start.status === "rejected" ? [(start.reason as { code: string }).code] : [],
    )
    expect(refused).toEqual(["run-limit", "run-limit"])
    release()
    for (const start of starts) if (start.status === "fulfilled") await runs.done(start.value)
    await runs.done(await runs.start())
  })

  it("are stopped with the app, and their reports are kept", async () => {
    const { route } = deferResponse()
    const runs = await openRuns({
      routes: { "*": route },
      files: (url) => shopFiles(url, [get("slow")]),
    })
    const run = await runs.start()
    await until(() => runs.api.requests.length === 1)
    await runs.close()
    const again = await openRuns({ root: runs.root, state: runs.state, files: () => ({}) })
    expect(outline((await again.read(run)).report)).toEqual(["slow skipped"])
    await expect(runs.order()).rejects.toMatchObject({ code: "run-limit" })
  })
})

describe("what cannot run", () => {
  const open = () => openRuns({ routes, files: (url) => shopFiles(url, [get("one")], { inputs }) })
  const wrong = [
    [{ workflow: "nothing" }, "workflow-unknown"],
    [{ inputs: { nothing: 1 } }, "input-unknown"],
  ] as const

  it.each(wrong)("is rejected: %j", async (order, code) => {
    const runs = await open()
    await expect(runs.order(order)).rejects.toMatchObject({ code })
    expect([runs.events, runs.api.requests, await runs.list()]).toEqual([[], [], []])
  })

  const reported = [
    [{ environments: { shop: "nowhere" } }, "env-missing"],
    [{ environments: { shop: "local", store: "local" } }, "api-unknown"],
    [{ inputs: { count: "many" } }, "input-type"],
  ] as const

  it.each(reported)("has a report with the reason: %j", async (order, code) => {
    const runs = await open()
    const run = await runs.start(order)
    await runs.done(run)
    expect((await runs.read(run)).report.runs[0]?.error?.code).toBe(code)
    expect(runs.api.requests).toEqual([])
  })

  it("has no run", async () => {
    const runs = await open()
    const run = "20260101T000000000Z-0123456789abcdef"
    await expect(runs.read(run)).rejects.toMatchObject({ code: "run-unknown" })
    await expect(runs.handlers["runs.stop"]({ run })).rejects.toMatchObject({ code: "run-unknown" })
  })
})

describe("the form of a run", () => {
  it("has the environments and the inputs, with the last run's choices", async () => {
    const runs = await openRuns({
      routes,
      files: (url) => ({
        ...shopFiles(url, [get("one")], {
          inputs: { ...inputs, id: { type: "number", required: true }, note: { type: "string" } },
        }),
        "apis/shop/environments/other.json": { extends: "local", level: "staging" },
      }),
    })
    const prepare = () => runs.handlers["runs.prepare"]({ workflow: "w" })
    const environments = [
      { name: "local", level: "local" },
      { name: "other", level: "staging", extends: "local" },
    ]
    const apis = [{ api: "shop", environments }]
    expect(await prepare()).toEqual({
      workflow: "w",
      apis,
      inputs: [
        { name: "word", type: "string", required: false, default: "hello" },
        { name: "count", type: "number", required: false, default: 1 },
        { name: "id", type: "number", required: true },
        { name: "note", type: "string", required: false },
      ],
    })
    await runs.done(await runs.start({ environments: { shop: "other" }, inputs: { id: 1 } }))
    expect((await prepare()).apis).toEqual([{ api: "shop", environments, chosen: "other" }])
    const chosenFor = async (workflow: string) =>
      (await runs.handlers["runs.prepare"]({ workflow })).apis.map(({ chosen }) => chosen)
    await putAll(runs.root, { "apis/workflow/v.json": { version: 1, blocks: [get("one")] } })
    expect(await chosenFor("v"), "what the API was last sent to").toEqual(["other"])
    expect(await runs.handlers["runs.presets"]({})).toEqual({ environments: { shop: "other" } })
    await putAll(runs.root, { "apis/shop/environments/other.json": { level: "production" } })
    for (const name of ["v", "w"])
      expect(await chosenFor(name), "production is chosen by a person").toEqual([undefined])
  })
})
