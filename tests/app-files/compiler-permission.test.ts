// The permission to run the project's compiler is for the contents of its files: other contents never run.

import { existsSync, readdirSync } from "node:fs"
import {
  appendFile,
  chmod,
  mkdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { arch, platform } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { projectKey } from "@callsheet/engine"
import { makeFolder } from "../app-project/open-project.ts"
import { openFiles, type FileName } from "./open-files.ts"

const files = {
  "apis/workflow/checkout.json": {
    version: 1,
    blocks: [{ id: "check", type: "assert", script: { name: "checks", exportName: "isRight" } }],
  },
  "apis/workflow/scripts/checkout/checks.ts": "",
}
const checks: FileName = { kind: "script", workflow: "checkout", script: "checks" }
const native = `@typescript/typescript-${platform()}-${arch()}`

/** Installs a program in place of the compiler, which only notes that it ran. */
async function install(modules: string, mark: string, name = "one") {
  await mkdir(join(modules, "typescript"), { recursive: true })
  await mkdir(join(modules, native, "lib"), { recursive: true })
  await writeFile(join(modules, "typescript/package.json"), `{ "version": "7.0.2" }\n`)
  await writeFile(join(modules, native, "package.json"), `{ "version": "7.0.2" }\n`)
  await writeFile(join(modules, native, "lib/lib.d.ts"), "interface Array<T> {}\n")
  await writeCompiler(modules, mark, name)
}

async function writeCompiler(modules: string, mark: string, name: string) {
  const file = join(modules, native, "lib/tsc")
  await writeFile(file, `#!/bin/sh\necho ${name} >> "${mark}"\n`)
  await chmod(file, 0o755)
}

/** Opens a project with a compiler that the user has allowed and that has run once. */
async function open() {
  const outside = await makeFolder({})
  const mark = join(outside, "ran")
  const project = await openFiles(files)
  const modules = project.path("node_modules")
  await install(modules, mark)
  /** Asks the compiler, and returns which compilers ran. */
  const ask = async (own: Pick<typeof project, "check"> = project): Promise<readonly string[]> => {
    await rm(mark, { force: true })
    await own.check(checks, "export const n: number = ''\n")
    return existsSync(mark) ? (await readFile(mark, "utf8")).trim().split("\n") : []
  }
  const state = async () => (await project.calls["types.read"]({})).state
  const allow = (isAllowed: boolean) => project.calls["types.allow"]({ isAllowed })
  expect(await ask()).toEqual([])
  expect(await allow(true)).toEqual({ state: "on", version: "7.0.2" })
  expect(await ask()).toEqual(["one"])
  return {
    ...project,
    modules,
    outside,
    mark,
    lib: join(modules, native, "lib"),
    ask,
    readState: state,
    allow,
  }
}

type World = Awaited<ReturnType<typeof open>>

describe.skipIf(platform() === "win32")("the permission for a compiler", () => {
  it.each<[string, (world: World) => Promise<unknown>]>([
    ["the executable", ({ modules, mark }) => writeCompiler(modules, mark, "two")],
    [
      "the executable, with its size and its time restored",
      async ({ modules, mark, lib }) => {
        const { atime, mtime } = await stat(join(lib, "tsc"))
        await writeCompiler(modules, mark, "two")
        await utimes(join(lib, "tsc"), atime, mtime)
      },
    ],
    [
      "the executable, by a rename",
      async ({ outside, mark, lib }) => {
        await install(outside, mark, "two")
        await rename(join(outside, native, "lib/tsc"), join(lib, "tsc"))
      },
    ],
    [
      "the executable, which becomes a link",
      async ({ outside, mark, lib }) => {
        await install(outside, mark, "two")
        await rm(join(lib, "tsc"))
        await symlink(join(outside, native, "lib/tsc"), join(lib, "tsc"))
      },
    ],
    [
      "the directory of the executable, which becomes a link",
      async ({ outside, mark, lib }) => {
        await install(outside, mark, "two")
        await rm(lib, { recursive: true })
        await symlink(join(outside, native, "lib"), lib)
      },
    ],
    [
      "the package, which becomes a link",
      async ({ outside, mark, modules }) => {
        await install(outside, mark, "two")
        await rm(join(modules, "typescript"), { recursive: true })
        await symlink(join(outside, "typescript"), join(modules, "typescript"))
        await mkdir(join(outside, "node_modules"))
        await rename(join(outside, "@typescript"), join(outside, "node_modules/@typescript"))
      },
    ],
    [
      "the version in the compiler's manifest",
      ({ modules }) => writeFile(join(modules, "typescript/package.json"), `{ "version": "7.1.0" }\n`),
    ],
    [
      "the manifest of the platform's package",
      ({ modules }) => writeFile(join(modules, native, "package.json"), `{ "version": "7.1.0" }\n`),
    ],
    ["a library beside it", ({ lib }) => appendFile(join(lib, "lib.d.ts"), "declare const x: 1\n")],
    ["the files beside it, by a new one", ({ lib }) => writeFile(join(lib, "plugin.so"), "\0")],
    ["the files beside it, by a removed one", ({ lib }) => rm(join(lib, "lib.d.ts"))],
    ["which files beside it can run", ({ lib }) => chmod(join(lib, "lib.d.ts"), 0o755)],
  ])("ends if an installation changes %s", async (_, change) => {
    const world = await open()
    await change(world)
    expect(await world.ask()).toEqual([])
    expect(await world.readState()).toBe("off")
  })

  it("can be given again, and then a return to the earlier contents is another change", async () => {
    const { modules, mark, allow, ask } = await open()
    await writeCompiler(modules, mark, "two")
    expect(await allow(true)).toMatchObject({ state: "on" })
    expect(await ask()).toEqual(["two"])
    await writeCompiler(modules, mark, "one")
    expect(await ask()).toEqual([])
  })

  it("lasts for a new start and for the same contents elsewhere, and only in this project", async () => {
    const { root, state, ask, modules, outside, mark } = await open()
    const again = await openFiles(root, { state })
    expect(await ask(again)).toEqual(["one"])
    await mkdir(join(outside, "moved"))
    await rename(modules, join(outside, "moved/node_modules"))
    await symlink(join(outside, "moved/node_modules"), modules)
    expect(await ask(again)).toEqual(["one"])
    const other = await openFiles(files, { state })
    await symlink(join(outside, "moved/node_modules"), other.path("node_modules"))
    expect(await other.calls["types.read"]({})).toMatchObject({ state: "off" })
    expect(await ask(other)).toEqual([])
    expect(existsSync(mark)).toBe(false)
  })

  it("ends in every running app when the user takes it back in one", async () => {
    const { root, state, ask, allow } = await open()
    const other = await openFiles(root, { state })
    expect(await ask(other)).toEqual(["one"])
    await allow(false)
    expect(await other.calls["types.read"]({})).toMatchObject({ state: "off" })
    expect(await ask(other)).toEqual([])
  })

  it.each([
    ["of an earlier version, which names only the path", (path: string) => ({ version: 1, compiler: path })],
    ["without contents", () => ({ version: 1 })],
    ["of a later version", (_: string, contents: string) => ({ version: 2, contents })],
    ["with a path in place of the contents", (path: string) => ({ version: 1, contents: path })],
    ["with the contents of nothing", () => ({ version: 1, contents: "" })],
  ])("is not in a file %s", async (_, write) => {
    const { root, state, lib, ask } = await open()
    const file = join(state, "compilers", `${projectKey(root)}.json`)
    const [contents = ""] = readdirSync(join(state, "compilers")).filter((name) => !name.endsWith(".json"))
    expect(contents).toMatch(/^[0-9a-f]{64}$/)
    await writeFile(file, JSON.stringify(write(join(lib, "tsc"), contents)))
    const again = await openFiles(root, { state })
    expect(await again.calls["types.read"]({})).toMatchObject({ state: "off" })
    expect(await ask(again)).toEqual([])
  })

  it("keeps a few private copies, and runs those", async () => {
    const { state, modules, mark, ask, allow } = await open()
    for (const name of ["two", "three", "four", "five"]) {
      await writeCompiler(modules, mark, name)
      await allow(true)
      expect(await ask()).toEqual([name])
    }
    const copies = readdirSync(join(state, "compilers")).filter((name) => !name.endsWith(".json"))
    expect(copies).toHaveLength(3)
    for (const copy of copies)
      expect(((await stat(join(state, "compilers", copy))).mode & 0o777).toString(8)).toBe("700")
  })

  it("is not for a compiler without an executable, or with a directory in its place", async () => {
    const { lib, readState, ask } = await open()
    await rm(join(lib, "tsc"))
    expect(await readState()).toBe("old")
    await mkdir(join(lib, "tsc"))
    expect(await readState()).toBe("off")
    expect(await ask()).toEqual([])
  })
})
