// Scripts and programs that callsheet starts on Windows.

import { copyFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, writeFiles } from "../harness/callsheet.ts"
import { assert, request, shopFiles } from "../run/shop-project.ts"
import { preloading, programs, shopFolder, testFolder, windowsPath } from "./windows.ts"

const scripted = (type: string, exportName: string) => ({
  id: exportName,
  type,
  script: { name: "s", exportName },
})

const script = String.raw`
import { sep } from "node:path"
import { get } from "node:http"
import { shared } from "./shared"

export const system = () => ({ platform: process.platform, sep })
export const imported = () => ({ shared })
export function throws() {
  const wrong = JSON.parse('{"a":1}')
  return wrong.b.c
}
export const expects = (ctx: any) => { ctx.expect(1).toEqual(2) }
export const sends = (ctx: any) => new Promise((resolve, reject) => {
  get(ctx.env("shop").baseUrl + "/items/1", (response) => {
    response.resume()
    response.on("end", () => resolve({ status: response.statusCode }))
  }).on("error", reject)
})
export const fetches = async (ctx: any) => {
  const { status } = await fetch(ctx.env("shop").baseUrl + "/items/2")
  return { status }
}
export const hangs = () => { for (;;); }
export const exits = () => process.exit(3)
export const tells = (ctx: any) => { console.log("the token is", ctx.env("shop").token) }
`
const shared = { "apis/workflow/scripts/w/shared.ts": `export const shared = "from another file"\n` }

async function run(blocks: readonly unknown[], { text = script, env = {} } = {}) {
  // A script reads the variables of the APIs that its workflow sends requests to.
  const { folder, api } = await shopFolder([request("first", { operation: "echo" }), ...blocks], {
    "apis/workflow/scripts/w/s.ts": text,
    ...shared,
  })
  const ran = await callsheet(["run", "w", "--json"], { folder, env })
  const blockOf = (id: string) => ran.report?.runs[0]?.blocks.find((block) => block.id === id)
  return { ...ran, folder, api, blockOf }
}

describe("a script", () => {
  it("runs under Windows, with its imports, and sends requests", async () => {
    const { exitCode, stdout, api } = await run([
      scripted("transform", "system"),
      scripted("transform", "imported"),
      scripted("transform", "sends"),
      assert(
        "check",
        ["system.platform", "equals", "win32"],
        ["system.sep", "equals", "\\"],
        ["imported.shared", "equals", "from another file"],
        ["sends.status", "equals", 200],
      ),
    ])
    expect([exitCode, api.requests.map(({ path }) => path)], stdout).toEqual([0, ["/echo", "/items/1"]])
  })

  it("sends requests with fetch, if Wine gets one option of its socket later", async () => {
    const blocks = [scripted("transform", "fetches"), assert("check", ["fetches.status", "equals", 200])]
    const env = preloading(fileURLToPath(new URL("late-keep-alive.cjs", import.meta.url)))
    const { exitCode, stdout, api } = await run(blocks, { env })
    expect([exitCode, api.requests.map(({ path }) => path)], stdout).toEqual([0, ["/echo", "/items/2"]])
  })

  it("reports where it failed, as a path in the project", async () => {
    const { exitCode, blockOf } = await run([scripted("script", "throws")])
    expect(exitCode).toBe(1)
    expect(blockOf("throws")?.error?.message).toContain("at apis/workflow/scripts/w/s.ts:10:18")
  })

  it("reports where its expectation failed", async () => {
    const { blockOf } = await run([scripted("assert", "expects")])
    expect(JSON.stringify(blockOf("expects"))).toContain("apis/workflow/scripts/w/s.ts")
  })

  it("reports a syntax error without the path of this machine", async () => {
    const { stdout, stderr } = await run([scripted("script", "broken")], {
      text: "export const broken = (\n",
    })
    expect(stdout + stderr).toContain("apis/workflow/scripts/w/s.ts:")
    expect(stdout + stderr).not.toMatch(/Z:|\\\\/)
  })

  it("ends at its time limit, with its process", async () => {
    const { exitCode, blockOf } = await run([{ ...scripted("script", "hangs"), timeoutMs: 2000 }])
    expect([exitCode, blockOf("hangs")?.error?.code]).toEqual([1, "script-timeout"])
  })

  it("can't end the run", async () => {
    const { exitCode, blockOf } = await run([scripted("script", "exits")])
    expect([exitCode, blockOf("exits")?.error?.message]).toEqual([1, expect.stringContaining("3")])
  })

  it("shows no secret", async () => {
    const { exitCode, stdout, stderr } = await run([scripted("script", "tells")])
    expect([exitCode, stdout.includes("the token is ***")]).toEqual([0, true])
    expect(stdout + stderr).not.toContain("s3cr3t-t0k3n")
  })
})

describe("a program of the user-level file", () => {
  let home: string
  const batch = "@echo from a batch file\r\n"
  // Programs in `node_modules` are refused, and Node was installed there.
  beforeAll(async () => {
    home = await createFolder({ "vault.bat": batch, "az.cmd": batch })
    await copyFile(programs.node, join(home, "vault.exe"))
  })
  afterAll(() => rm(home, { recursive: true, force: true }))

  const resolve = async (...command: readonly string[]) => {
    const api = await startApi({ "*": { body: { ok: true } } })
    onTestFinished(() => api.close())
    const header = { "x-token": "{{env.shop.token}}" }
    const folder = await testFolder({
      ...shopFiles(api.url, [request("get", { operation: "echo", overrides: { params: { header } } })]),
      "apis/shop/environments/local.json": { baseUrl: api.url, token: "secret://vault/shop" },
      "apis/shop/environments/local.secrets.env": "",
    })
    await writeFiles(home, { "config.json": { version: 1, resolvers: { vault: { command } } } })
    // Wine adds the directories of WINEPATH to the PATH of Windows.
    const env = { CALLSHEET_CONFIG: `${windowsPath(home)}\\config.json`, WINEPATH: windowsPath(home) }
    return { ...(await callsheet(["run", "w"], { folder, env })), api }
  }

  it.each(["vault.exe", "vault"])("gives a secret as %s, which is masked", async (name) => {
    const code = "console.log('resolved-' + process.argv[1])"
    const ran = await resolve(`${windowsPath(home)}\\${name}`, "-e", code, "{reference}")
    expect([ran.exitCode, ran.api.requests[0]?.headers["x-token"]], ran.stderr).toEqual([0, "resolved-shop"])
    expect(ran.stdout + ran.stderr).not.toContain("resolved-shop")
  })

  it.each([".\\vault.bat", ".\\az", "az", "AZ.CMD"])(
    "can't be a batch file as %s, which the message names",
    async (program) => {
      const { exitCode, stderr, api } = await resolve(program, "{reference}")
      expect([exitCode, api.requests, stderr]).toEqual([2, [], expect.stringContaining("secret-unresolved")])
      expect(stderr).toContain("is a batch file, which only a shell can run")
    },
  )
})
