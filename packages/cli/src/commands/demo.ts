// `callsheet demo`: runs the sample project against the sample API, like `callsheet run` does.

import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative, resolve } from "node:path"
import { makeFolder } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { startSampleApi, type SampleApi } from "../../../../examples/shop/server/start-sample-api.ts"
import type { CommandCall } from "../args/command.ts"
import { readExample, readExampleText } from "../find-example.ts"
import { messages } from "../messages.ts"
import { withInterrupts } from "../interrupts.ts"
import { parseArguments } from "../args/parse-arguments.ts"
import { nameCommand } from "../text/name-command.ts"
import { shellWord } from "../text/shell-word.ts"

/** The shop's port in the `local` environment of the sample project. The other servers use the ports after it. */
const DEFAULT_PORT = 4010

/** Runs the sample project and returns the exit code. With `--keep`, the servers run until Ctrl-C. */
export async function demo(call: CommandCall): Promise<number> {
  const [name] = call.words
  const isKept = name !== undefined
  const folder = isKept ? resolve(call.cwd, name) : await makeTemporaryFolder()
  try {
    await copySampleProject(folder)
    return await perform(call, { folder, isKept })
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true })
  }
}

/** Throws a `CallsheetError` (`usage`) if the system's temporary directory can't be written to. */
async function makeTemporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "callsheet-demo-"))
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException
    throw new CallsheetError(messages.usage.temporaryUnusable(tmpdir(), code))
  }
}

/** Copies the sample project without its server. Throws a `CallsheetError` (`usage`) if the directory isn't empty. */
async function copySampleProject(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []
    throw new CallsheetError(messages.usage.directoryUnusable(folder, error.code ?? "unknown"))
  })
  if (entries.length > 0) throw new CallsheetError(messages.usage.directoryInUse(folder))
  makeFolder(folder)
  for (const [path, bytes] of readExample("shop")) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), bytes, { mode: path.endsWith(".secrets.env") ? 0o600 : 0o666 })
  }
  // The run creates secrets files, which git must not add.
  await writeFile(join(folder, ".gitignore"), "*.secrets.env\n")
}

interface Stage {
  readonly folder: string
  /** True if the user named the directory. */
  readonly isKept: boolean
  readonly api: SampleApi
}

async function perform(call: CommandCall, copy: Omit<Stage, "api">): Promise<number> {
  const stays = call.options.has("keep")
  const api = await startServers(stays)
  const stage = { ...copy, api }
  try {
    const code = await runWorkflows(call, stage)
    if (code > 2) return code
    if (stays) await stayUp(call, stage)
    else call.screen.out.write(whatNext(call, stage))
    return code
  } finally {
    await api.close()
  }
}

/** Throws a `CallsheetError` (`usage`) if Node may not run the checks that the servers compile from JSON Schemas. */
async function startServers(stays: boolean): Promise<SampleApi> {
  try {
    return await (stays ? startAtDefaultPorts() : startSampleApi({ read: shipped }))
  } catch (error) {
    if (error instanceof EvalError) throw new CallsheetError(messages.usage.codeGenerationOff())
    throw error
  }
}

const shipped = (file: string): string => readExampleText("shop", file)

/** Starts the servers on the ports in the sample project, or on free ones if those are in use. */
async function startAtDefaultPorts(): Promise<SampleApi> {
  try {
    return await startSampleApi({ port: DEFAULT_PORT, read: shipped })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return startSampleApi({ read: shipped })
    throw error
  }
}

async function runWorkflows(caller: CommandCall, { folder, api }: Stage): Promise<number> {
  const call = { ...caller, cwd: folder }
  const { out } = call.screen
  out.write(`The sample shop runs at ${api.shopUrl}, its payment provider at ${api.paymentsUrl}.\n\n`)
  const words = "run --all --env local"
  out.write(prompt(call, `callsheet ${words}`))
  const code = await runCommand(call, words, overrides(api.shopUrl, api.paymentsUrl))
  if (code > 2) return code
  const tlsWords = "run smoke --env tls"
  const remark = "both servers over TLS, certificates not verified"
  out.write(`\n${prompt(call, `callsheet ${tlsWords}`, remark)}`)
  return Math.max(code, await runCommand(call, tlsWords, overrides(api.shopTlsUrl, api.paymentsTlsUrl)))
}

const overrides = (shopUrl: string, paymentsUrl: string): readonly string[] => [
  `--var shop.baseUrl=${shopUrl}`,
  `--var payments.baseUrl=${paymentsUrl}`,
]

/** Runs the displayed command with `--verify-no-leak` added. */
async function runCommand(call: CommandCall, words: string, vars: readonly string[]): Promise<number> {
  const { run } = await import("./run.ts")
  const { table } = await import("./index.ts")
  const parsed = parseArguments([words, ...vars, "--verify-no-leak"].join(" ").split(" "), table)
  if (parsed.kind !== "call") throw new Error("the demo calls a command that does not exist")
  return run({ ...call, words: parsed.words, options: parsed.options })
}

function prompt({ screen }: CommandCall, command: string, remark?: string): string {
  const { style } = screen.out
  return `${style("bold", `$ ${command}`)}${remark === undefined ? "" : style("dim", `   # ${remark}`)}\n`
}

const stayUp = ({ exit, screen, environment }: CommandCall, stage: Stage): Promise<void> =>
  withInterrupts(exit, ({ ended }) => {
    screen.out.write(howToUse(stage, nameCommand(environment)))
    return ended
  })

function howToUse({ folder, api }: Stage, name: string): string {
  const isDefault = api.shopUrl.endsWith(`:${DEFAULT_PORT}`)
  const vars = isDefault ? "" : ["", ...overrides(api.shopUrl, api.paymentsUrl)].join(" ")
  return `The servers stay up until Ctrl-C. In another terminal:

  cd ${shellWord(folder)}
  ${name} run checkout --env local --input quantity=3${vars}
  ${name} run refund --env local --reporter json${vars}
  ${name} env read shop local

`
}

function whatNext(call: CommandCall, { folder, isKept }: Stage): string {
  const { style } = call.screen.out
  const name = nameCommand(call.environment)
  const lines = isKept
    ? [
        [`cd ${shellWord(relative(call.cwd, folder) || ".")}`, "open the project; start with README.md"],
        [`${name} list`, "list its APIs, operations and workflows"],
        [`${name} demo --keep`, "keep the sample API running to run workflows yourself"],
      ]
    : [
        [`${name} demo my-shop --keep`, "keep this project, and the servers running"],
        [`${name} run checkout --env local --input quantity=3`, "run a workflow there, in a second terminal"],
        [`${name} run --help`, "see environments, inputs and reporters"],
      ]
  const width = Math.max(...lines.map(([command = ""]) => command.length))
  const shown = lines.map(
    ([command = "", remark = ""]) => `  ${command.padEnd(width)}  ${style("dim", remark)}\n`,
  )
  return `${style("bold", "What next")}\n${shown.join("")}`
}
