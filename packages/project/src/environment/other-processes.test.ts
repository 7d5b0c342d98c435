import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import { recoverProject } from "../write/recover-project.ts"

// The other processes run programs that import this package, bundled into one file.
const programs = mkdtempSync(join(tmpdir(), "callsheet-"))
const bundleFile = join(programs, "project.mjs")

beforeAll(async () => {
  const input = fileURLToPath(new URL("../index.ts", import.meta.url))
  const bundle = await rolldown({ input, platform: "node" })
  await bundle.write({ file: bundleFile, format: "esm", codeSplitting: false })
  await bundle.close()
})
afterAll(() => rmSync(programs, { recursive: true, force: true }))

const program = (text: string): string[] => [
  "--input-type=module",
  "-e",
  `import * as project from ${JSON.stringify(bundleFile)}\n${text}`,
]

const folder = "apis/shop/environments"

describe("several processes at once", () => {
  it("don't lose each other's writes", async () => {
    const names = Array.from({ length: 40 }, (_, at) => `v${at}`)
    const variables = Object.fromEntries(
      names.map((name, at) => [name, { type: "number", required: false, secret: at % 4 === 3 }]),
    )
    const root = temporaryProject({ [`${folder}/schema.json`]: { version: 1, variables } })
    const writers = Array.from({ length: 4 }, (_, writer) => {
      const own = names.slice(writer * 10, writer * 10 + 10)
      return spawn(
        process.execPath,
        program(`for (const name of ${JSON.stringify(own)}) {
          const values = [{ name, text: "1" }]
          const lock = { waitMs: 60_000 }
          await project.writeEnvironment({ root: ${JSON.stringify(root)}, api: "shop", environment: "dev", values }, { lock })
        }`),
        { stdio: "inherit" },
      )
    })
    const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0] as unknown))
    expect(codes).toEqual([0, 0, 0, 0])
    const values = JSON.parse(readFileSync(join(root, folder, "dev.json"), "utf8")) as object
    const secrets = readFileSync(join(root, folder, "dev.secrets.env"), "utf8")
    const written = [...Object.keys(values), ...(secrets.match(/^v\d+/gm) ?? [])]
    expect(written).toHaveLength(names.length)
    expect(new Set(written)).toEqual(new Set(names))
    expect(readFileSync(join(root, ".gitignore"), "utf8")).toBe("*.secrets.env\n")
    expect(
      readdirSync(root, { recursive: true }).filter((name) => String(name).includes(".callsheet")),
    ).toEqual([])
  })
})

/** Renames `base` to `main` in a process that kills itself just before its rename number `last`. */
const renameAndDie = (root: string, last: number) =>
  spawnSync(
    process.execPath,
    program(`import * as fs from "node:fs"
      let renames = 0
      const disk = { ...fs, renameSync: (from, to) => {
        if (++renames === ${last}) process.kill(process.pid, "SIGKILL")
        fs.renameSync(from, to)
      } }
      const lock = { folder: ${JSON.stringify(programs)} }
      await project.renameEnvironment({ root: ${JSON.stringify(root)}, api: "shop", environment: "base", to: "main" }, { disk, lock })`),
  )

describe.runIf(process.platform !== "win32")("a process that is killed with SIGKILL", () => {
  const files = {
    [`${folder}/base.json`]: "{}",
    [`${folder}/base.secrets.env`]: "",
    [`${folder}/a.json`]: '{"extends":"base"}',
    [`${folder}/b.json`]: '{"extends":"base"}',
  }

  it.each([1, 2, 3, 4, 5])(
    "before rename %i of a rename leaves it complete to the next command",
    async (last) => {
      const root = temporaryProject(files)
      expect(renameAndDie(root, last).signal).toBe("SIGKILL")
      // The lock of a dead process must not block anybody.
      const recovery = await recoverProject(root, { waitMs: 0, folder: programs })
      const names = readdirSync(join(root, folder)).filter((name) => !name.startsWith("."))
      const parents = ["a", "b"].map((name) => readFileSync(join(root, folder, `${name}.json`), "utf8"))
      // The first rename publishes the journal. Nothing changes before it.
      const name = last === 1 ? "base" : "main"
      expect(recovery?.isFinished).toBe(last === 1 ? undefined : true)
      expect(names).toEqual(["a.json", "b.json", `${name}.json`, `${name}.secrets.env`])
      expect(parents).toEqual([`{"extends":"${name}"}`, `{"extends":"${name}"}`])
      expect(existsSync(join(root, ".callsheet-journal.json"))).toBe(false)
    },
  )
})
