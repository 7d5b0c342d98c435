// Checks `callsheet run --jobs`: which workflows run at the same time, and that reports don't depend on it.

import { rm } from "node:fs/promises"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { RunReport } from "@callsheet/format"
import { startApi, type Answer, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, type CallOptions, type Files } from "../harness/callsheet.ts"
import { assert, echo, request, shopFiles } from "./shop-project.ts"

let api: ApiServer
/** The number of requests to `/items/meet` that wait for each other. */
let group: number
/** Ends the response of `/items/slow`. */
let release: (() => void) | undefined

beforeEach(async () => {
  group = 1
  release = undefined
  let waiting: (() => void)[] = []
  const meet = async (): Promise<Answer> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length < group) return
      for (const each of waiting) each()
      waiting = []
    })
    return { body: {} }
  }
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  api = await startApi({
    "/items/meet": meet,
    "/items/slow": async () => {
      await isReleased
      return { body: { code: "l4te-s3cret" } }
    },
    "/items/release": () => {
      release?.()
      return { body: {} }
    },
    "/items/fail": { status: 500, body: {} },
    "GET /echo": ({ query, headers }) => ({
      headers: { "set-cookie": `who=${query.get("who")}` },
      body: { who: query.get("who"), cookie: headers.cookie ?? null },
    }),
    "*": { body: {} },
  })
})
afterEach(async () => await api.close())

const item = (id: string, name: string) =>
  request(id, { operation: "getItem", overrides: { params: { path: { id: name } } } })
const ok = (block: string) => assert(`${block}-ok`, [`${block}.response.status`, "equals", 200])
const workflow = (...blocks: readonly unknown[]) => ({ version: 1, blocks })

function files(workflows: Readonly<Record<string, unknown>>, settings?: unknown): Files {
  const { "apis/workflow/w.json": _, ...base } = shopFiles(api.url, [])
  return {
    ...base,
    ...Object.fromEntries(
      Object.entries(workflows).map(([name, file]) => [`apis/workflow/${name}.json`, file]),
    ),
    ...(settings === undefined ? {} : { "callsheet.json": settings }),
  }
}

async function run(given: Files, words: readonly string[], options: CallOptions = {}) {
  const result = await callsheet(["run", ...words, "--json"], { files: given, timeoutMs: 20_000, ...options })
  return { ...result, runs: result.report?.runs ?? [] }
}

const outline = (runs: readonly RunReport[]) =>
  runs.map(({ workflow: name, entry = name, row, repeat, reason, status }) =>
    [entry, row ?? repeat, reason ?? status].filter((part) => part !== undefined).join(" "),
  )

const many = (count: number, file: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`w${at}`, file]))

describe("--jobs", () => {
  it("runs as many workflows at once as it says, and reports them in the usual order", async () => {
    group = 3
    const { runs, report } = await run(files(many(6, workflow(item("meet", "meet"), ok("meet")))), [
      "--all",
      "--jobs",
      "3",
    ])
    expect(report?.status).toBe("passed")
    expect(api.mostAtOnce()).toBe(3)
    expect(outline(runs)).toEqual(["w0", "w1", "w2", "w3", "w4", "w5"].map((name) => `${name} passed`))
  })

  it("writes the report that a run without it writes, whichever workflow ends first", async () => {
    const waits = workflow(item("slow", "slow"), ok("slow"))
    const ends = workflow(echo("quick"), item("release", "release"))
    const report = async (jobs: string) => {
      const given = files({ a: jobs === "1" ? workflow(item("slow", "x"), ok("slow")) : waits, b: ends })
      const { stdout } = await run(given, ["a", "b", "--jobs", jobs, "--seed", "1"])
      return JSON.parse(
        stdout.replaceAll("items/slow", "items/x").replaceAll(/"(?:durationMs|sizeBytes)":[\d.]+/g, '"n":0'),
        (key, value: unknown) => (["startedAt", "date", "body", "headers"].includes(key) ? null : value),
      ) as unknown
    }
    expect(await report("2")).toEqual(await report("1"))
  })

  it("prints each workflow whole, when it ends", async () => {
    const given = files({
      a: workflow(item("slow", "slow")),
      b: workflow(item("one", "1"), item("release", "release")),
    })
    const { stdout } = await callsheet(["run", "a", "b", "--jobs", "2"], { files: given })
    expect(
      stdout
        .replaceAll(/ {2}.*$/gm, "")
        .trim()
        .split(/\n+/),
    ).toEqual(["b", "✓ b passed", "a", "✓ a passed", "2 workflows: 2 passed"])
  })

  it("limits the requests of all workflows together with --concurrency", async () => {
    const loop = { id: "all", type: "loop", mode: "times", count: 4, execution: "parallel" }
    const given = files(many(4, workflow({ ...loop, blocks: [item("get", "x")] })))
    await run(given, ["--all", "--jobs", "4", "--concurrency", "2"])
    expect(api.requests).toHaveLength(16)
    expect(api.mostAtOnce()).toBeLessThanOrEqual(2)
  })

  it("keeps cookies and results within each workflow", async () => {
    group = 8
    const one = (who: string) =>
      workflow(
        echo("first", { who }),
        item("meet", "meet"),
        echo("second", { who: "{{first.response.body.who}}" }),
        assert(
          "own",
          ["second.response.body.who", "equals", who],
          ["second.response.body.cookie", "equals", `who=${who}`],
        ),
      )
    const given = files(
      Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`w${at}`, one(`user-${at}`)])),
    )
    const { report, stdout } = await run(given, ["--all", "--jobs", "8"])
    expect(report?.status, stdout).toBe("passed")
  })

  it("starts no workflow after --bail, and reports those that were running", async () => {
    group = 2
    const failing = workflow(item("meet", "meet"), assert("no", ["meet.response.status", "equals", 500]))
    const given = files({
      a: failing,
      b: workflow(item("meet", "meet")),
      ...many(40, workflow(item("get", "x"))),
    })
    const { exitCode, runs } = await run(given, ["--all", "--jobs", "2", "--bail=1"])
    expect(exitCode).toBe(1)
    expect(runs.length).toBe(42)
    expect(outline(runs).slice(0, 2)).toEqual(["a failed", "b passed"])
    expect(outline(runs).at(-1)).toBe("w9 bail")
  })

  it("runs rows and repetitions at once, and reports them by number", async () => {
    group = 3
    const given = {
      ...files({
        w: { ...workflow(item("meet", "meet")), inputs: { n: { type: "number", required: true } } },
      }),
      "rows.csv": "n\n1\n2\n3\n",
    }
    expect(outline((await run(given, ["w", "--data", "rows.csv", "--jobs", "3"])).runs)).toEqual([
      "w 1 passed",
      "w 2 passed",
      "w 3 passed",
    ])
    const repeated = files({ w: workflow(item("meet", "meet")) })
    expect(outline((await run(repeated, ["w", "--repeat", "3", "--jobs", "3"])).runs)).toEqual([
      "w 1 passed",
      "w 2 passed",
      "w 3 passed",
    ])
    expect(api.mostAtOnce()).toBe(3)
  })

  it("masks what one workflow received before another one made it secret", async () => {
    const shown = assert("no", ["shows.response.body.who", "equals", "x"])
    const given: Files = {
      ...files({
        a: workflow(echo("shows", { who: "l4te-s3cret" }), shown, item("wait", "meet"), item("end", "slow")),
        b: workflow(
          item("wait", "meet"),
          { id: "hide", type: "script", script: { name: "hide", exportName: "hide" } },
          item("release", "release"),
        ),
      }),
      "apis/workflow/scripts/b/hide.ts": 'export const hide = (ctx) => ctx.secret("l4te-s3cret")\n',
    }
    group = 2
    const words = ["run", "a", "b", "--jobs", "2", "--on-failure", "continue"]
    const reports = ["json=r.json", "junit=r.xml"].flatMap((each) => ["--reporter", each])
    const folder = await createFolder(given)
    const { stdout, stderr } = await callsheet([...words, ...reports], { folder })
    const written = [stdout, stderr, await readText(folder, "r.json"), await readText(folder, "r.xml")]
    expect(stdout).toContain("✓ b passed")
    expect(stdout).toContain('"who": "***"')
    for (const text of written) expect(text).not.toContain("l4te-s3cret")
    await rm(folder, { recursive: true })
  })

  it("can be a default, and must be a whole number", async () => {
    group = 2
    const given = files(many(2, workflow(item("meet", "meet"))), { version: 1, defaults: { jobs: 2 } })
    expect((await run(given, ["--all"])).report?.status).toBe("passed")
    const { exitCode, stderr } = await run(given, ["--all", "--jobs", "0"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("--jobs must be a whole number from 1 to 1000")
  })
})

describe("--jobs with a suite", () => {
  const suite = (nightly: unknown) => ({ version: 1, suites: { nightly } })

  it("runs before first and finally last, and cleans up after each entry", async () => {
    group = 2
    const given = files(
      {
        setup: workflow(item("get", "setup")),
        w: workflow(item("meet", "meet")),
        tidy: workflow(item("get", "tidy")),
        end: workflow(item("get", "end")),
      },
      suite({
        before: ["setup"],
        workflows: [
          { workflow: "w", as: "a", finally: [{ workflow: "tidy", as: "tidy-a" }] },
          { workflow: "w", as: "b", finally: [{ workflow: "tidy", as: "tidy-b" }] },
        ],
        finally: ["end"],
      }),
    )
    const { runs } = await run(given, ["--suite", "nightly", "--jobs", "2"])
    expect(outline(runs)).toEqual(
      ["setup", "a", "tidy-a", "b", "tidy-b", "end"].map((name) => `${name} passed`),
    )
    expect(api.requests.map(({ path }) => path)).toEqual([
      "/items/setup",
      "/items/meet",
      "/items/meet",
      "/items/tidy",
      "/items/tidy",
      "/items/end",
    ])
  })

  it("never runs two entries with the same lock at once, while others go on", async () => {
    group = 3
    const given = files(
      {
        locked: workflow(item("start", "start"), item("meet", "meet"), item("stop", "stop")),
        quiet: workflow(item("start", "start"), item("stop", "stop")),
        free: workflow(item("meet", "meet")),
      },
      suite({
        workflows: [
          { workflow: "locked", as: "a", locks: ["ledger"] },
          { workflow: "quiet", as: "b", locks: ["ledger", "other"] },
          { workflow: "free", as: "c" },
          { workflow: "free", as: "d" },
        ],
      }),
    )
    const { report, runs } = await run(given, ["--suite", "nightly", "--jobs", "4"])
    expect(report?.status).toBe("passed")
    expect(outline(runs)).toEqual(["a", "b", "c", "d"].map((name) => `${name} passed`))
    const guarded = api.requests.map(({ path }) => path.slice(7)).filter((name) => name !== "meet")
    expect(guarded).toEqual(["start", "stop", "start", "stop"])
  })

  it("after Ctrl-C reports every entry, and still cleans up", async () => {
    const given = files(
      {
        w: workflow(item("slow", "slow")),
        quick: workflow(item("get", "x")),
        tidy: workflow(item("get", "tidy")),
      },
      suite({
        workflows: [
          { workflow: "w", as: "a", finally: [{ workflow: "tidy", as: "tidy-a" }] },
          { workflow: "w", as: "b", finally: [{ workflow: "tidy", as: "tidy-b" }] },
          "quick",
          { workflow: "w", as: "c" },
          { workflow: "w", as: "d" },
        ],
      }),
    )
    const words = ["run", "--suite", "nightly", "--jobs", "3"]
    const signal = { name: "SIGINT", after: "quick passed" } as const
    const { exitCode, stdout } = await callsheet(words, { files: given, signal })
    expect(exitCode).toBe(130)
    expect(stdout.match(/^\S \S+( \(cleanup\))? (passed|failed|skipped)/gm)?.sort()).toEqual([
      "− d skipped",
      "✓ quick passed",
      "✓ tidy-a (cleanup) passed",
      "✓ tidy-b (cleanup) passed",
      "✗ a failed",
      "✗ b failed",
      "✗ c failed",
    ])
  })
})
