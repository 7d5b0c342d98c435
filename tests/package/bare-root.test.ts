// A stranger's machine: another user with an empty home, and nothing but Node, npm and the packed packages.

import { execFile } from "node:child_process"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, expect, it } from "vitest"
import { packAll, readInstallCommands, root, version } from "./packed.ts"

const run = promisify(execFile)
const isLinuxRoot = process.platform === "linux" && process.getuid?.() === 0

let folder: string
let archives: string
let dependency: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "callsheet-bare-"))
  archives = join(folder, "archives")
  await packAll({ to: archives })
  // The only dependency that isn't ours. Nothing is downloaded.
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", archives]
  const jiti = join(root, "node_modules/jiti")
  const packed = await run("npm", [...pack, jiti], { cwd: folder, shell: process.platform === "win32" })
  dependency = packed.stdout.trim()
}, 120_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs a line there. Without the rights for another root, it runs as this user, but with an empty home. */
async function runThere(name: string, lineFor: (archives: string) => string): Promise<string> {
  const place = join(folder, name)
  await mkdir(join(place, "home"), { recursive: true })
  if (isLinuxRoot) {
    const program = fileURLToPath(new URL("bare-root.sh", import.meta.url))
    const words = ["--mount", "--pid", "--fork", "sh", program, place, archives, lineFor("/archives")]
    return (await run("unshare", words)).stdout
  }
  await mkdir(join(place, "project"))
  const env = { PATH: process.env["PATH"], HOME: join(place, "home") }
  const shell = process.platform === "win32" ? ["cmd.exe", "/c"] : ["/bin/sh", "-c"]
  const [program = "", option = ""] = shell
  const settings = { cwd: join(place, "project"), env }
  return (await run(program, [option, lineFor(archives)], settings)).stdout
}

const installFrom = (folder: string): readonly string[] => {
  const packed = [`callsheet-${version}.tgz`, `callsheet-sdk-${version}.tgz`, dependency]
  return [
    "echo {} > package.json",
    `npm install --offline ${packed.map((name) => `${folder}/${name}`).join(" ")}`,
  ]
}

it("installs from the archives without a network, and runs a new project and the sample", async () => {
  const printed = await runThere("user", (from) =>
    [
      ...installFrom(from),
      "npx --no-install callsheet --version",
      "npx --no-install callsheet init",
      "npx --no-install callsheet run hello",
      "npx --no-install callsheet demo",
    ].join(" && "),
  )
  expect(printed).toContain(`\n${version}\n`)
  expect(printed).toContain("hello passed")
  expect(printed).toContain("returns passed")
}, 120_000)

it.runIf(isLinuxRoot)(
  "leaves nothing but npm's cache after the commands that uninstall it",
  async () => {
    const uninstall = readInstallCommands().find(([first]) => first?.startsWith("npm uninstall ")) ?? []
    const list = `find /home /tmp -name "*callsheet*" -not -path "/home/.npm/*"`
    const printed = await runThere("uninstalled", (from) =>
      [
        ...installFrom(from),
        "npx --no-install callsheet init",
        "npx --no-install callsheet demo",
        "echo",
        "echo used:",
        list,
        ...uninstall,
        "echo left:",
        list,
        "echo end",
      ].join(" && "),
    )
    const [, used = "", left] = /^used:\n(.*)^left:\n(.*)^end\n/ms.exec(printed) ?? []
    expect(used.split("\n")).toEqual(
      expect.arrayContaining([
        "/home/.cache/callsheet",
        "/home/.local/state/callsheet",
        "/tmp/callsheet-locks-54321",
      ]),
    )
    expect(left).toBe("")
  },
  120_000,
)

it.runIf(isLinuxRoot)("is a user who can write only the project, a home and temporary files", async () => {
  const printed = await runThere("rights", () =>
    ["id -u", "touch /usr/x /archives/x /x 2>/dev/null || echo refused", "ls /home", "touch x && ls"].join(
      "; ",
    ),
  )
  expect(printed).toBe("54321\nrefused\nx\n")
})
