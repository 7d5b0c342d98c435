// Checks that the packed packages work on their own.

import { exec, execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { installPacked, readInstallCommands, root, version } from "./packed.ts"

const run = promisify(execFile)
const runLine = promisify(exec)

describe("in an outside directory", () => {
  const parent = mkdtempSync(join(tmpdir(), "callsheet-package-"))
  const folder = join(parent, "project")
  let commands: readonly string[]
  afterAll(() => rmSync(parent, { recursive: true, force: true }))

  beforeAll(async () => {
    commands = await installPacked(parent)
  }, 60_000)

  it("installs the two packages and jiti, with the commands of docs/start/install.md", async () => {
    const installed = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."))
    expect(installed.sort()).toEqual(["@callsheet", "callsheet", "jiti"])
    const bare = { PATH: process.env["PATH"], HOME: parent }
    const printed: string[] = []
    for (const command of commands) {
      const { stdout } = await runLine(command, { cwd: folder, env: bare })
      printed.push(stdout)
    }
    expect(printed[0]).toBe(`${version}\n`)
    expect(printed.at(-1)).toContain("hello passed")
  })

  it("runs the sample project, scripts included", async () => {
    const words = ["node_modules/callsheet/bin/callsheet.js", "demo"]
    const { stdout } = await run(process.execPath, words, { cwd: folder, env: { ...process.env, CI: "" } })
    expect(stdout).toContain("returns passed")
  })

  it("installs the command and its man page for a user, with the command of docs/start/install.md", async () => {
    const command = readInstallCommands()
      .flat()
      .find((line) => line.startsWith("npm install --global "))
    const prefix = join(parent, "prefix")
    await runLine(`${command} --prefix "${prefix}" --prefer-offline`, { cwd: join(parent, "callsheet") })
    const environment = { ...process.env, PATH: `${prefix}/bin:${process.env["PATH"]}`, MANPATH: "" }
    const { stdout } = await runLine("callsheet --version", { env: environment })
    expect(stdout).toBe(`${version}\n`)
    expect(existsSync(join(prefix, "share/man/man1/callsheet.1"))).toBe(process.platform !== "win32")
  })

  it("exports run to modules and to CommonJS", async () => {
    writeFileSync(join(folder, "a.mjs"), `import { run } from "callsheet"; console.log(typeof run)`)
    writeFileSync(join(folder, "b.cjs"), `const { run } = require("callsheet"); console.log(typeof run)`)
    const printed = ["a.mjs", "b.cjs"].map(async (file) =>
      run(process.execPath, [file], { cwd: folder }).then(({ stdout }) => stdout.trim()),
    )
    expect(await Promise.all(printed)).toEqual(["function", "function"])
  })

  it("has declarations that compile under strict, libraries included", async () => {
    const scripts = "node_modules/callsheet/dist/examples/shop/apis/workflow/scripts/returns"
    cpSync(join(folder, scripts), join(folder, "scripts"), { recursive: true })
    for (const name of ["@types/node", "undici-types"]) {
      const link = join(folder, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(join(root, "node_modules", name), link, "junction")
    }
    writeFileSync(join(folder, "program.mts"), program)
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include: ["*.mts", "scripts"] }),
    )
    const tsc = createRequire(import.meta.url)
      .resolve("typescript/package.json")
      .replace("package.json", "bin/tsc")
    const checked = await run(process.execPath, [tsc, "-p", "."], { cwd: folder }).then(
      () => "",
      (error: unknown) => (error as { stdout: string }).stdout,
    )
    expect(checked).toBe("")
  })
})

const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
  allowImportingTsExtensions: true,
  module: "nodenext",
  target: "es2023",
  types: ["node"],
}

/** Each line that should fail is marked, because types that became `any` would pass. */
const program = `
import { CallsheetError, run, type BlockReport, type Report, type RunEvent } from "callsheet"

const events: RunEvent[] = []
const report = await run({
  workflows: ["checkout"],
  environments: { shop: "local" },
  inputs: { quantity: 3 },
  overrides: { shop: { timeout: 100 } },
  signal: new AbortController().signal,
  onEvent: (event) => {
    if (event.type === "block.finished") events.push(event)
  },
})
export const whole: Report = report
export const first: BlockReport | undefined = report.runs[0]?.blocks[0]
export const code = (error: unknown): string => (error instanceof CallsheetError ? error.code : "")
// @ts-expect-error a workflow is given in a list
await run({ workflows: "checkout" })
// @ts-expect-error there is no such status
export const never = report.status === "green"
`
