// Report files that can't be written, are incomplete, or are large, and secrets from the command line in their
// messages.

import { readdirSync, statSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { reporterNames, type Report } from "@callsheet/format"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, writeFiles } from "../harness/callsheet.ts"
import { faultyDisk, type DiskFault } from "../harness/faulty-disk.ts"
import { assert, echo, shopFiles } from "../run/shop-project.ts"

let api: ApiServer
let folder: string
beforeEach(async () => {
  api = await startApi({ "GET /echo": { body: { ok: true } } })
  folder = await createFolder({
    ...shopFiles(api.url, [echo("first")]),
    "r.json": "old",
  })
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const words = ["run", "w", "--reporter=json=r.json"]
const temporary = String.raw`\.r\.json\..*\.tmp$`
const leftovers = () => readdirSync(folder).filter((name) => name.endsWith(".tmp"))

describe("a report that cannot be written", () => {
  it.each<readonly [string, DiskFault, string]>([
    ["the disk is full", { call: "writeSync", on: temporary, error: "ENOSPC" }, "the disk is full"],
    [
      "nothing is stored",
      { call: "fsyncSync", on: temporary, error: "EIO" },
      `can't write the report "r.json": the disk reported an error`,
    ],
    [
      "it cannot be moved into place",
      { call: "renameSync", on: temporary, error: "EACCES" },
      "permission denied",
    ],
  ])("exits with 2 if %s, and keeps the old one", async (_, fault, said) => {
    const result = await callsheet(words, { folder, env: faultyDisk([fault]) })
    expect(result).toMatchObject({ exitCode: 2 })
    expect(result.stderr).toContain(said)
    expect(result.stdout).toContain("✓ w passed")
    expect(await readText(folder, "r.json")).toBe("old")
    expect(leftovers()).toEqual([])
  })

  it.each(reporterNames)("exits with 2 if the disk is full, whatever the format: %s", async (name) => {
    const fault = { call: "writeSync", on: String.raw`r\.out.*\.tmp`, error: "ENOSPC" } as const
    const reporters = [`--reporter=${name}=r.out`, "--strict"]
    await writeFiles(folder, {
      "apis/workflow/w.json": {
        version: 1,
        blocks: [echo("a"), assert("b", ["a.response.status", "equals", 1])],
      },
    })
    const result = await callsheet(["run", "w", ...reporters], { folder, env: faultyDisk([fault]) })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("the disk is full")
    if (name === "allure") expect(readdirSync(join(folder, "r.out"))).toEqual([])
    else expect(readdirSync(folder)).not.toContain("r.out")
    expect(leftovers()).toEqual([])
  })

  it.each(reporterNames)("exits with 2 before anything is sent if a file is in its way: %s", async (name) => {
    const result = await callsheet(["run", "w", `--reporter=${name}=r.json/deep/r.out`], { folder })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain("can't write the report")
    expect(await readText(folder, "r.json")).toBe("old")
    expect(api.requests).toEqual([])
  })

  it.each<readonly [string, DiskFault]>([
    ["nothing is stored", { call: "fsyncSync", on: String.raw`-result\.json$`, error: "EIO" }],
    ["a file can't be moved", { call: "renameSync", on: String.raw`-result\.json$`, error: "EACCES" }],
  ])("exits with 2 if %s in a directory", async (_, fault) => {
    const words = ["run", "w", "--reporter=allure=out", "--reporter=json=r.json"]
    const result = await callsheet(words, { folder, env: faultyDisk([fault]) })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("the reporter allure failed")
    expect(result.stderr).toContain(`can't write the report "out"`)
    expect(readdirSync(join(folder, "out"))).toEqual([])
    expect(await readText(folder, "r.json")).toContain('"status":"passed"')
  })

  it("is detected before anything is sent if its directory can't be written", async () => {
    const words = ["run", "w", "--reporter=allure=out"]
    const fault = { call: "mkdirSync", on: String.raw`\.tmp$`, error: "EROFS" } as const
    const result = await callsheet(words, { folder, env: faultyDisk([fault]) })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain("the disk is read-only")
    expect(api.requests).toEqual([])
  })

  it("is detected before anything is sent if its path can't be written", async () => {
    const fault = { call: "openSync", on: temporary, error: "EROFS" } as const
    const result = await callsheet(words, { folder, env: faultyDisk([fault]) })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain("the disk is read-only")
    expect(api.requests).toEqual([])
  })
})

it.each(["writeSync", "fsyncSync", "renameSync"] as const)(
  "a run that is killed before its %s keeps the old report, and the next one writes its own",
  async (call) => {
    const env = faultyDisk([{ call, on: temporary, signal: "SIGKILL" }])
    expect((await callsheet(words, { folder, env })).signal).toBe("SIGKILL")
    expect(await readText(folder, "r.json")).toBe("old")
    expect(await callsheet(words, { folder })).toMatchObject({ exitCode: 0 })
    expect(await readText(folder, "r.json")).toContain('"status":"passed"')
  },
)

it("a report of many blocks is written in bounded memory, and can be opened", async () => {
  const body = [assert("check{{i}}", ["i", "exists"])]
  const loop = { id: "loop", type: "loop", mode: "times", count: 10_000, iteratorVar: "i", blocks: body }
  await writeFiles(folder, { "apis/workflow/w.json": { version: 1, blocks: [loop] } })
  const result = await callsheet([...words, "--reporter=junit=r.xml"], {
    folder,
    env: { NODE_OPTIONS: "--max-old-space-size=80" },
    timeoutMs: 60_000,
  })
  expect(result.exitCode).toBe(0)
  const report = JSON.parse((await readText(folder, "r.json")) ?? "") as Report
  expect(report.runs[0]?.counts).toEqual({ passed: 10_001, failed: 0, skipped: 0 })
  expect(report.runs[0]?.blocks[0]?.iterations).toHaveLength(10_000)
  expect((await readText(folder, "r.xml"))?.match(/<testcase /g)).toHaveLength(10_000)
}, 60_000)

it("reports of many runs are written in bounded memory", async () => {
  const blocks = Array.from({ length: 20 }, (_, at) => assert(`check-${at}`, ["item", "exists"]))
  const inputs = { item: { type: "string", default: "A-1" } }
  await writeFiles(folder, { "apis/workflow/w.json": { version: 1, inputs, blocks } })
  const result = await callsheet(["run", "w", "--repeat=4000", ...reports], {
    folder,
    env: { NODE_OPTIONS: "--max-old-space-size=40" },
    timeoutMs: 60_000,
  })
  expect(result.exitCode, result.stderr).toBe(0)
  const report = JSON.parse((await readText(folder, "r.json")) ?? "") as Report
  expect(report.runs.map(({ repeat }) => repeat)).toEqual(Array.from({ length: 4000 }, (_, at) => at + 1))
  expect((await readText(folder, "r.xml"))?.match(/<testsuite /g)).toHaveLength(4000)
}, 60_000)

it.each<readonly [string, DiskFault]>([
  ["is full", { call: "writeSync", on: "spool$", error: "ENOSPC", tell: "full" }],
  ["can't be written", { call: "openSync", on: "spool$", error: "EROFS", tell: "full" }],
])("reports are whole if the temporary directory %s", async (_, fault) => {
  const loop = { id: "loop", type: "loop", mode: "times", count: 2000, iteratorVar: "i", blocks: [noise] }
  await writeFiles(folder, { "apis/workflow/w.json": { version: 1, blocks: [loop] } })
  const result = await callsheet(["run", "w", ...reports], { folder, env: faultyDisk([fault]) })
  expect(result).toMatchObject({ exitCode: 0, stderr: "full" })
  const report = JSON.parse((await readText(folder, "r.json")) ?? "") as Report
  expect(report.runs[0]?.blocks[0]?.iterations).toHaveLength(2000)
  expect((await readText(folder, "r.xml"))?.match(/<testcase /g)).toHaveLength(2000)
})

const reports = [
  "--reporter=json=r.json",
  "--reporter=junit=r.xml",
  "--reporter=pretty=r.txt",
  ...["ndjson", "ctrf", "har", "allure"].map((name) => `--reporter=${name}=out/${name}`),
]
/** This report is large, even compressed. */
const noise = assert("check{{i}}", ["i", "notEquals", "{{$uuid}}".repeat(50)])

it.each([
  [
    "two on standard output",
    ["--reporter=json", "--reporter=junit"],
    "two reporters write to standard output",
  ],
  ["two on one file", ["--reporter=json=x", "--reporter=junit=./x"], 'two reporters write to the file "./x"'],
])("%s are misuse", async (_, reporters, said) => {
  const result = await callsheet(["run", "w", ...reporters], { folder })
  expect(result).toMatchObject({ exitCode: 2, stdout: "" })
  expect(result.stderr).toContain(said)
  expect(api.requests).toEqual([])
})

it("many reports at once print nothing to standard error", async () => {
  const files = Array.from({ length: 12 }, (_, at) => `--reporter=har=${at}.har`)
  expect(await callsheet(["run", "w", ...files], { folder })).toMatchObject({ exitCode: 0, stderr: "" })
})

it("report files are readable according to the umask, and writable only for their owner", async () => {
  for (const [umask, mode] of [
    [0, 0o644],
    [0o077, 0o600],
  ] as const) {
    const env = faultyDisk([], umask)
    const result = await callsheet([...words, "--reporter=junit=new.xml"], { folder, env })
    expect(result.exitCode).toBe(0)
    expect(statSync(join(folder, "new.xml")).mode & 0o777).toBe(mode)
    await rm(join(folder, "new.xml"))
  }
})

it.each([
  ["run", "w", "shop.token=s3cret-word"],
  ["run", "w", "--var", "shop.token", "s3cret-word=s3cret-word"],
  ["run", "w", "--var", "token=s3cret-word"],
  ["run", "w", "--var", "shop.tier=s3cret-word"],
  ["run", "w", "--var", "shop.none=s3cret-word"],
  ["run", "w", "--var", "shop.token=s3cret-word", "--var", "shop.token=s3cret-word"],
  ["run", "w", "--vra", "shop.token=s3cret-word"],
  ["validate", "shop.token=s3cret-word"],
  ["env", "read", "shop", "token=s3cret-word"],
  ["env", "read", "shop", "local", "token=s3cret-word"],
  ["env", "write", "shop", "token=s3cret-word"],
  ["env", "delete", "shop", "token=s3cret-word", "--debug"],
])("a value in the wrong place is not echoed: %j %j %j %j", async (...misused) => {
  const { exitCode, stdout, stderr } = await callsheet(misused, { folder })
  expect(exitCode).toBe(2)
  expect(stderr).not.toBe("")
  expect((stdout + stderr).replaceAll('"s3cret-word=…"', "")).not.toContain("s3cret-word")
})
