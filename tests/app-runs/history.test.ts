// Checks the stored runs of the app: outside the repository, limited, and without secrets.

import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { stringifyJson } from "@callsheet/format"
import type { Files } from "../app-project/open-project.ts"
import { shopFiles } from "../run/shop-project.ts"
import { openRuns, type OpenRuns } from "./open-runs.ts"

const check = (id: string, value: unknown) => ({
  id,
  type: "assert",
  assertions: [{ source: "word", operator: "equals", value }],
})
const inputs = { word: { type: "string", default: "a" } }

const files = (url: string): Files => ({
  ...shopFiles(url, [check("one", "a")], { inputs }),
  "apis/workflow/other.json": { version: 1, inputs, blocks: [check("one", "a")] },
})

async function runOften(runs: OpenRuns, count: number, workflow = "w"): Promise<readonly string[]> {
  const done: string[] = []
  for (let turn = 0; turn < count; turn++) {
    const run = await runs.start({ workflow, environments: {} })
    await runs.done(run)
    done.unshift(run)
  }
  return done
}

const listed = async (runs: OpenRuns, workflow = "w") => (await runs.list(workflow)).map(({ run }) => run)

async function folderOf({ state }: OpenRuns): Promise<string> {
  const [project] = await readdir(join(state, "runs"))
  return join(state, "runs", project ?? "none")
}

describe("the history of runs", () => {
  it("survives a restart, with complete reports", async () => {
    const runs = await openRuns({ files })
    const [run = ""] = await runOften(runs, 1)
    const before = await runs.read(run)
    await runs.close()
    const again = await openRuns({ root: runs.root, state: runs.state, files })
    expect(await listed(again)).toEqual([run])
    expect(await again.read(run)).toEqual(before)
    expect((await again.handlers["runs.latest"]({})).runs).toEqual(await again.list())
  })

  it("belongs to one project, and is stored outside it", async () => {
    const runs = await openRuns({ files })
    const before = await readdir(runs.root, { recursive: true })
    await runOften(runs, 1)
    const other = await openRuns({ state: runs.state, files })
    expect(await listed(other)).toEqual([])
    expect(await readdir(runs.root, { recursive: true })).toEqual(before)
  })

  it("keeps the last runs of each workflow", async () => {
    const runs = await openRuns({ files, maxRuns: 2 })
    const [other = ""] = await runOften(runs, 1, "other")
    const kept = await runOften(runs, 4)
    expect(await listed(runs)).toEqual(kept.slice(0, 2))
    expect(await listed(runs, "other")).toEqual([other])
    expect(await readdir(await folderOf(runs))).toHaveLength(3)
    await expect(runs.read(kept[3] ?? "")).rejects.toMatchObject({ code: "run-unknown" })
  })

  it("keeps only a limited number of bytes, and the last runs of them", async () => {
    const first = await openRuns({ files })
    const [one = ""] = await runOften(first, 1)
    const { size } = await stat(join(await folderOf(first), `${one}.json`))
    const runs = await openRuns({ files, maxBytes: size * 3 + 100 })
    const kept = await runOften(runs, 5)
    expect(await listed(runs)).toEqual(kept.slice(0, 3))
  })

  it("shows a run that is too large for it until the app stops", async () => {
    const runs = await openRuns({ files, maxBytes: 10 })
    const [run = ""] = await runOften(runs, 1)
    expect(await listed(runs)).toEqual([run])
    expect(await runs.read(run)).toMatchObject({ isDone: true, report: { status: "passed" } })
    // Only the last runs are kept in memory.
    const more = await runOften(runs, 3)
    expect(await listed(runs)).toEqual(more.slice(0, 2))
  })

  it("is readable only by its user", async () => {
    const runs = await openRuns({ files })
    const [run = ""] = await runOften(runs, 1)
    const folder = await folderOf(runs)
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
    expect(await modeOf(join(runs.state, "runs"))).toBe("700")
    expect(await modeOf(folder)).toBe("700")
    expect(await modeOf(join(folder, `${run}.json`))).toBe("600")
  })

  it("writes through no link in its place", async () => {
    const runs = await openRuns({ files })
    const elsewhere = join(runs.root, "elsewhere")
    await mkdir(elsewhere)
    await symlink(elsewhere, join(runs.state, "runs"))
    const [run = ""] = await runOften(runs, 1)
    expect(await readdir(elsewhere)).toEqual([])
    expect((await runs.read(run)).isDone).toBe(true)
  })

  it("ignores broken and foreign files and links", async () => {
    const runs = await openRuns({ files })
    const [run = ""] = await runOften(runs, 1)
    const folder = await folderOf(runs)
    const good = await readFile(join(folder, `${run}.json`), "utf8")
    const name = (digit: string): string => `20990101T000000000Z-${digit.repeat(16)}`
    const head = JSON.parse(good.split("\n")[0] ?? "") as object
    const broken = [
      "",
      "{",
      good.slice(0, 40),
      "null\nnull\n",
      good,
      `${JSON.stringify({ ...head, run: name("6"), workflow: "../w" })}\n{}`,
    ]
    for (const [at, text] of broken.entries())
      await writeFile(join(folder, `${name(`${at + 1}`)}.json`), text)
    await writeFile(join(folder, "linked.txt"), good.replace(run, name("a")))
    await symlink(join(folder, "linked.txt"), join(folder, `${name("a")}.json`))
    await mkdir(join(folder, `${name("b")}.json`))
    await writeFile(join(folder, "other.txt"), "x")
    expect((await runs.handlers["runs.latest"]({})).runs.map((latest) => latest.run)).toEqual([run])
    expect(await listed(runs)).toEqual([run])
    await expect(runs.read(name("5"))).rejects.toMatchObject({ code: "run-unknown" })
    const [next] = await runOften(runs, 1)
    expect(await listed(runs)).toEqual([next, run])
  })
})

describe("a secret", () => {
  const fromEnvironment = "canary-of-the-environment-7f3a"
  const captured = "canary-that-a-server-gave-91bd"
  const late = "canary-that-is-late-55aa"
  const request = (id: string, operation: string, headers: Readonly<Record<string, string>> = {}) => ({
    id,
    type: "request",
    request: { api: "shop", operation, overrides: { params: { header: headers } } },
  })

  it("is in no response, event or file of a run, whatever its source", async () => {
    const routes = {
      "POST /echo": { body: { token: captured, other: late, env: fromEnvironment } },
      "GET /echo": (got: { readonly headers: object }) => ({ body: { got: got.headers } }),
    }
    const blocks = [
      request("sign-in", "postEcho"),
      { id: "pick", type: "transform", transforms: { name: "sign-in.response.body.token" } },
      request("use", "echo", {
        authorization: "Bearer {{sign-in.response.body.token}}",
        "x-own": "{{env.shop.token}}",
      }),
      {
        id: "no",
        type: "assert",
        assertions: [{ source: "sign-in.response.body.env", operator: "equals", value: "x" }],
      },
    ]
    const runs = await openRuns({
      routes,
      files: (url) => shopFiles(url, blocks),
      processEnvironment: { CALLSHEET_VAR__SHOP__TOKEN: fromEnvironment },
    })
    const run = await runs.start()
    await runs.done(run)
    expect(JSON.stringify(runs.api.requests.map(({ headers }) => headers))).toContain(captured)
    const { report } = await runs.read(run)
    const file = await readFile(join(await folderOf(runs), `${run}.json`), "utf8")
    const said = [
      stringifyJson(report),
      file,
      JSON.stringify(runs.events),
      JSON.stringify(await runs.handlers["runs.prepare"]({ workflow: "w" })),
      JSON.stringify(await runs.list()),
      JSON.stringify(await runs.handlers["runs.latest"]({})),
    ]
    // Finds values that aren't secret, to prove that the search looks in the right places.
    for (const text of said.slice(0, 3)) expect(text).toContain(late)
    for (const text of said)
      for (const secret of [fromEnvironment, captured]) expect(text).not.toContain(secret)
  })

  it("is masked from the start of a report even if it is learned late", async () => {
    const blocks = [
      request("first", "postEcho"),
      request("use", "echo", { authorization: "Bearer {{word}}" }),
    ]
    const runs = await openRuns({
      routes: { "POST /echo": { body: { late } }, "*": { body: {} } },
      files: (url) => shopFiles(url, blocks, { inputs }),
    })
    const run = await runs.start({ inputs: { word: late } })
    await runs.done(run)
    expect(runs.api.requests.at(-1)?.headers.authorization).toBe(`Bearer ${late}`)
    expect(stringifyJson((await runs.read(run)).report)).not.toContain(late)
    expect(await readFile(join(await folderOf(runs), `${run}.json`), "utf8")).not.toContain(late)
  })
})
