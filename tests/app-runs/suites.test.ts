// Suites of callsheet.json, run from the page as `callsheet run --suite` runs them.

import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { createReportFold, keepProgress, stringifyJson, type Report } from "@callsheet/format"
import { callsheet } from "../harness/callsheet.ts"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, withoutTimes, type OpenRuns, type OpenRunsOptions } from "./open-runs.ts"

const request = (id: string, operation: string, item: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation, overrides: { params: { path: { id: item } } } },
})
const inputs = { id: { type: "string", required: true }, note: { type: "string", required: true } }

const suites = {
  nightly: {
    before: [{ workflow: "seed", as: "first" }],
    workflows: [
      { workflow: "w", inputs: { id: "{{first.made.response.body.id}}" }, finally: [{ workflow: "clean" }] },
      { workflow: "w", as: "again", inputs: { id: "7" }, env: { shop: "other" } },
    ],
    finally: ["clean"],
  },
}

const open = (more: Record<string, unknown> = {}, options: Partial<OpenRunsOptions> = {}) =>
  openRuns({
    routes: { "*": { body: '{"id":"42"}', headers: { "content-type": "application/json" } } },
    files: (url) => ({
      ...shopFiles(url, [request("read", "getItem", "{{id}}"), request("last", "getItem", "{{note}}")], {
        inputs,
      }),
      "apis/workflow/seed.json": { version: 1, blocks: [request("made", "getItem", "new")] },
      "apis/workflow/clean.json": { version: 1, blocks: [request("remove", "deleteItem", "42")] },
      "apis/shop/environments/other.json": { extends: "local" },
      "apis/shop/environments/live.json": { extends: "local", level: "production" },
      "callsheet.json": { version: 1, suites, ...more },
    }),
    ...options,
  })

const workflow = "suite/nightly"
const order = { workflow, environments: { shop: "local" }, inputs: { note: "n" } }
const entries = ({ runs }: Report) => runs.map(({ role, entry, status }) => `${role} ${entry} ${status}`)
async function done(runs: OpenRuns, given: Parameters<OpenRuns["start"]>[0] = order): Promise<Report> {
  const run = await runs.start(given)
  await runs.done(run)
  return (await runs.read(run)).report
}

describe("a suite from the page", () => {
  it("has the report of `callsheet run --suite`, except for times", async () => {
    const runs = await open({ defaults: { env: { shop: "local" } } })
    const report = await done(runs, { ...order, environments: {} })
    const words = ["--suite", "nightly", "--input", "note=n", "--reporter", "json"]
    const { stdout } = await callsheet(["run", ...words], { folder: runs.root })
    expect(withoutTimes(stringifyJson(report))).toBe(withoutTimes(stdout.replaceAll("\n", "")))
    expect(entries(report)).toEqual([
      "before first passed",
      "main w passed",
      "finally clean passed",
      "main again passed",
      "finally clean passed",
    ])
    expect(runs.api.requests.map(({ method, url }) => `${method} ${url}`).slice(0, 3)).toEqual([
      "GET /items/new",
      "GET /items/42",
      "GET /items/n",
    ])
    expect(report.runs.map(({ environments }) => environments["shop"]?.name)).toEqual([
      "local",
      "local",
      "local",
      "other",
      "local",
    ])
  })

  it("asks for what callsheet.json leaves open, and remembers it", async () => {
    const runs = await open()
    const form = () => runs.handlers["runs.prepare"]({ workflow })
    expect(await form()).toMatchObject({
      workflow,
      apis: [{ api: "shop" }],
      inputs: [{ name: "note", required: true }],
    })
    expect((await form()).apis[0]?.chosen).toBeUndefined()
    await done(runs)
    expect((await form()).apis[0]?.chosen).toBe("local")
    const all = { ...suites.nightly, env: { shop: "other" } }
    await writeFile(
      join(runs.root, "callsheet.json"),
      JSON.stringify({ version: 1, suites: { nightly: all } }),
    )
    expect((await form()).apis).toEqual([])
  })

  it("preselects the environments of `defaults`, for a workflow too", async () => {
    const runs = await open({ defaults: { env: { shop: "other" } } })
    for (const subject of [workflow, "w"])
      expect((await runs.handlers["runs.prepare"]({ workflow: subject })).apis[0]?.chosen).toBe("other")
  })

  it("is sent as events that add up to its report, and is listed apart from workflows", async () => {
    const runs = await open()
    const run = await runs.start(order)
    await runs.done(run)
    const fold = createReportFold(undefined, keepProgress)
    for (const event of runs.events)
      if (event.type === "run.events") for (const each of event.events) fold.apply(each)
    const { report, workflow: name } = await runs.read(run)
    expect(stringifyJson(fold.report)).toBe(stringifyJson(report))
    expect(name).toBe(workflow)
    expect(await runs.list(workflow)).toMatchObject([
      { run, workflow, status: "passed", environments: { shop: "local" } },
    ])
    expect([await runs.list("nightly"), await runs.list("w")]).toEqual([[], []])
    const later = await openRuns({ root: runs.root, state: runs.state, files: () => ({}) })
    expect((await later.handlers["runs.latest"]({})).runs).toMatchObject([{ run, workflow }])
  })

  it("cleans up after it is stopped", async () => {
    let stop = (): void => undefined
    const runs = await open(
      {},
      {
        routes: {
          "GET /items/n": async () => {
            stop()
            return { body: {} }
          },
          "*": { body: { id: "42" } },
        },
      },
    )
    stop = () => {
      for (const event of runs.events)
        if (event.type === "run.changed") void runs.handlers["runs.stop"]({ run: event.run })
    }
    const report = await done(runs)
    expect(runs.api.requests.filter(({ method }) => method === "DELETE")).toHaveLength(2)
    expect(report.status).toBe("failed")
  })

  it("asks before production, and again if callsheet.json has changed since", async () => {
    const runs = await open()
    const ask = async (given: object = {}) => {
      const started = await runs.order({ ...order, environments: { shop: "live" }, ...given })
      if (!("ask" in started)) throw new Error("the run did not ask")
      return started.ask
    }
    const { confirmation, production } = await ask()
    expect(production).toMatchObject([{ api: "shop", environment: "live", atLeast: 5 }])
    await writeFile(join(runs.root, "callsheet.json"), JSON.stringify({ version: 1, suites, defaults: {} }))
    expect(await ask({ confirmation })).not.toEqual({ confirmation, production })
    expect(runs.api.requests).toEqual([])
  })

  it("asks about the scripts of all its workflows", async () => {
    const runs = await open()
    const script = { id: "call", type: "script", script: { name: "one", exportName: "run" } }
    for (const name of ["seed", "clean"]) {
      await writeFile(
        join(runs.root, `apis/workflow/${name}.json`),
        JSON.stringify({ version: 1, blocks: [script] }),
      )
    }
    for (const name of ["seed", "clean", "w"]) {
      await mkdir(join(runs.root, "apis/workflow/scripts", name), { recursive: true })
      await writeFile(
        join(runs.root, `apis/workflow/scripts/${name}/one.ts`),
        `export const run = () => "${name}"\n`,
      )
    }
    const started = await runs.order(order)
    if (!("trust" in started)) throw new Error("the run does not ask")
    expect(started.trust.scripts.map(({ path }) => path)).toEqual([
      "apis/workflow/scripts/clean/one.ts",
      "apis/workflow/scripts/seed/one.ts",
    ])
    expect(runs.api.requests).toEqual([])
  })

  it("does not start if it is unknown, broken, or a part is asked for", async () => {
    const runs = await open()
    const code = (given: object) =>
      runs.order({ ...order, ...given }).then(
        () => "started",
        (error: unknown) => (error as { code: string }).code,
      )
    expect(await code({ workflow: "suite/weekly" })).toBe("suite-unknown")
    expect(await code({ until: "read" })).toBe("field-value")
    await writeFile(
      join(runs.root, "callsheet.json"),
      '{"version": 1, "suites": {"nightly": {"workflows": ["nope"]}}}',
    )
    expect(await code({})).toBe("workflow-unknown")
    await writeFile(join(runs.root, "callsheet.json"), "{")
    expect(await code({})).toBe("json-syntax")
    expect(runs.api.requests).toEqual([])
  })
})

describe("a workflow from the page", () => {
  it("uses the defaults of callsheet.json", async () => {
    const runs = await open({ defaults: { retries: 1 } }, { routes: { "*": { status: 500, body: {} } } })
    await writeFile(
      join(runs.root, "apis/workflow/seed.json"),
      JSON.stringify({
        version: 1,
        blocks: [
          request("made", "getItem", "new"),
          {
            id: "fine",
            type: "assert",
            assertions: [{ source: "made.response.status", operator: "equals", value: 200 }],
          },
        ],
      }),
    )
    const report = await done(runs, { workflow: "seed", environments: { shop: "local" }, inputs: {} })
    expect(report.runs.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, "failed"],
      [2, "failed"],
    ])
  })
})
