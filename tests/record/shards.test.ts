// `callsheet run --shard`: parts of a session on several machines, and the report that joins them.

import { mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Report } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles, type Files } from "../harness/callsheet.ts"
import { assert, request, shopFiles } from "../run/shop-project.ts"

const COUNT = 3

let api: ApiServer
let folder: string

beforeEach(async () => {
  api = await startApi({
    "/items/slow": async () => {
      await new Promise((resolve) => setTimeout(resolve, 300))
      return { body: {} }
    },
    "*": ({ path }) => ({ status: path.endsWith("5") ? 500 : 200, body: {} }),
  })
  folder = await createFolder()
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const item = (name: string) =>
  request("get", { operation: "getItem", overrides: { params: { path: { id: name } } } })
const workflow = (name: string) => ({
  version: 1,
  blocks: [item(name), assert("ok", ["get.response.status", "equals", 200])],
})
const numbered = (count: number): Files =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`apis/workflow/w${at}.json`, workflow(String(at))]),
  )

async function open(more: Files): Promise<void> {
  const { "apis/workflow/w.json": _, ...base } = shopFiles(api.url, [])
  await writeFiles(folder, { ...base, ...more })
}

const call = (...words: string[]) => callsheet(words, { folder, timeoutMs: 60_000 })

/** Runs every shard with a record, then joins the records. */
async function runShards(selection: readonly string[], more: readonly string[] = []) {
  const names: string[][] = []
  const codes: (number | undefined)[] = []
  for (let index = 1; index <= COUNT; index++) {
    const words = ["--shard", `${index}/${COUNT}`, "--record", `${index}.callsheet`, "--json", ...more]
    const { report, exitCode } = await call("run", ...selection, ...words)
    names.push(mainNames(report))
    codes.push(exitCode)
  }
  return { names, codes, records: Array.from({ length: COUNT }, (_, at) => `${at + 1}.callsheet`) }
}

const mainNames = (report: Report | undefined): string[] =>
  (report?.runs ?? []).flatMap(({ entry, workflow: name, role = "main" }) =>
    role === "main" ? [entry ?? name] : [],
  )

const withoutTimes = (text: string | undefined): string =>
  (text ?? "")
    .replaceAll(/"(durationMs|sizeBytes)":[\d.]+/g, '"$1":0')
    .replaceAll(/"startedAt":"[^"]*"/g, '"startedAt":""')
    .replaceAll(/ (time|timestamp)="[^"]*"/g, ' $1=""')
    .replaceAll(/"date":"[^"]*"/g, '"date":""')
    .replaceAll(/\d+(?:\.\d+)? m?s\b/g, "0 ms")
    .replaceAll(/date: [^\n&]*/g, "date: ")

describe("--shard", () => {
  it("runs each workflow in exactly one part, and the joined report is that of a whole run", async () => {
    await open(numbered(10))
    const { names, codes, records } = await runShards(["--all"])
    expect(names.flat().sort()).toEqual(Array.from({ length: 10 }, (_, at) => `w${at}`))
    for (const part of names) expect(part).toEqual(part.toSorted())
    expect(Math.max(...codes.map(Number))).toBe(1)
    const reporters = (place: string) =>
      ["json", "junit", "coverage"].map((name) => `--reporter=${name}=${place}/${name}`)
    const whole = await call("run", "--all", ...reporters("whole"))
    const joined = await call("report", ...records, ...reporters("joined"))
    expect(joined.exitCode).toBe(whole.exitCode)
    for (const name of ["json", "junit", "coverage"])
      expect(withoutTimes(await readText(folder, `joined/${name}`)), name).toEqual(
        withoutTimes(await readText(folder, `whole/${name}`)),
      )
  })

  it("balances parts by the durations in a record", async () => {
    await open({ ...numbered(4), "apis/workflow/slow.json": workflow("slow") })
    await call("run", "--all", "--record", "last.callsheet")
    const { names } = await runShards(["--all"], ["--timings", "last.callsheet"])
    expect(names.filter((part) => part.includes("slow"))).toEqual([["slow"]])
    expect(names.flat().sort()).toEqual(["slow", "w0", "w1", "w2", "w3"])
  })

  it("balances parts by the durations in a directory of shards", async () => {
    await open({ ...numbered(4), "apis/workflow/slow.json": workflow("slow") })
    const { records } = await runShards(["--all"])
    await mkdir(join(folder, "last"))
    for (const record of records) await rename(join(folder, record), join(folder, "last", record))
    const { names } = await runShards(["--all"], ["--timings", "last"])
    expect(names.filter((part) => part.includes("slow"))).toEqual([["slow"]])
    expect(names.flat().sort()).toEqual(["slow", "w0", "w1", "w2", "w3"])
  })

  it("refuses to join parts that were balanced by different timings, because a workflow may be in none", async () => {
    await open({ ...numbered(4), "apis/workflow/slow.json": workflow("slow") })
    await call("run", "--all", "--record", "last.callsheet")
    const { records } = await runShards(["--all"])
    const [first = ""] = records
    await call("run", "--all", "--shard", `1/${COUNT}`, "--timings", "last.callsheet", "--record", first)
    const { exitCode, stderr } = await call("report", ...records)
    expect(exitCode).toBe(2)
    expect(stderr).toContain("were balanced by different timings")
    expect(stderr).toContain("run all shards again with the same --timings")
  })

  it("sets up and cleans up in each part of a suite, and reports that once", async () => {
    await open({
      ...numbered(4),
      "apis/workflow/setup.json": workflow("setup"),
      "callsheet.json": {
        version: 1,
        suites: {
          nightly: {
            before: ["setup"],
            workflows: ["w0", "w1", "w2", "w3"],
            finally: [{ workflow: "setup", as: "end" }],
          },
        },
      },
    })
    const { names, records } = await runShards(["--suite", "nightly"])
    expect(names.flat().sort()).toEqual(["w0", "w1", "w2", "w3"])
    expect(api.requests.filter(({ path }) => path === "/items/setup")).toHaveLength(2 * COUNT)
    const { stdout } = await call("report", ...records, "--json")
    const report = JSON.parse(stdout) as Report
    expect(report.runs.map(({ entry }) => entry)).toEqual(["setup", "w0", "w1", "w2", "w3", "end"])
  })

  it("passes without sending anything if a part is empty", async () => {
    await open({
      ...numbered(1),
      "apis/workflow/setup.json": workflow("setup"),
      "callsheet.json": { version: 1, suites: { nightly: { before: ["setup"], workflows: ["w0"] } } },
    })
    for (const selection of [["w0"], ["--suite", "nightly"]]) {
      const { exitCode, stderr } = await call("run", ...selection, "--shard", "2/2")
      expect(exitCode).toBe(0)
      expect(stderr).toContain("shard 2/2 has nothing to run")
    }
    expect(api.requests).toEqual([])
  })

  it.each([
    [["--shard", "0/4"], "--shard must be <index>/<count>"],
    [["--shard", "5/4"], "--shard must be <index>/<count>"],
    [["--shard", "half"], "--shard must be <index>/<count>"],
    [["--timings", "x"], "--timings needs --shard"],
    [["--shard", "1/2", "--data", "rows.csv"], "--shard can't be used with --data"],
    [["--shard", "1/2", "--timings", "callsheet.json"], "callsheet.json"],
  ])("refuses %j", async (words, message) => {
    await open({ ...numbered(1), "callsheet.json": { version: 1 } })
    const { exitCode, stderr } = await call("run", "w0", ...words)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(message)
    expect(api.requests).toEqual([])
  })
})
