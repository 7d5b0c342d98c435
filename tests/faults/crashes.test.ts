// Checks that a crash leaves neither a stack with values nor a Node report with the environment.

import { readdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, readText } from "../harness/callsheet.ts"

const secret = "s3cret-of-a-crash"
const variable = "CALLSHEET_VAR__SHOP__KEY"
const reports =
  "--report-on-fatalerror --report-uncaught-exception --report-on-signal --report-signal=SIGUSR2"
const preload = `--require ${JSON.stringify(fileURLToPath(new URL("crash-at-request.cjs", import.meta.url)))}`

const script = `
export const env = () => {
  console.log(Object.keys(process.env).filter((name) => /callsheet/i.test(name)).join(), "were handed on")
  process.report.writeReport("written.json")
}
export const abort = () => process.abort()
export const signal = async (ctx) => {
  process.kill(process.pid, "SIGUSR2")
  await ctx.sleep(5_000)
}
export const late = async (ctx) => {
  const key = ctx.env("shop").key
  setTimeout(() => { throw new Error("late " + key) }, 1)
  await ctx.sleep(5_000)
}
`
const scripted = (exportName: string) => ({
  id: exportName,
  type: "script",
  script: { name: "s", exportName },
})

let api: ApiServer
let folder: string
beforeEach(async () => {
  api = await startApi({ "*": { body: { ok: true } } })
  folder = await createFolder({
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        key: { type: "string", required: true, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/shop/requests/tools/look.json": {
      version: 1,
      method: "GET",
      path: "/look",
      params: { header: { "x-key": "{{key}}" } },
    },
    "apis/workflow/w.json": {
      version: 1,
      onFailure: "continue",
      blocks: [
        { id: "look", type: "request", request: { api: "shop", instance: "look" } },
        ...["env", "abort", "signal", "late"].map(scripted),
      ],
    },
    "apis/workflow/scripts/w/s.ts": script,
  })
})
afterEach(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const reportsOf = () => readdirSync(folder).filter((name) => /report\.|core|\.heapsnapshot/.test(name))

describe("a crash of the command", () => {
  it.each([
    ["throws", 2],
    ["throws a text", 2],
    ["throws an object", 2],
    ["rejects", 2],
    ["aborts", undefined],
    ["is signaled", undefined],
    ["runs out of memory", undefined],
  ])("that %s shows no secret and writes no Node report", async (crash, code) => {
    for (const words of [["--reporter=json=r.json"], ["--reporter=junit", "--debug"]]) {
      const { exitCode, stdout, stderr } = await callsheet(["run", "w", ...words], {
        folder,
        env: {
          [variable]: secret,
          CALLSHEET_TEST_CRASH: crash,
          NODE_OPTIONS: `${preload} ${reports} --max-old-space-size=32`,
        },
      })
      expect(stdout + stderr).not.toContain(secret)
      expect(exitCode).toBe(code)
      if (code === 2) expect(stderr).toContain("a bug in callsheet (")
      expect(reportsOf()).toEqual([])
    }
  })
})

it("a Node report that somebody else requests contains no passed value", async () => {
  const env = { [variable]: secret, CALLSHEET_TEST_CRASH: "is asked for a report", NODE_OPTIONS: preload }
  await callsheet(["run", "w"], { folder, env })
  const written = await readText(folder, "command.json")
  expect(written).toContain("environmentVariables")
  expect(written).not.toContain(secret)
})

describe("a script", () => {
  it("contains no passed value, and its crashes write no Node report", async () => {
    const { report, stdout, stderr } = await callsheet(["run", "w", "--json", "--debug"], {
      folder,
      env: { [variable]: secret, CALLSHEET_VAR_SHOP__KEY: secret, NODE_OPTIONS: reports },
    })
    const blocks = report?.runs[0]?.blocks ?? []
    expect(blocks.map(({ status }) => status)).toEqual(["passed", "passed", "failed", "failed", "failed"])
    expect(blocks[1]?.logs?.join()).toMatch(/^ were handed on,/)
    expect(stdout + stderr).not.toContain(secret)
    expect(reportsOf()).toEqual([])
    // The script requested this report itself.
    expect(await readText(folder, "written.json")).not.toContain(secret)
  })

  it("contains none either if a program runs the workflow and keeps its own values", async () => {
    const built = new URL("../../packages/cli/dist/index.js", import.meta.url).href
    const { run } = (await import(built)) as typeof import("../../packages/cli/src/index.ts")
    process.env[variable] = secret
    try {
      const report = await run({ project: folder, workflows: ["w"] })
      expect(report.runs[0]?.blocks[1]?.logs?.join()).toMatch(/^ were handed on,/)
      expect(process.env[variable]).toBe(secret)
      expect(await readText(folder, "written.json")).not.toContain(secret)
    } finally {
      delete process.env[variable]
    }
  })
})
