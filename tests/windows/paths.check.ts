// Paths as Windows has them, in arguments, in files and in what callsheet prints.

import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { callsheet, readText, textsIn, writeFiles } from "../harness/callsheet.ts"
import { assert, request } from "../run/shop-project.ts"
import { shopFolder, testFolder, windowsPath } from "./windows.ts"

const blocks = [request("get", { operation: "echo" })]

describe("an argument", () => {
  it.each([
    ["a drive", (folder: string) => windowsPath(folder)],
    ["a drive and /", (folder: string) => `Z:${folder}`],
    ["a path from the root of the drive", (folder: string) => folder.replaceAll("/", "\\")],
    ["the long form", (folder: string) => `\\\\?\\${windowsPath(folder)}`],
  ])("names the project by %s", async (_form, pathOf) => {
    const { folder } = await shopFolder(blocks)
    const elsewhere = await testFolder()
    const run = await callsheet(["run", "w", "--project", pathOf(folder), "--json"], { folder: elsewhere })
    expect([run.exitCode, run.report?.status, run.stderr]).toEqual([0, "passed", ""])
  })

  it.each([String.raw`apis\workflow\w.json`, String.raw`.\apis/workflow\w.json`])(
    "names a workflow by %s",
    async (path) => {
      const { folder } = await shopFolder(blocks)
      const run = await callsheet(["run", path, "--json"], { folder })
      expect([run.exitCode, run.report?.runs[0]?.workflow]).toEqual([0, "w"])
    },
  )

  it("names a report by a path with backslashes, whose directories are created", async () => {
    const { folder } = await shopFolder(blocks)
    const words = [
      String.raw`--reporter=junit=reports\deep\junit.xml`,
      `--record=${windowsPath(folder)}\\r.csr`,
    ]
    const run = await callsheet(["run", "w", ...words], { folder })
    expect([run.exitCode, await readText(folder, "reports/deep/junit.xml")]).toEqual([
      0,
      expect.stringContaining("<testsuite"),
    ])
    expect(await readdir(join(folder, "reports/deep"))).toEqual(["junit.xml"])
    const read = await callsheet(["report", ".\\r.csr", "--json"], { folder })
    expect([read.exitCode, read.report?.status]).toEqual([0, "passed"])
  })

  it("names a server's share that doesn't exist, which is a clear error", async () => {
    const { folder } = await shopFolder(blocks)
    const run = await callsheet(["run", "w", "--project", String.raw`\\nowhere\share\project`], { folder })
    expect([run.exitCode, run.stderr]).toEqual([2, expect.stringContaining("project-missing")])
    expect(run.stderr).not.toContain("bug")
  })
})

it("finds its process variables, whatever the case of their names", async () => {
  const { folder } = await shopFolder(blocks)
  const env = { callsheet_var__Shop__tier: "7" }
  const read = await callsheet(["env", "read", "shop", "local"], { folder, env })
  expect([read.exitCode, read.stdout]).toEqual([0, expect.stringMatching(/tier +7 +process/)])
})

describe("a path in a file of the project", () => {
  it.each([
    String.raw`..\secret.txt`,
    String.raw`C:\secret.txt`,
    String.raw`\\server\share\secret.txt`,
    "Z:secret.txt",
  ])("can't be %s", async (path) => {
    const { folder, api } = await shopFolder(
      [{ id: "send", type: "request", request: { api: "shop", resource: "tools", instance: "send" } }],
      {
        "apis/shop/requests/tools/send.json": {
          version: 1,
          method: "POST",
          path: "/echo",
          bodyType: "file",
          body: path,
        },
        "secret.txt": "private",
      },
    )
    const run = await callsheet(["run", "w"], { folder })
    expect(run.stdout).toContain("request-failed")
    expect([run.exitCode, api.requests]).toEqual([1, []])
  })

  it("can't be a report outside the project", async () => {
    const { folder } = await shopFolder(blocks, {
      "callsheet.json": {
        version: 1,
        run: { reporters: [{ name: "junit", file: String.raw`..\junit.xml` }] },
      },
    })
    const run = await callsheet(["run", "w"], { folder })
    expect([run.exitCode, await readText(folder, "../junit.xml")]).toEqual([2, undefined])
  })
})

it("prints paths in the project with /, in every problem", async () => {
  const { folder } = await shopFolder([assert("never", ["nowhere.response.status", "equals", 200])])
  const { stdout, stderr } = await callsheet(["validate"], { folder })
  expect(stdout + stderr).toContain("apis/workflow/w.json:")
  expect(stdout + stderr).not.toContain("\\")
})

it("runs and edits a project whose path is longer than 260 characters", async () => {
  const { folder } = await shopFolder(blocks)
  const deep = join(folder, ..."abcdef".split("").map((letter) => letter.repeat(60)))
  await mkdir(deep, { recursive: true })
  await writeFiles(
    deep,
    Object.fromEntries(
      Object.entries(await textsIn(join(folder, "apis"))).map(([path, text]) => [`apis/${path}`, text]),
    ),
  )
  // The working directory of a process on Windows can't be that long.
  const project = `--project=${windowsPath(deep)}`
  const run = await callsheet(["run", "w", "--json", project], { folder })
  expect([run.exitCode, run.report?.status]).toEqual([0, "passed"])
  const written = await callsheet(["env", "write", "shop", "local", "tier=4", project], { folder })
  expect([written.exitCode, await readText(deep, "apis/shop/environments/local.json")]).toEqual([
    0,
    expect.stringContaining(`"tier": 4`),
  ])
})

describe("a name that Windows can't store", () => {
  it.each(["con", "NUL", "aux.v2", "lpt1", "name."])("as %s is refused for an environment", async (name) => {
    const { folder } = await shopFolder(blocks)
    const made = await callsheet(["env", "write", "shop", name, "tier=1"], { folder })
    expect([made.exitCode, made.stderr]).toEqual([2, expect.stringContaining("env-name")])
    expect(await readdir(join(folder, "apis/shop/environments"))).not.toContain(`${name}.json`)
  })

  it("is reported if a file of the project has it", async () => {
    const { folder } = await shopFolder(blocks, { "apis/workflow/con.json": { version: 1, blocks: [] } })
    const { exitCode, stdout, stderr } = await callsheet(["validate"], { folder })
    expect([exitCode, stdout + stderr]).toEqual([1, expect.stringContaining("workflow-name")])
  })
})

it("reports two environments whose names differ only in case", async () => {
  const { folder } = await shopFolder(blocks)
  await writeFile(join(folder, "apis/shop/environments/Local.json"), "{}\n")
  const { exitCode, stdout, stderr } = await callsheet(["validate"], { folder })
  expect([exitCode, stdout + stderr]).toEqual([1, expect.stringMatching(/differ only in|env-name/)])
})
