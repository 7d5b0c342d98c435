// Checks the cache of compiled code: output is the same with and without it, and it runs no code of other users.

import { execFile } from "node:child_process"
import { chmod, cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { promisify } from "node:util"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder, program } from "../harness/callsheet.ts"

const run = promisify(execFile)
const env = { NODE_COMPILE_CACHE: undefined }
const entriesBelow = (home: string): string => join(home, ".cache", "callsheet", "code")

/**
 * Returns a home directory after a run of `--help`, of this program or of a copy that prints another word of the same
 * length.
 */
async function warmHome(word?: string) {
  const home = await createFolder()
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const help = async (): Promise<string> => (await callsheet(["--help"], { folder: home, env })).stdout
  if (word === undefined) await help()
  else await run(process.execPath, [await copyProgram(home, word), "--help"], { env: { HOME: home } })
  const folder = entriesBelow(home)
  const entries = (await readdir(folder)).map((name) => join(folder, name))
  return { folder, entries, help }
}

async function copyProgram(home: string, word: string): Promise<string> {
  const copy = join(home, "copy")
  await cp(dirname(dirname(program)), copy, {
    recursive: true,
    filter: (path) => !/node_modules|src/.test(path),
  })
  for (const name of await readdir(join(copy, "dist")))
    if (name.startsWith("help-")) {
      const text = await readFile(join(copy, "dist", name), "utf8")
      await writeFile(join(copy, "dist", name), text.replace("Show this help.", `${word} this help.`))
    }
  return join(copy, "bin", basename(program))
}

describe.skipIf(process.platform === "win32")("the cache of compiled code", () => {
  it("is read by the next process, and only its user reaches it", async () => {
    const { folder, entries, help } = await warmHome("Read")
    const modes = await Promise.all([folder, ...entries].map(async (file) => (await stat(file)).mode & 0o777))
    expect(modes).toEqual([0o700, ...entries.map(() => 0o600)])
    expect(await help()).toContain("Read this help.")
  })

  it.runIf(process.platform === "linux")(
    "is not needed: a directory that can't exist costs only time",
    async () => {
      const { stdout } = await callsheet(["--help"], { env: { ...env, XDG_CACHE_HOME: "/proc/nope" } })
      expect(stdout).toContain("Show this help.")
    },
  )

  it("is neither read nor written if others can reach its directory", async () => {
    const { folder, entries, help } = await warmHome("Read")
    const before = await contentsOf(entries)
    await chmod(folder, 0o701)
    expect(await help()).toContain("Show this help.")
    expect(await contentsOf(entries)).toEqual(before)
  })

  it("runs no entry that others can write", async () => {
    const { entries, help } = await warmHome("Read")
    for (const file of entries) await chmod(file, 0o620)
    expect(await help()).toContain("Show this help.")
  })

  it("replaces what is broken", async () => {
    const { entries, help } = await warmHome()
    const whole = await contentsOf(entries)
    for (const [at, file] of entries.entries())
      await writeFile(
        file,
        [Buffer.alloc(0), Buffer.alloc(9_000, 7), (await readFile(file)).fill(0, 512, 1024)][at % 3] ?? "",
      )
    expect(await help()).toContain("Show this help.")
    expect((await contentsOf(entries)).map(({ length }) => length)).toEqual(whole.map(({ length }) => length))
  })

  it("is in the directory that NODE_COMPILE_CACHE names", async () => {
    const folder = await createFolder()
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const named = join(folder, "named")
    await callsheet(["--help"], { folder, env: { NODE_COMPILE_CACHE: named } })
    expect((await readdir(join(named, "callsheet"))).join()).toContain("help-")
    await expect(readdir(entriesBelow(folder))).rejects.toThrow("ENOENT")
  })

  it("stays empty under NODE_DISABLE_COMPILE_CACHE", async () => {
    const folder = await createFolder()
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await callsheet(["--help"], { folder, env: { ...env, NODE_DISABLE_COMPILE_CACHE: "1" } })
    await expect(readdir(entriesBelow(folder))).rejects.toThrow("ENOENT")
  })
})

const contentsOf = (files: readonly string[]): Promise<Buffer[]> =>
  Promise.all(files.map((file) => readFile(file)))
