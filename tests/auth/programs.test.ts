// The program of a resolver never comes from the project, from packages, or from where other users can write.

import { existsSync } from "node:fs"
import { chmod, mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { delimiter, dirname, join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"
import { createHome, projectFor, run, startShop } from "./user-file.ts"

const value = "kettle-lantern-47"
const system = ["/usr/local/bin", "/usr/bin", "/bin"]

async function writeProgram(file: string, body: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, body.startsWith("#!") ? body : `#!/bin/sh\n${body}\n`)
  await chmod(file, 0o755)
  return file
}

/** A project in a repository, a user-level file with the resolver `vault`, and the program `op` outside the project. */
async function open(command: readonly string[] = ["op", "{reference}"]) {
  const shop = await startShop()
  const repository = await createFolder()
  onTestFinished(() => rm(repository, { recursive: true, force: true }))
  const project = join(repository, "tests")
  const home = await createHome({ version: 1, resolvers: { vault: { command } } })
  const good = await writeProgram(join(home.folder, "bin/op"), `echo "${value}"`)
  const mark = join(home.folder, "trap")
  /** Writes a program that must not run. */
  const trap = (file: string) => writeProgram(file, `touch "${mark}"; echo stolen`)
  const call = async (path: readonly string[] | undefined, words: readonly string[] = []) => {
    const env = { ...home.env, HOME: home.folder, PATH: path?.join(delimiter) }
    const { exitCode, report } = await run(words, {
      folder: project,
      files: projectFor(shop),
      env: { ...env },
    })
    const [problem] = report?.runs[0]?.error?.problems ?? []
    return { exitCode, message: problem?.message ?? "", hint: problem?.hint, code: problem?.code }
  }
  const sent = () => shop.requests.map(({ headers }) => headers["x-key"])
  return { repository, project, home, bin: dirname(good), mark, trap, call, sent, shop }
}

type World = Awaited<ReturnType<typeof open>>

describe.skipIf(process.platform === "win32")("the program of a resolver", () => {
  it.each<[string, (world: World) => Promise<string>]>([
    [
      "node_modules/.bin of the project",
      async ({ project, trap }) => dirname(await trap(join(project, "node_modules/.bin/op"))),
    ],
    [
      "node_modules/.bin above the project",
      async ({ repository, trap }) => dirname(await trap(join(repository, "node_modules/.bin/op"))),
    ],
    [
      "a directory of the project, through a link",
      async ({ project, home, trap }) => {
        await symlink(dirname(await trap(join(project, "tools/op"))), join(home.folder, "tools"))
        return join(home.folder, "tools")
      },
    ],
    [
      "the working directory",
      async ({ project, trap }) => {
        await trap(join(project, "op"))
        return "."
      },
    ],
    [
      "a directory whose link leads to a package",
      async ({ repository, home, trap }) => {
        const file = await trap(join(repository, "lib/node_modules/tool/op"))
        await mkdir(join(home.folder, "links"))
        await symlink(file, join(home.folder, "links/op"))
        return join(home.folder, "links")
      },
    ],
    [
      "a directory that other users can write to",
      async ({ home, trap }) => {
        const folder = dirname(await trap(join(home.folder, "shared/op")))
        await chmod(folder, 0o1777)
        return folder
      },
    ],
  ])("never comes from %s", async (_, prepare) => {
    const world = await open()
    const entry = await prepare(world)
    const refused = await world.call([entry, ...system])
    expect(refused).toMatchObject({ exitCode: 2, code: "secret-unresolved" })
    expect(refused.message).toMatch(/"vault".*its command could not be started: .*op"/)
    expect(refused.hint).toContain('outside the project and "node_modules"')
    expect(await world.call([entry, world.bin, ...system])).toMatchObject({ exitCode: 0 })
    expect(world.sent()).toEqual([value])
    expect(existsSync(world.mark)).toBe(false)
  })

  it("is named in the message, with the reason why it was refused", async () => {
    const { project, repository, trap, call } = await open()
    const [own, above] = [join(project, "tools"), join(repository, "node_modules/.bin")]
    await trap(join(own, "op"))
    await trap(join(above, "op"))
    expect((await call([own])).message).toContain(`"${own}/op" is in the project`)
    expect((await call([above])).message).toContain(`"${above}/op" is in "node_modules"`)
    expect((await call(system)).message).toContain(`the program "op" was not found`)
    expect((await call(undefined)).message).toContain(`the program "op" was not found`)
  })

  it("can be named by its absolute path, from the home directory, or from the file's directory", async () => {
    for (const path of ["", "~/bin/", "bin/", "./bin/"]) {
      const world = await open()
      const program = path === "" ? join(world.bin, "op") : `${path}op`
      const resolvers = { vault: { command: [program, "{reference}"] } }
      await writeFile(world.home.file, JSON.stringify({ version: 1, resolvers }))
      expect(await world.call([])).toMatchObject({ exitCode: 0 })
      expect(world.sent()).toEqual([value])
    }
  })

  it("is refused in the project also if the user-level file names its path", async () => {
    const { project, home, trap, call, mark } = await open()
    const file = await trap(join(project, "tools/op"))
    await symlink(join(project, "tools"), join(home.folder, "tools"))
    for (const program of [file, `${project}/tools/../tools/op`, "~/tools/op", "./tools/op"]) {
      const resolvers = { vault: { command: [program, "{reference}"] } }
      await writeFile(home.file, JSON.stringify({ version: 1, resolvers }))
      expect(await call(system)).toMatchObject({
        exitCode: 2,
        message: expect.stringContaining("is in the project"),
      })
    }
    expect(existsSync(mark)).toBe(false)
  })

  it("finds other programs only outside the project, and can be a script of Node", async () => {
    const world = await open()
    const { project, home, trap, call, sent, mark, bin } = world
    await writeProgram(
      join(bin, "op"),
      `#!/usr/bin/env node\nconsole.log(require("node:child_process").execFileSync("helper").toString().trim())\n`,
    )
    await writeProgram(join(home.folder, "bin/helper"), `echo "${value}-$(env | grep -c ^PATH=)"`)
    for (const name of ["helper", "node", "env"]) await trap(join(project, "node_modules/.bin", name))
    const node = dirname(process.execPath)
    const path = [join(project, "node_modules/.bin"), "", "node_modules/.bin", bin, node, ...system]
    expect(await call(path)).toMatchObject({ exitCode: 0 })
    expect(sent()).toEqual([`${value}-1`])
    expect(existsSync(mark)).toBe(false)
  })

  it("is also checked for env read --reveal, and in a project that is opened through a link", async () => {
    const { project, repository, home, shop, trap, mark } = await open()
    const own = await trap(join(project, "bin/op"))
    const linked = join(repository, "linked")
    await symlink(project, linked)
    const read = (folder: string, path: string) =>
      callsheet(["env", "read", "shop", "staging", "apiKey", "--reveal"], {
        folder,
        files: projectFor(shop),
        env: { ...home.env, PATH: path },
      })
    for (const path of [dirname(own), join(linked, "bin")])
      for (const folder of [project, linked])
        expect((await read(folder, path)).stderr).toContain("its command could not be started")
    // Next to the project, it is the user's own.
    await rename(join(project, "bin"), join(repository, "own"))
    expect((await read(linked, [join(repository, "own"), ...system].join(delimiter))).stdout).toBe("stolen\n")
    expect(existsSync(mark)).toBe(true)
  })
})
