// Standard output that can't be written, and a working directory that doesn't exist.

import { spawn } from "node:child_process"
import { existsSync, openSync, closeSync, rmdirSync, mkdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, commandLine, createFolder } from "../harness/callsheet.ts"
import { echo, shopFiles } from "../run/shop-project.ts"

let api: ApiServer
let folder: string
beforeAll(async () => {
  api = await startApi({ "*": { body: {} } })
  folder = await createFolder(shopFiles(api.url, [echo("get")]))
  const recorded = await callsheet(["run", "w", "--env", "local", "--record", "run.callsheet"], { folder })
  expect(recorded.exitCode).toBe(0)
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true })
})

interface Ended {
  readonly code: number | null
  readonly stderr: string
}

/** Runs the command in `sh`, in a directory that `before` may remove. */
function start(words: readonly string[], cwd: string, stdout: "full" | "pipe"): Promise<Ended> {
  const full = stdout === "full" ? openSync("/dev/full", "w") : undefined
  return new Promise((resolve) => {
    let stderr = ""
    const child = spawn(...commandLine(words), {
      cwd,
      env: { PATH: process.env["PATH"], HOME: folder },
      stdio: ["ignore", full ?? "ignore", "pipe"],
    })
    child.stderr?.on("data", (data: Buffer) => (stderr += data.toString()))
    child.on("close", (code) => {
      if (full !== undefined) closeSync(full)
      resolve({ code, stderr })
    })
  })
}

describe.skipIf(!existsSync("/dev/full"))("a full disk under standard output", () => {
  it.each([
    "--version",
    "--help",
    "help run",
    "run w --env local",
    "run w --env local --json",
    "run w --env local --reporter ndjson",
    "run w --env local --reporter junit",
    "run w --env local --reporter github",
    "run w --env local -vv",
    "validate",
    "validate --json",
    "validate --format sarif",
    "list",
    "list operations --json",
    "schema workflow",
    "env list",
    "completion bash",
    "export w --to curl --env local",
    "replay run.callsheet",
    "report run.callsheet --reporter json",
    "diff run.callsheet run.callsheet",
    "diff run.callsheet run.callsheet --json",
  ])("%s says so and exits with 2", async (line) => {
    const { code, stderr } = await start(line.split(" "), folder, "full")
    expect(stderr).toContain("can't write to standard output: the disk is full (report-failed)")
    expect(code).toBe(2)
  })
})

describe.skipIf(process.platform === "win32")("a working directory that was deleted", () => {
  it.each([
    "run w",
    "validate",
    "list",
    "env list",
    "env write shop local a=b",
    "schema workflow",
    "init",
    "import a.json",
    "export w --to curl",
    "replay run.callsheet",
    "report run.callsheet",
    "diff a b",
    "types",
    "demo",
    "app",
    "completion bash",
  ])("%s says that it does not exist", async (line) => {
    const gone = join(folder, `gone-${line.replaceAll(/[^a-z]/g, "-")}`)
    mkdirSync(gone)
    const script = 'rmdir "$PWD" && exec "$@"'
    const child = spawn("sh", ["-c", script, "sh", ...commandLine(line.split(" ")).flat()], {
      cwd: gone,
      env: { PATH: process.env["PATH"], HOME: folder },
    })
    let stderr = ""
    child.stderr.on("data", (data: Buffer) => (stderr += data.toString()))
    const code = await new Promise((resolve) => child.on("close", resolve))
    if (existsSync(gone)) rmdirSync(gone)
    expect(stderr).toContain("the current directory does not exist (usage)")
    expect(stderr).not.toContain("bug")
    expect(code).toBe(2)
  })
})

describe("--record to a place that can't be written", () => {
  it.each([
    ["a directory", "apis", "it is not a regular file"],
    ["a path through a file", "apis/shop/openapi.json/run", "a part of its path is a file"],
    ["a long name", "x".repeat(300), "its name is too long"],
    ["a link to itself", "loop", "its symbolic links form a cycle"],
  ])("%s names the record and the reason", async (_, place, reason) => {
    const { symlinkSync } = await import("node:fs")
    if (place === "loop") symlinkSync("loop", join(folder, "loop"))
    const { exitCode, stderr } = await callsheet(["run", "w", "--env", "local", "--record", place], {
      folder,
    })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("can't write the record")
    expect(stderr).toContain(reason)
    expect(stderr).not.toMatch(/\bE[A-Z]{3,}\b/)
  })
})

describe("-v with a reporter of callsheet.json", () => {
  it.each([
    ["-v", ["json"], 2],
    ["-vv", ["json"], 2],
    ["-v", ["ndjson"], 2],
    ["-v", ["junit"], 2],
    ["-v", ["pretty"], 0],
    ["-v", ["junit=report.xml"], 0],
  ])("%s with %j exits with %i", async (option, reporters, code) => {
    const files = { "callsheet.json": { version: 1, defaults: { reporters } } }
    const { exitCode, stdout, stderr } = await callsheet(["run", "w", "--env", "local", option], {
      folder,
      files,
    })
    expect(exitCode).toBe(code)
    if (code === 0) expect(stdout).toMatch(/> GET \S+\/echo/)
    else expect(stderr).toContain(`${option} works only with the reporter pretty, but "defaults.reporters"`)
    const asked = await callsheet(["run", "w", "--env", "local", option, "--reporter", "pretty"], { folder })
    expect(asked.exitCode).toBe(0)
    await rm(join(folder, "callsheet.json"))
  })
})
