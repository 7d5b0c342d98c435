// Scripts in a replay: the recorded clock and seed, no outside world, and masked values.

import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { blocksOf, check, openProject, send, type ReplayProject } from "./replay-project.ts"

const script = (id: string, type: string, exportName: string, more: object = {}) => ({
  id,
  type,
  script: { name: "all", exportName },
  ...more,
})
const flow = (...blocks: readonly object[]) => ({ version: 1, blocks })
const inside = [check("in", "token.response.status", 200)]

/** Sends the token, so that the record masks it. */
const signedIn = (...blocks: readonly object[]) =>
  flow(
    send("token", "getToken"),
    send("use", "listOrders", {
      params: { header: { authorization: "Bearer {{token.response.body.token}}" } },
    }),
    ...blocks,
  )

const masked = {
  "reads-token": signedIn(script("judge", "assert", "tokenIsLong")),
  "reads-user": signedIn(script("judge", "assert", "userIsBob")),
  "reads-env": signedIn(script("judge", "assert", "keyIsLong")),
  makes: signedIn(script("sum", "transform", "sum"), check("judge", "sum.length", 20)),
  branches: signedIn(script("judge", "condition", "hasToken", { then: inside })),
}

const all = `
export const times = async (ctx) => {
  const before = performance.now()
  const first = Date.now()
  await ctx.sleep(400)
  const values = { first, date: new Date().toISOString(), again: new Date(0).getTime(), random: [Math.random(), Math.random()] }
  if (!(performance.now() >= before) || !(new Date() instanceof Date)) throw new Error("not a clock")
  return values
}
export const tokenIsLong = (ctx) => ctx.assert(ctx.get("token.response.body").token.length > 100)
export const userIsBob = (ctx) => ctx.assert(ctx.get("token.response.body").user === "bob", "not bob")
export const keyIsLong = (ctx) => ctx.assert(ctx.env("shop").tenant === "a" && ctx.env("shop").apiKey.length > 100)
export const sum = (ctx) => ({ length: ctx.get("token.response.body.token").length })
export const hasToken = (ctx) => ctx.get("token.response.body.token") !== ""
`

const refused: Readonly<Record<string, readonly [code: string, what: string]>> = {
  file: ['import { readFileSync } from "node:fs"\nexport const go = () => readFileSync("x")', "node:fs"],
  network: ["export const go = () => fetch('http://127.0.0.1')", "fetch"],
  global: ["export const go = () => globalThis.fetch('http://127.0.0.1')", "globalThis.fetch"],
  process: ['import { exec } from "child_process"\nexport const go = () => exec("true")', "child_process"],
  late: ['export const go = async () => (await import("node:net")).connect(1)', "node:net"],
  builtin: ['export const go = () => process.getBuiltinModule("fs")', "process.getBuiltinModule"],
}

let project: ReplayProject
const call = (words: readonly string[]) => project.call([...words, "--json"])
const record = async (workflow: string) => {
  const { stderr } = await call(["run", workflow, "--var", `shop.baseUrl=${project.api.url}`, "--record=r"])
  expect(stderr).toBe("")
}

beforeAll(async () => {
  const workflows: Record<string, object> = {
    ...masked,
    times: flow(script("times", "transform", "times")),
    helped: flow(send("token", "getToken")),
    packed: flow(send("token", "getToken")),
    ...Object.fromEntries(Object.keys(refused).map((name) => [name, flow(send("token", "getToken"))])),
  }
  project = await openProject({
    ...Object.fromEntries(
      Object.entries(workflows).flatMap(([name, workflow]) => [
        [`apis/workflow/${name}.json`, workflow],
        [`apis/workflow/scripts/${name}/all.ts`, refused[name]?.[0] ?? all],
      ]),
    ),
    "apis/workflow/scripts/helped/all.ts":
      'import { read } from "./lib/files"\nexport const go = () => read()',
    "apis/workflow/scripts/helped/lib/files.ts":
      'import fs from "fs/promises"\nexport const read = () => fs.readFile("x")',
    "apis/workflow/scripts/packed/all.ts": 'import { get } from "getter"\nexport const go = () => get()',
    "node_modules/getter/package.json": { name: "getter", version: "1.0.0", main: "index.js" },
    "node_modules/getter/index.js":
      'const http = require("http")\nexports.get = () => new Promise((_, no) => http.get("http://127.0.0.1:9").on("error", no))',
  })
})
afterAll(async () => {
  await project.api.close()
  await rm(project.folder, { recursive: true })
})

const addScript = (workflow: string) =>
  project.edit(`apis/workflow/${workflow}.json`, () =>
    JSON.stringify(flow(send("token", "getToken"), script("go", "script", "go"))),
  )

describe("a script in a replay", () => {
  it("sees the recorded clock and random numbers, and doesn't wait", async () => {
    await record("times")
    const { report: recorded } = await call(["report", "r"])
    await project.edit("apis/workflow/scripts/times/all.ts", (text) =>
      text.replace("sleep(400)", "sleep(6e5)"),
    )
    const first = await call(["replay", "r"])
    const second = await call(["replay", "r"])
    const { outputs } = blocksOf(first.report)["times"] ?? {}
    expect(outputs).toEqual(blocksOf(recorded)["times"]?.outputs)
    expect(outputs).toEqual(blocksOf(second.report)["times"]?.outputs)
    const { date, first: start } = outputs as { readonly date: string; readonly first: number }
    expect(Date.parse(date) - start).toBeGreaterThan(300)
  })

  it.each(Object.entries(refused))("is refused by name before the start: %s", async (name, [, what]) => {
    await record(name)
    await addScript(name)
    const { exitCode, stdout, stderr } = await call(["replay", "r"])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toMatch(new RegExp(`^apis/workflow/scripts/${name}/all\\.ts:\\d+:\\d+: `))
    expect(stderr).toContain(`the script uses "${what}", which a replay can't repeat (replay-script)`)
  })

  it("is refused if a script that it imports reads files", async () => {
    await record("helped")
    await addScript("helped")
    const { exitCode, stderr } = await call(["replay", "r"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('apis/workflow/scripts/helped/lib/files.ts:1:1: the script uses "fs/promises"')
  })

  it("fails if a package opens a connection", async () => {
    await record("packed")
    await addScript("packed")
    const { exitCode, report } = await call(["replay", "r"])
    expect(exitCode).toBe(1)
    expect(blocksOf(report)["go"]?.error?.message).toContain("a script can't use the network in a replay")
  })
})

describe("a script that reads a masked value", () => {
  it.each(["reads-token", "reads-env"])("is undecidable, unless --strict is set: %s", async (name) => {
    await record(name)
    const { exitCode, report } = await call(["replay", "r"])
    expect(exitCode).toBe(0)
    expect(blocksOf(report)["judge"]).toMatchObject({
      status: "passed",
      undecidable: expect.stringContaining("masked"),
    })
    const strict = await call(["replay", "r", "--strict"])
    expect(strict.exitCode).toBe(1)
    expect(blocksOf(strict.report)["judge"]?.error?.code).toBe("replay-undecidable")
  })

  it("is judged if it reads only other members", async () => {
    await record("reads-user")
    const { report } = await call(["replay", "r"])
    expect(blocksOf(report)["judge"]).toMatchObject({ status: "failed", error: { code: "script-error" } })
  })

  it("makes unknown outputs", async () => {
    await record("makes")
    const { report } = await call(["replay", "r"])
    expect(blocksOf(report)["judge"]?.assertions).toMatchObject([{ status: "undecidable" }])
  })

  it("ends the run with an error if a condition depends on it", async () => {
    await record("branches")
    const { exitCode, report } = await call(["replay", "r"])
    expect(exitCode).toBe(2)
    expect(report?.runs[0]).toMatchObject({ status: "error", error: { code: "replay-undecidable" } })
  })
})
