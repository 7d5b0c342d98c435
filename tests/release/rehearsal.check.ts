// A release, rehearsed: publishes all packages to a registry on loopback, and installs and uses them as people do.

import { exec, spawn } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { packAll, publishAll, readInstallCommands, version } from "../package/packed.ts"
import {
  createEnvironment,
  newNode,
  startGuard,
  startRegistry,
  type Guard,
  type Manager,
  type Registry,
} from "./registry.ts"

const runLine = promisify(exec)
const BEFORE = "0.0.9"
const names = ["@callsheet/sdk", "artillery-engine-callsheet", "callsheet", "callsheet-lsp", "callsheet-mcp"]

let place: string
let registry: Registry
let guard: Guard

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "callsheet-release-"))
  guard = await startGuard()
  registry = await startRegistry(join(place, "registry"))
})
afterAll(async () => {
  await registry.close()
  await guard.close()
  await rm(place, { recursive: true, force: true })
})

/** Someone's directory with an empty project, and a function that runs a line in it. Rejects if the line fails. */
async function createUser(name: string, manager: Manager = "npm", node?: string) {
  const folder = join(place, name, "project")
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "project", private: true }))
  // Yarn would look for a project in the directories above.
  if (manager === "yarn 4") await writeFile(join(folder, "yarn.lock"), "")
  const where = { registry, guard, ...(node === undefined ? {} : { node }) }
  const env = await createEnvironment(join(place, name), manager, where)
  const run = async (line: string): Promise<string> => (await runLine(line, { cwd: folder, env })).stdout
  return { folder, env, run }
}

/** Publishes all packages in a version, as `npm run release` does. */
async function release(version: string): Promise<readonly string[]> {
  const { env } = await createUser(`release-${version}-${Math.random()}`)
  const archives = await packAll({ to: join(place, `packed-${version}`), version })
  return publishAll(archives, env)
}

describe.sequential("a release", () => {
  it("publishes the packages, each after those that it needs", async () => {
    expect([...(await release(BEFORE))].sort()).toEqual(names)
  })

  it("continues where an interrupted one ended, and can be repeated", async () => {
    const { env } = await createUser("interrupted")
    const archives = await packAll({ to: join(place, "interrupted-archives"), version: "0.0.10" })
    expect(await publishAll(archives.slice(0, 2), env)).toHaveLength(2)
    expect(await publishAll(archives, env)).toEqual(archives.slice(2).map(({ name }) => name))
    expect(await publishAll(archives, env)).toEqual([])
    for (const { name } of archives) {
      const { run } = await createUser(`tag-${name}`)
      await run(`npm dist-tag add ${name}@${BEFORE} latest`)
    }
  })
})

const managers: readonly Manager[] = ["npm", "pnpm", "yarn 1", "yarn 4", "bun"]
const users = new Map<Manager, Awaited<ReturnType<typeof createUser>>>()

describe.sequential("in an empty directory", () => {
  it.each(managers)("the version before is installed, and runs, by the commands for %s", async (manager) => {
    const user = await createUser(manager.replace(" ", "-"), manager)
    users.set(manager, user)
    for (const command of commandsOf(manager)) await user.run(command)
    const start = starters[manager]
    const shown = manager === "pnpm" ? "npx" : start.replace(/ --[\w-]+/, "")
    expect(await user.run(`${start} callsheet init 2>&1`)).toContain(`  ${shown} callsheet run hello\n`)
    await expectToWork(manager)
    expect(await installedVersion(manager)).toBe(BEFORE)
  })

  it("the next version is published", async () => {
    expect([...(await release(version))].sort()).toEqual(names)
  })

  it("npm refuses to update only one of the packages", async () => {
    const { run } = userOf("npm")
    await expect(run("npm install --save-dev callsheet@latest")).rejects.toThrow("ERESOLVE")
    expect(await installedVersion("npm")).toBe(BEFORE)
  })

  it.each(managers)("everything is updated, and runs, by one command of %s", async (manager) => {
    const [install = ""] = commandsOf(manager)
    const { run } = userOf(manager)
    // Bun remembers for five minutes which version is the latest.
    const fresh = manager === "bun" ? " --no-cache" : ""
    await run(`${install.replaceAll(/ (@?callsheet[\w/-]*)/g, " $1@latest")}${fresh}`)
    expect(await installedVersion(manager)).toBe(version)
    await expectToWork(manager)
  })

  it.each(managers.filter((manager) => manager !== "yarn 4"))(
    "types of scripts and of the function compile, installed by %s",
    async (manager) => {
      const { folder, run } = userOf(manager)
      await writeFile(join(folder, "types.mts"), typed)
      await run(`${manager === "npm" ? "npm install --save-dev" : adders[manager]} @types/node@20`)
      await run(
        `node "${compiler}" --noEmit --strict --module nodenext --target es2023 --types node types.mts`,
      )
    },
  )

  it("agents and editors can use it, installed by each of them", async () => {
    for (const manager of managers) {
      expect(await ask(manager, "mcp", `${JSON.stringify(initialize)}\n`)).toContain("serverInfo")
      const text = JSON.stringify({
        ...initialize,
        params: { capabilities: {}, processId: null, rootUri: null },
      })
      const message = `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
      expect(await ask(manager, "lsp --stdio", message)).toContain("textDocumentSync")
    }
  })
})

describe.sequential("the engine for Artillery", () => {
  it("runs a load test in the Artillery that npm chooses on a new Node", async () => {
    const { folder, env, run } = await createUser("artillery", "npm", dirname(newNode))
    // Scripts of Artillery's dependencies would compile optional parts, with headers from nodejs.org.
    await run("npm install --ignore-scripts --save-dev artillery artillery-engine-callsheet")
    await run("npx callsheet init")
    await writeFile(join(folder, "load.json"), JSON.stringify(loadTest))
    const printed = await runLine("npx artillery run load.json", { cwd: folder, env })
    expect(printed.stdout).toMatch(/vusers\.completed: \.* 2\n/)
  })

  it("can't be installed with the Artillery that npm prefers on Node 20", async () => {
    const { run } = await createUser("old-artillery")
    await run("npm install --package-lock-only --save-dev --save-exact artillery@2.0.21")
    const install = run("npm install --package-lock-only --save-dev artillery-engine-callsheet")
    await expect(install).rejects.toThrow("ERESOLVE")
  })
})

it("contacts only the registry", () => {
  expect(guard.contacts).toEqual([])
})

function userOf(manager: Manager) {
  const user = users.get(manager)
  if (user === undefined) throw new Error(`${manager} has installed nothing`)
  return user
}

const programOf = (manager: Manager): string => (manager === "npm" ? "npm" : manager.replace(/ .*/, ""))

/** The commands of docs/start/install.md for a package manager: one installs, one asks for the version. */
function commandsOf(manager: Manager): readonly string[] {
  const blocks = readInstallCommands().filter(([first]) => !first?.includes(".tgz"))
  const block = blocks.find(([first]) =>
    new RegExp(`^${programOf(manager)} (install --save|add) ?`).test(first ?? ""),
  )
  if (block?.length !== 2) throw new Error(`docs/start/install.md has no commands for ${manager}`)
  return block
}

/** What starts a program of a package. */
const starters: Readonly<Record<Manager, string>> = {
  npm: "npx --no-install",
  pnpm: "pnpm exec",
  "yarn 1": "yarn --silent run",
  "yarn 4": "yarn run",
  bun: "bun run",
}
const adders = { pnpm: "pnpm add --save-dev", "yarn 1": "yarn add --dev", bun: "bun add --dev" } as const

async function installedVersion(manager: Manager): Promise<string> {
  const { run } = userOf(manager)
  const words = manager === "yarn 4" ? "yarn node" : "node"
  return (await run(`${words} -p "require('callsheet/package.json').version"`)).trim()
}

/** Runs the project, and the sample with its scripts. */
async function expectToWork(manager: Manager): Promise<void> {
  const { run } = userOf(manager)
  const callsheet = `${starters[manager]} callsheet`
  expect(await run(`${callsheet} run hello`)).toContain("hello passed")
  expect(await run(`${callsheet} demo`)).toContain("returns passed")
}

/** Starts a server over standard input, sends it a message, and returns its answer. */
async function ask(manager: Manager, command: string, message: string): Promise<string> {
  const { folder, env } = userOf(manager)
  const child = spawn(`${starters[manager]} callsheet ${command}`, { cwd: folder, env, shell: true })
  let text = ""
  const answered = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString()
        if (text.includes('"id":1')) resolve()
      })
    child.on("close", () => resolve())
  })
  child.stdin.write(message)
  await answered
  child.stdin.end()
  return text
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "rehearsal", version: "1" },
  },
}
const loadTest = {
  config: {
    target: "unused",
    phases: [{ duration: 1, arrivalCount: 2 }],
    engines: { callsheet: { env: "local" } },
  },
  scenarios: [{ engine: "callsheet", workflow: "hello" }],
}
const compiler = createRequire(import.meta.url)
  .resolve("typescript/package.json")
  .replace("package.json", "bin/tsc")
const typed = `
import type { AssertContext } from "@callsheet/sdk"
import { run, type Report } from "callsheet"

export const check = (ctx: AssertContext) => ctx.assert(ctx.get<number>("order.response.status") === 201, "created")
export const report: Promise<Report> = run({ workflows: ["hello"] })
// @ts-expect-error a workflow is given in a list
void run({ workflows: "hello" })
`
