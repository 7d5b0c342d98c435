// `run --until` runs a workflow up to a block, like "Run to here" in the app.

import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { BlockReport, Report } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { shopFiles } from "./shop-project.ts"

const get = (id: string) => ({
  id,
  type: "request",
  request: { api: "shop", operation: "getItem", overrides: { params: { path: { id } } } },
})

const blocks = [
  get("first"),
  {
    id: "pages",
    type: "loop",
    mode: "times",
    count: 3,
    blocks: [
      {
        id: "new",
        type: "condition",
        if: { source: "first.response.status", operator: "equals", value: 200 },
        then: [{ id: "all", type: "group", blocks: [get("inner"), get("after-inner")] }],
      },
    ],
  },
  get("last"),
]

let api: ApiServer
beforeAll(async () => {
  api = await startApi({ "*": () => ({ body: { ok: true } }) })
})
afterAll(() => api.close())

const files = (more = {}) => ({ ...shopFiles(api.url, blocks), ...more })

const idsOf = (of: readonly BlockReport[] = []): string[] =>
  of.flatMap(({ id, blocks: nested, iterations = [] }) => [
    id,
    ...idsOf(nested),
    ...iterations.flatMap((iteration) => idsOf(iteration.blocks)),
  ])

async function ran(words: readonly string[], more = {}): Promise<readonly string[]> {
  const { stdout, exitCode } = await callsheet([...words, "--json"], { files: files(more) })
  expect(exitCode).toBe(0)
  const report = JSON.parse(stdout) as Report
  return report.runs.flatMap((run) => idsOf(run.blocks))
}

describe("run --until", () => {
  it("runs up to the block and once around it", async () => {
    expect(await ran(["run", "w", "--until", "first"])).toEqual(["first"])
    expect(await ran(["run", "w", "--until=inner"])).toEqual(["first", "pages", "new", "all", "inner"])
    expect(await ran(["run", "w", "--until", "last"])).toHaveLength(15)
  })

  it("runs up to the block with each row", async () => {
    const rows = { "rows.json": [{}, {}] }
    expect(await ran(["run", "w", "--until", "first", "--data", "rows.json"], rows)).toEqual([
      "first",
      "first",
    ])
  })

  it("refuses a block that the workflow doesn't have, and sends nothing", async () => {
    const before = api.requests.length
    const result = await callsheet(["run", "w", "--until", "frist"], { files: files() })
    expect(result).toMatchObject({ exitCode: 2 })
    expect(result.stderr).toContain('the workflow has no block "frist" (block-unknown)')
    expect(result.stderr).toContain('did you mean "first"?')
    expect(api.requests).toHaveLength(before)
  })

  it.each([
    [["--all"], "--until can't be used with --all"],
    [["--suite", "nightly"], "--until can't be used with --suite"],
    [["--grep", "w"], "--until can't be used with --grep"],
    [["w", "w"], "--until runs exactly one workflow, not 2"],
    [["--last-failed"], "--until runs exactly one workflow, not 0"],
  ])("refuses %s, because the block would not be clear", async (words, message) => {
    const result = await callsheet(["run", ...words, "--until", "first"], { files: files() })
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(message)
  })

  it("is in the command that a hint tells to paste", async () => {
    const other = { "apis/shop/environments/other.json": { baseUrl: api.url } }
    const { stderr } = await callsheet(["run", "w", "--until", "pages"], { files: files(other) })
    expect(stderr).toContain("callsheet run w --env shop=local --until pages")
  })

  it("is kept in a record, so that a replay ends there, too", async () => {
    const folder = await createFolder(files())
    await callsheet(["run", "w", "--until", "inner", "--record", "run.callsheet"], { folder })
    const replayed = await callsheet(["replay", "run.callsheet", "--json"], { folder })
    await rm(folder, { recursive: true })
    expect(replayed).toMatchObject({ exitCode: 0, stderr: "" })
    expect((JSON.parse(replayed.stdout) as Report).runs.flatMap((run) => idsOf(run.blocks))).toContain(
      "inner",
    )
    expect(replayed.stdout).not.toContain("after-inner")
  })
})
