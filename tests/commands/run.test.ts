import { spawn } from "node:child_process"
import { once } from "node:events"
import { rm } from "node:fs/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Report } from "@callsheet/format"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { callsheet, commandLine, createFolder, readText, type Files } from "../harness/callsheet.ts"

const SECRET = "s3cr3t-canary-77"

let api: ApiServer
let release: (() => void)[] = []

beforeAll(async () => {
  api = await startApi({
    "GET /ping": { body: { ok: true, count: 3 } },
    "GET /echo": (request) => ({ body: { key: request.headers["x-key"] ?? null } }),
    "GET /slow": () =>
      new Promise((resolve) => {
        release.push(() => resolve({ body: {} }))
      }),
  })
})
afterAll(() => api.close())
beforeEach(() => {
  for (const go of release) go()
  release = []
})

const request = (id: string, operation: string, overrides?: object) => ({
  id,
  type: "request",
  request: { api: "shop", operation, ...(overrides === undefined ? {} : { overrides }) },
})
const check = (id: string, source: string, value: unknown) => ({
  id,
  type: "assert",
  assertions: [{ source, operator: "equals", value }],
})
const workflow = (...blocks: object[]) => ({ version: 1, blocks })

function project(workflows: Readonly<Record<string, object>>, more: Files = {}): Files {
  const paths = Object.fromEntries(
    ["ping", "echo", "slow"].map((name) => [`/${name}`, { get: { operationId: name, responses: {} } }]),
  )
  return {
    "apis/shop/openapi.json": { openapi: "3.1.0", info: { title: "Shop", version: "1" }, paths },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        key: { type: "string", required: false, secret: true },
      },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    ...Object.fromEntries(
      Object.entries(workflows).map(([name, content]) => [`apis/workflow/${name}.json`, content]),
    ),
    ...more,
  }
}

const ping = workflow(request("ping", "ping"), check("check", "ping.response.body.ok", true))
const wrong = workflow(request("ping", "ping"), check("check", "ping.response.body.count", 4))
const echo = workflow(request("echo", "echo", { params: { header: { "x-key": "{{key}}" } } }))
const slow = workflow(request("slow", "slow"), request("after", "ping"))

const received = async <T>(action: () => Promise<T>): Promise<readonly [T, number]> => {
  const before = api.requests.length
  const result = await action()
  return [result, api.requests.length - before]
}

describe("callsheet run", () => {
  it("runs a workflow and reports it", async () => {
    const result = await callsheet(["run", "ping"], { files: project({ ping }) })
    expect(result).toMatchObject({ exitCode: 0, stderr: "" })
    expect(result.stdout).toContain("ping  shop → local")
    expect(result.stdout).toMatch(/✓ ping +GET \/ping {2}200/)
    expect(result.stdout).toMatch(/✓ ping passed {2}2 passed {2}1 request/)
    expect(result.stdout).not.toContain("\u001b")
  })

  it("exits with 1 if an assertion fails, and shows expected and received values and the exchange", async () => {
    const result = await callsheet(["run", "wrong"], { files: project({ wrong }) })
    expect(result.exitCode).toBe(1)
    expect(result.stdout).toContain("expected  4\n        received  3\n")
    expect(result.stdout).toContain(`> GET ${api.url}/ping`)
    expect(result.stdout).toContain('{"ok": true, "count": 3}')
  })

  it("finds the project from a directory inside it, by --project, and a workflow by its file", async () => {
    const files = project({ ping })
    expect((await callsheet(["run", "ping"], { files, cwd: "apis/shop" })).exitCode).toBe(0)
    expect((await callsheet(["run", "../workflow/ping.json"], { files, cwd: "apis/shop" })).exitCode).toBe(0)
    const outside = { ...files, "else/where.txt": "" }
    expect(
      (await callsheet(["run", "ping", "--project", ".."], { files: outside, cwd: "else" })).exitCode,
    ).toBe(0)
  })

  it("runs several workflows once each, and exits with the worst code", async () => {
    const files = project({ ping, wrong })
    const { exitCode, report } = await callsheet(["run", "wrong", "ping", "wrong", "--json"], { files })
    expect(exitCode).toBe(1)
    expect(report?.runs.map(({ workflow, status }) => [workflow, status])).toEqual([
      ["wrong", "failed"],
      ["ping", "passed"],
    ])
    const all = await callsheet(["run", "--all"], { files })
    expect(all.stdout).toContain("2 workflows: 1 failed (wrong), 1 passed")
  })

  it("writes report files next to the screen output, and creates their directories", async () => {
    const folder = await createFolder(project({ wrong }))
    const words = ["run", "wrong", "--reporter", "json=out/a/r.json", "--reporter", "junit=out/r.xml"]
    const result = await callsheet(words, { folder })
    expect(result.stdout).toContain("✗ wrong failed")
    const report = JSON.parse((await readText(folder, "out/a/r.json")) ?? "") as Report
    expect(report.runs[0]?.blocks[0]?.response?.body).toEqual({ ok: true, count: 3 })
    expect(await readText(folder, "out/r.xml")).toContain('tests="2" failures="1"')
    await rm(folder, { recursive: true })
  })

  it("writes the report of a run that could not start, and sends nothing", async () => {
    const folder = await createFolder(project({ ping }))
    const [result, sent] = await received(() =>
      callsheet(["run", "ping", "--env", "staging", "--reporter", "json=r.json"], { folder }),
    )
    expect(result.exitCode).toBe(2)
    expect(sent).toBe(0)
    expect(result.stderr).toContain("(env-missing)")
    expect(result.stdout).toContain("✗ ping could not start")
    expect(JSON.parse((await readText(folder, "r.json")) ?? "")).toMatchObject({
      status: "error",
      runs: [{ status: "error", blocks: [], error: { code: "env-missing" } }],
    })
    await rm(folder, { recursive: true })
  })

  it.each([
    [["run", "pnig"], 'did you mean "ping"?'],
    [["run"], "no workflow given"],
    [["run", "ping", "--reporter", "json", "--reporter", "junit"], "two reporters write to standard output"],
    [["run", "ping", "--env", "a", "--env", "b"], "both apply to all APIs"],
    [["run", "ping", "--input", "nope=1"], "(input-unknown)"],
    [
      ["run", "ping", "--reporter", "json=taken"],
      `can't write the report "taken": expected a file but found a directory (report-failed)`,
    ],
    [["run", "ping", "--reporter", "json=apis/shop/openapi.json/x"], "a part of its path is a file"],
    [["run", "ping", "--project", "nowhere"], "(project-missing)"],
  ])("rejects %j with one clear message, and sends nothing", async (words, text) => {
    const files = { ...project({ ping }), "taken/file": "" }
    const [result, sent] = await received(() => callsheet(words, { files }))
    expect(result).toMatchObject({ exitCode: 2, stdout: "" })
    expect(result.stderr).toContain(text)
    expect(result.stderr).not.toMatch(/\n\s+at /)
    expect(sent).toBe(0)
  })

  it("never passes without the requested report", async () => {
    const result = await callsheet(["run", "ping", "--reporter", "json=/dev/full"], {
      files: project({ ping }),
    })
    expect(result.exitCode).toBe(2)
    expect(result.stderr).toContain("the disk is full")
  })

  it("reads a secret from standard input and shows it nowhere", async () => {
    const folder = await createFolder(project({ echo }))
    const words = ["run", "echo", "--var", "shop.key=-", "--reporter", "json=r.json"]
    const result = await callsheet(words, { folder, stdin: `${SECRET}\n` })
    expect(result.exitCode).toBe(0)
    expect(api.requests.at(-1)?.headers["x-key"]).toBe(SECRET)
    const report = (await readText(folder, "r.json")) ?? ""
    expect(report).toContain('"x-key":"***"')
    expect(result.stdout + result.stderr + report).not.toContain(SECRET)
    expect(result.stderr).toBe("")
    await rm(folder, { recursive: true })
  })

  it("warns about a secret on the command line", async () => {
    const result = await callsheet(["run", "echo", "--var", `shop.key=${SECRET}`], {
      files: project({ echo }),
    })
    expect(result.exitCode).toBe(0)
    expect(result.stderr).toContain("use --var shop.key=- to read it from standard input")
    expect(result.stdout + result.stderr).not.toContain(SECRET)
  })

  it("asks before production, and fails if nobody can answer", async () => {
    const files = project(
      { ping },
      { "apis/shop/environments/live.json": { level: "production", baseUrl: api.url } },
    )
    const [refused, sent] = await received(() =>
      callsheet(["run", "ping", "--env", "live"], { files, stdin: "y\n" }),
    )
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain("(confirm-required)")
    expect(sent).toBe(0)
    expect((await callsheet(["run", "ping", "--env", "live", "--yes"], { files })).exitCode).toBe(0)
  })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("cancels on %s, still reports, and exits with %i", async (name, exitCode) => {
    const folder = await createFolder(project({ slow: workflow(request("first", "ping"), ...slow.blocks) }))
    const result = await callsheet(["run", "slow", "--reporter", "json=r.json"], {
      folder,
      signal: { name, after: "✓ first" },
    })
    expect(result.exitCode).toBe(exitCode)
    expect(result.stdout).toContain("✗ slow failed")
    const report = JSON.parse((await readText(folder, "r.json")) ?? "") as Report
    expect(report.runs[0]?.blocks.map(({ id, status, reason }) => [id, status, reason])).toEqual([
      ["first", "passed", undefined],
      ["slow", "skipped", "cancelled"],
      ["after", "skipped", "cancelled"],
    ])
    await rm(folder, { recursive: true })
  })

  it("continues when the reader of its output is gone, and keeps its exit code and its files", async () => {
    const folder = await createFolder(project({ wrong }))
    const child = spawn(...commandLine(["run", "wrong", "--reporter", "json=r.json"]), {
      cwd: folder,
      stdio: ["ignore", "pipe", "pipe"],
    })
    child.stdout.destroy()
    let stderr = ""
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()))
    const [exitCode] = (await once(child, "close")) as [number]
    expect([exitCode, stderr]).toEqual([1, ""])
    expect(await readText(folder, "r.json")).toContain('"status":"failed"')
    await rm(folder, { recursive: true })
  })

  it("keeps an old report if the call was misuse", async () => {
    const folder = await createFolder({ ...project({ ping }), "r.json": "old" })
    await callsheet(["run", "ping", "--input", "nope=1", "--reporter", "json=r.json"], { folder })
    expect(await readText(folder, "r.json")).toBe("old")
    await rm(folder, { recursive: true })
  })
})
