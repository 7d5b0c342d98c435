// A disk that ignores case, as those of Windows and macOS do. In Wine, the disk itself does.

import { readdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { beforeEach, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, readText, textsIn, writeFiles } from "../harness/callsheet.ts"
import { request, shopFiles } from "../run/shop-project.ts"

const preload = fileURLToPath(new URL("../harness/folding-disk.cjs", import.meta.url))
const env = process.env["CALLSHEET_NODE"] === undefined ? { NODE_OPTIONS: `--require ${preload}` } : {}
const environments = "apis/shop/environments"

let folder: string
beforeEach(async () => {
  folder = await createFolder({
    ...shopFiles("http://127.0.0.1:1", [request("get", { operation: "echo" })]),
    [`${environments}/child.json`]: { extends: "local" },
  })
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})
const call = (...words: readonly string[]) => callsheet(words, { folder, env })

it("finds a workflow by a path in another case", async () => {
  const run = await call("run", "APIS/Workflow/w.json", "--env=local")
  expect([run.exitCode, run.stdout], run.stderr).toEqual([1, expect.stringContaining("w failed")])
})

it("renames an environment to another case, with its secrets and those that extend it", async () => {
  const renamed = await call("env", "rename", "shop", "local", "Local")
  expect(renamed.exitCode, renamed.stderr).toBe(0)
  const names = await readdir(join(folder, environments))
  expect(names.toSorted()).toEqual(["Local.json", "Local.secrets.env", "child.json", "schema.json"])
  expect(await readText(folder, `${environments}/child.json`)).toContain(`"Local"`)
  expect(await readText(folder, `${environments}/Local.secrets.env`)).toBe("token=s3cr3t-t0k3n\n")
})

it.each([
  [["env", "write", "shop", "LOCAL", "tier=4"]],
  [["env", "write", "shop", "Local", "token=other"]],
  [["env", "rename", "shop", "child", "LOCAL"]],
])("refuses a name that differs from another environment's only in case: %j", async (words) => {
  const before = await textsIn(folder)
  const refused = await call(...words)
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("differs only in case")])
  expect(await textsIn(folder)).toEqual(before)
})

it("replaces a report whose name differs only in case, and leaves no other file", async () => {
  for (const name of ["report.xml", "Report.xml"])
    expect((await call("run", "w", "--env=local", `--reporter=junit=out/${name}`)).exitCode).toBe(1)
  expect(await readdir(join(folder, "out"))).toHaveLength(1)
})

it("locks a record under every spelling of its path", async () => {
  let answer = (): void => undefined
  let ask = (): void => undefined
  const isAsked = new Promise<void>((resolve) => (ask = resolve))
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  const api = await startApi({ "*": () => (ask(), isAnswered.then(() => ({}))) })
  onTestFinished(() => api.close())
  await writeFiles(folder, { [`${environments}/local.json`]: { baseUrl: api.url } })
  const first = call("run", "w", "--env=local", "--record=run.csr")
  await isAsked
  const second = await call("run", "w", "--env=local", "--record=RUN.csr")
  expect([second.exitCode, second.stderr]).toEqual([2, expect.stringContaining("is writing the record")])
  answer()
  expect((await first).exitCode).toBe(0)
})
