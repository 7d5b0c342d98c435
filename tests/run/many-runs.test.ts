// Reports of many runs: what was skipped, how many failed, and that a replay is one.

import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { assert, echo, request, shopFiles } from "./shop-project.ts"

let api: ApiServer
let folder: string
beforeAll(async () => {
  api = await startApi({ "/items/gone": { status: 404, body: {} }, "*": { body: {} } })
  folder = await createFolder(shopFiles(api.url, [echo("get")]))
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

const ok = { version: 1, blocks: [echo("get")] }
const bad = { version: 1, blocks: [echo("get"), assert("check", ["get.response.status", "equals", 201])] }
const broken = { version: 1, blocks: [request("get", { operation: "nothing" })] }

const workflows = (count: number, at: (index: number) => object) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`apis/workflow/w${index}.json`, at(index)] as const),
  )

describe("a suite that an early failure halts", () => {
  it.each([
    [1, "− again-0 skipped: an earlier step"],
    [3, "− again-2 skipped: an earlier step"],
    [
      4,
      "− 4 runs skipped: an earlier step of the suite failed or was canceled (again-0, again-1, again-2, … 1 more)",
    ],
    [50, "− 50 runs skipped"],
    [10_000, "− 10000 runs skipped"],
  ])("shows %i skipped entries in one line", async (count, line) => {
    const entries = Array.from({ length: count }, (_, index) => ({ workflow: "w", as: `again-${index}` }))
    const files = {
      "apis/workflow/bad.json": bad,
      "callsheet.json": { version: 1, suites: { s: { before: ["bad"], workflows: entries } } },
    }
    const { stdout } = await callsheet(["run", "--suite", "s", "--env", "local"], { folder, files })
    const lines = stdout.split("\n")
    expect(stdout).toContain(line)
    expect(lines.filter((text) => text.includes("skipped: an earlier step"))).toHaveLength(
      count > 3 ? 1 : count,
    )
    expect(lines.length).toBeLessThan(50)
    expect(stdout).toMatch(new RegExp(`${count} skipped`))
  })
})

describe("the HTML report of several workflows", () => {
  it.each([
    [10, (index: number) => (index === 3 ? bad : ok), "1 of 10 workflows", "failed"],
    [4, (index: number) => (index < 3 ? bad : ok), "3 of 4 workflows", "failed"],
    [3, () => bad, "3 of 3 workflows", "failed"],
    [3, (index: number) => (index === 1 ? broken : ok), "1 of 3 workflows", "could not start"],
    [2, () => ok, "2 workflows", "passed"],
  ])("of %i says how many failed", async (count, at, title, word) => {
    const project = await createFolder({ ...shopFiles(api.url, []), ...workflows(count, at) })
    const words = Array.from({ length: count }, (_, index) => `w${index}`)
    await callsheet(["run", ...words, "--env", "local", "--reporter", "html=r.html"], { folder: project })
    const html = await readFile(join(project, "r.html"), "utf8")
    await rm(project, { recursive: true })
    const heading = /<h1>(.*?)<\/h1>/s.exec(html)?.[1]?.replaceAll(/<[^>]*>/g, "")
    expect(heading).toContain(`${title} ${word}`)
    expect(html).toContain(word === "passed" ? `<title>${title}: passed` : `<title>${title} ${word}</title>`)
    expect(html).toMatch(/\.tiles time \{[^}]*white-space: nowrap/)
  })
})

it("a replay says in its header that it is one", async () => {
  const run = await callsheet(["run", "w", "--env", "local", "--record", "run.callsheet"], { folder })
  expect(run.exitCode, run.stderr).toBe(0)
  expect(run.stdout).not.toContain("replay")
  const { stdout } = await callsheet(["replay", "run.callsheet"], { folder })
  expect(stdout.split("\n")[0]).toContain("replay, no requests are sent")
})
