// Checks --data: which rows run, with which inputs, and problems of a file that are found before any request.

import { appendFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, createFolder, type Files } from "../harness/callsheet.ts"
import { assert, echo, shopFiles } from "./shop-project.ts"

let api: ApiServer | undefined
afterEach(async () => {
  await api?.close()
  api = undefined
})

/** Starts a server that refuses the product BAD. */
async function start(onRequest?: () => void): Promise<ApiServer> {
  api = await startApi({
    "/echo": ({ query }) => {
      onRequest?.()
      return { status: query.get("sku") === "BAD" ? 500 : 200, body: { sku: query.get("sku") } }
    },
  })
  return api
}

const workflow = {
  inputs: {
    sku: { type: "string", required: true },
    quantity: { type: "number", default: 1 },
    gift: { type: "boolean", default: false },
  },
}
const blocks = [
  echo("get", { sku: "{{sku}}", quantity: "{{quantity}}", gift: "{{gift}}" }),
  assert("check", ["get.response.status", "equals", 200]),
]
const filesWith = (url: string, files: Files): Files => ({ ...shopFiles(url, blocks, workflow), ...files })

describe("--data", () => {
  it.each([
    ["rows.csv", 'sku,quantity\nA,9007199254740993\n"B, ""C""",\n'],
    ["rows.json", '[{"sku": "A", "quantity": 9007199254740993}, {"sku": "B, \\"C\\""}]'],
    ["rows.ndjson", '{"sku": "A", "quantity": 9007199254740993}\n\n{"sku": "B, \\"C\\""}\n'],
  ])(
    "runs the workflow once for each row of %s, with defaults, options and large integers",
    async (file, text) => {
      const { url, requests } = await start()
      const files = filesWith(url, { [file]: text })
      const words = ["run", "w", "--data", file, "--input", "gift=true", "--json"]
      const { exitCode, report, stderr } = await callsheet(words, { files })
      expect(exitCode, stderr).toBe(0)
      expect(report?.runs.map(({ row, status }) => [row, status])).toEqual([
        [1, "passed"],
        [2, "passed"],
      ])
      expect(requests.map(({ query }) => Object.fromEntries(query))).toEqual([
        { sku: "A", quantity: "9007199254740993", gift: "true" },
        { sku: 'B, "C"', quantity: "1", gift: "true" },
      ])
    },
  )

  it("checks every row before it sends a request, and reports each problem with its position", async () => {
    const { url, requests } = await start()
    const files = filesWith(url, { "data/rows.csv": "sku,quantity,skuu\nA,1,\nB,two,\nC\n" })
    const { exitCode, stderr } = await callsheet(["run", "w", "--data", "data/rows.csv"], { files })
    expect(exitCode).toBe(2)
    expect(stderr).toContain('data/rows.csv:1:14: the workflow doesn\'t declare the input "skuu"')
    expect(stderr).toContain('data/rows.csv:3:3: the input "quantity" is not a number')
    expect(stderr).toContain("data/rows.csv:4:2: cells in this row: expected 3, received 1")
    expect(requests).toEqual([])
  })

  it("names the row in every report, and stops after the failures that --bail allows", async () => {
    const { url, requests } = await start()
    const files = filesWith(url, { "rows.csv": "sku\nA\nBAD\nC\nD\n" })
    const words = ["run", "w", "--data", "rows.csv"]
    const all = await callsheet([...words, "--reporter", "junit"], { files })
    expect(all.exitCode).toBe(1)
    expect(all.stdout).toContain("w (row 2)")
    expect((await callsheet(words, { files })).stdout).toContain("row 2")
    expect(requests).toHaveLength(8)
    const { report } = await callsheet([...words, "--bail", "--json"], { files })
    expect(report?.runs.map(({ row, status, reason }) => [row, status, reason])).toEqual([
      [1, "passed", undefined],
      [2, "failed", undefined],
      [3, "skipped", "bail"],
    ])
  })

  it("runs an entry of a suite once for each row, and cleans up after each", async () => {
    const { url, requests } = await start()
    const entry = {
      workflow: "w",
      data: "data/rows.csv",
      inputs: { gift: true },
      finally: [{ workflow: "w", as: "clean", inputs: { sku: "{{get.response.body.sku}}-gone" } }],
    }
    const files = filesWith(url, {
      "data/rows.csv": "sku,quantity\nA,2\nB,3\n",
      "callsheet.json": { version: 1, suites: { s: { workflows: [entry] } } },
    })
    const { exitCode, report, stderr } = await callsheet(["run", "--suite", "s", "--json"], { files })
    expect(exitCode, stderr).toBe(0)
    expect(report?.runs.map(({ entry: name, role, row }) => [name, role, row])).toEqual([
      ["w", "main", 1],
      ["clean", "finally", 1],
      ["w", "main", 2],
      ["clean", "finally", 2],
    ])
    expect(requests.map(({ query }) => query.get("sku"))).toEqual(["A", "A-gone", "B", "B-gone"])
  })

  it("stops if the file changes while its rows run", async () => {
    const folder = await createFolder()
    const { url } = await start(() => appendFileSync(join(folder, "rows.csv"), "X\n"))
    const files = filesWith(url, { "rows.csv": `sku\n${"A".repeat(50_000)}\n${"B".repeat(50_000)}\n` })
    const { exitCode, stderr, report } = await callsheet(["run", "w", "--data", "rows.csv", "--json"], {
      folder,
      files: { ...files, "apis/workflow/w.json": { version: 1, ...workflow, blocks: [echo("get")] } },
    })
    await rm(folder, { recursive: true })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("rows.csv: another program changed the file while its rows were running")
    expect(report?.runs.map(({ row, status }) => [row, status])).toEqual([
      [1, "passed"],
      [undefined, "error"],
    ])
  })

  it.each([
    [["--data", "none.csv", "w"], "none.csv: can't read the file: it does not exist"],
    [["--data", "empty.csv", "w"], "empty.csv:1:1: the file has no rows"],
    [["--data", "rows.txt", "w"], "rows.txt: callsheet can't read rows from this kind of file"],
    [["--data", "apis", "w"], "apis: expected a file but found a directory"],
    [["--data", "rows.csv", "--suite", "s"], "--data can't be used with --suite"],
    [["--data", "rows.csv", "w", "v"], "--data runs exactly one workflow, not 2"],
  ])("refuses %j", async (words, message) => {
    const { url, requests } = await start()
    const files = filesWith(url, { "empty.csv": "sku\n", "rows.txt": "sku\nA\n", "rows.csv": "sku\nA\n" })
    const w = files["apis/workflow/w.json"]
    const { exitCode, stderr } = await callsheet(["run", ...words], {
      files: { ...files, "apis/workflow/v.json": w },
    })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)])
    expect(requests).toEqual([])
  })
})
