// Checks the image as CI and developers use it: another user, no home, read-only files, and only the project mounted.

import { chownSync, rmSync, statSync } from "node:fs"
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApi, type ApiServer } from "../harness/api-server.ts"
import { createFolder, readText } from "../harness/callsheet.ts"
import { version } from "../package/packed.ts"
import { buildImage, canBuild, startContainer, type ContainerOptions, type Image } from "./open-image.ts"

let workshop: string
let project: string
let image: Image
let api: ApiServer

const check = (expected: number) => ({
  id: "check",
  type: "assert",
  assertions: [{ source: "ping.response.status", operator: "equals", value: expected }],
})
const ping = { id: "ping", type: "request", request: { api: "shop", operation: "ping" } }
const look = { id: "look", type: "script", script: { name: "look", exportName: "look" } }

beforeAll(async () => {
  if (!canBuild) throw new Error("the image is built as root on Debian, with debootstrap")
  workshop = await createFolder()
  api = await startApi({
    "GET /ping": { body: { ok: true } },
    // Never answers.
    "GET /slow": () => new Promise(() => undefined),
  })
  const operation = (operationId: string) => ({
    get: { operationId, responses: { 200: { description: "Fine." } } },
  })
  project = await createFolder({
    "apis/shop/openapi.json": {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      paths: { "/ping": operation("ping"), "/slow": operation("slow") },
    },
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: { baseUrl: { type: "string", required: true } },
    },
    "apis/shop/environments/local.json": { baseUrl: api.url },
    "apis/workflow/passes.json": { version: 1, blocks: [ping, check(200), look] },
    "apis/workflow/fails.json": { version: 1, blocks: [ping, check(418)] },
    "apis/workflow/waits.json": {
      version: 1,
      blocks: [{ id: "slow", type: "request", request: { api: "shop", operation: "slow" } }],
    },
    "apis/workflow/scripts/passes/look.ts":
      "export const look = (): void => console.log(new Date(0).toString(), process.getuid?.(), process.env.HOME)\n",
  })
  image = await buildImage(workshop)
  chownSync(project, 1000, 1000)
})
afterAll(async () => {
  await api.close()
  for (const folder of [workshop, project]) rmSync(folder, { recursive: true, force: true })
})

const start = (words: readonly string[], options: Partial<ContainerOptions> = {}) =>
  startContainer(words, { image, project, ...options })
const run = (words: readonly string[], options?: Partial<ContainerOptions>) => start(words, options).ended
const runWorkflow = (name: string, ...words: readonly string[]) => ["run", name, "--env", "local", ...words]

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

describe("the image", () => {
  it("starts the command as its entry point, without root's rights", async () => {
    expect(image).toMatchObject({ user: "1000:1000", workdir: "/project", entrypoint: ["callsheet"] })
    expect(await run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" })
  })

  it.each([
    ["passes", 0],
    ["fails", 1],
    ["missing", 2],
  ])("exits for the workflow %s with %i", async (name, code) => {
    expect((await run(runWorkflow(name))).code).toBe(code)
  })

  it("runs scripts and writes reports to the project, as the user of the image", async () => {
    const { code, stderr } = await run(runWorkflow("passes", "--reporter", "json=reports/report.json"))
    expect([code, stderr]).toEqual([0, ""])
    expect(await readText(project, "reports/report.json")).toContain(" 1000 undefined")
    expect(statSync(`${project}/reports/report.json`).uid).toBe(1000)
  })

  it("uses colors and the time zone of its environment", async () => {
    const plain = await run(runWorkflow("passes"))
    expect(plain.stdout).not.toContain("\u001b[")
    const env = { FORCE_COLOR: "1", TZ: "Asia/Tokyo" }
    const { stdout } = await run(
      runWorkflow("passes", "--reporter", "pretty", "--reporter", "json=zone.json"),
      { env },
    )
    expect(stdout).toContain("\u001b[")
    expect(await readText(project, "zone.json")).toContain("Thu Jan 01 1970 09:00:00 GMT+0900")
  })

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("ends by %s as the first process, with its report", async (name, code) => {
    const container = start(runWorkflow("waits", "--reporter", "ndjson", "--reporter", "json=stopped.json"))
    await container.until('"block.started"')
    container.signal(name)
    expect((await container.ended).code).toBe(code)
    expect(JSON.parse((await readText(project, "stopped.json")) ?? "")).toMatchObject({
      runs: [{ blocks: [{ id: "slow", status: "skipped", reason: "cancelled" }] }],
    })
  })

  it("creates and runs the sample project in the mounted directory", async () => {
    const { code, stdout } = await run(["demo", "sample"])
    expect([code, /\d+ workflows: .*passed/.exec(stdout)?.[0]]).toEqual([0, expect.any(String)])
  })

  it.each(["127.0.0.1", "0.0.0.0"])("serves the app on %s, and stops by SIGTERM", async (host) => {
    const port = await freePort()
    const allowed = host === "0.0.0.0" ? ["--allow-remote"] : []
    const container = start(["app", "--host", host, "--port", String(port), ...allowed])
    await container.until("#link=")
    const page = await fetch(`http://127.0.0.1:${port}/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<!doctype html>")])
    container.signal("SIGTERM")
    expect((await container.ended).code).toBe(143)
  })

  it.each(["mcp", "lsp"])("has the package of callsheet %s", async (name) => {
    // Standard input is at its end, so it stops at once.
    expect((await run([name])).stderr).not.toContain("needs the package")
  })

  it("has a shell for CI, in which the command is on the path", async () => {
    const { code, stdout } = await run(["-c", "callsheet --version"], { command: ["sh"] })
    expect([code, stdout]).toEqual([0, `${version}\n`])
  })
})
