// Runs a command from its arguments to its exit code. No other module exits the process.

import { constants, fstatSync, writeSync } from "node:fs"
import type { CommandCall } from "./args/command.ts"
import { table } from "./commands/index.ts"
import { parseArguments } from "./args/parse-arguments.ts"
import { createScreen, styleOf } from "./screen.ts"
import { version } from "./version.ts"

turnReportsOff(process)
const environment = takeEnvironment(process)
const argv = process.argv.slice(2)
const screen = createScreen(process)

// If nothing can settle the promise below, Node exits. That would be a bug, so report it.
process.once("beforeExit", () => {
  process.exitCode = 2
  screen.err.write("a bug in callsheet: it ended before it was done; please report it\n")
})
process.on("uncaughtException", (error) => void interruptOrEnd(error))
void perform().catch(fail).then(end)

async function perform(): Promise<number> {
  const parsed = parseArguments(argv, table)
  switch (parsed.kind) {
    case "help": {
      const { renderHelp } = await import("./args/help.ts")
      const isPiped = takesAllAtOnce()
      const style = isPiped ? styleOf({ isTTY: false }, environment) : screen.out.style
      const text = renderHelp(parsed.about, table, style)
      screen.out.write(isPiped ? printAtOnce(text) : text)
      return 0
    }
    case "version": {
      screen.out.write(`${version}\n`)
      return 0
    }
    case "misuse": {
      const { misuse } = await import("./report-error.ts")
      throw misuse(parsed)
    }
    case "call": {
      const { row, words, options } = parsed
      const around = await surroundings()
      const project = options.value("project")
      if (project !== undefined && row.takesPattern !== true) {
        const { refusePattern } = await import("./projects/find-projects.ts")
        refusePattern(row.name, around.cwd, project)
      }
      const command = await row.load()
      return command({ ...around, words, options })
    }
  }
}

async function surroundings(): Promise<Omit<CommandCall, "words" | "options">> {
  return {
    screen,
    cwd: await workingDirectory(),
    environment,
    scriptEntry: new URL("./script-child.js", import.meta.url),
    exit: (code) => process.exit(code),
  }
}

/** Throws a `CallsheetError` (`usage`) if the directory was deleted or can't be read. */
async function workingDirectory(): Promise<string> {
  try {
    return process.cwd()
  } catch (error) {
    const { noDirectory } = await import("./report-error.ts")
    throw noDirectory(error)
  }
}

async function fail(error: unknown): Promise<number> {
  const { hideValues, reportError } = await import("./report-error.ts")
  return reportError(await explain(error), {
    output: hideValues(screen.err, argv),
    debug: argv.includes("--debug"),
  })
}

/** Adds what only the whole command line tells. */
async function explain(error: unknown): Promise<unknown> {
  if (!argv.includes("--project")) return error
  const { hintAtExpansion } = await import("./projects/find-projects.ts")
  return hintAtExpansion(error, argv)
}

/** Reports an error that nothing has caught. A run in progress first writes its reports. */
async function interruptOrEnd(error: unknown): Promise<void> {
  const code = await fail(error)
  const { interruptWork } = await import("./interrupts.ts")
  if (!interruptWork(code)) await end(code)
}

async function end(code: number): Promise<never> {
  const failure = await screen.flush()
  if (failure === undefined) process.exit(code)
  const { reportUnwritten } = await import("./report-error.ts")
  reportUnwritten(failure, screen.err)
  await screen.flush()
  // Incomplete output must not count as success.
  process.exit(Math.max(code, 2))
}

/** Returns whether standard output is a pipe or a file. A process may have none, or one that Windows can't describe. */
function takesAllAtOnce(): boolean {
  const { S_IFIFO, S_IFSOCK, S_IFREG, S_IFMT } = constants
  try {
    return [S_IFIFO, S_IFSOCK, S_IFREG].includes(fstatSync(1).mode & S_IFMT)
  } catch {
    return false
  }
}

/**
 * Prints without opening a stream, which takes longer than the help itself. Returns the text that didn't fit into the
 * pipe.
 */
function printAtOnce(text: string): string {
  try {
    const bytes = Buffer.from(text)
    return bytes.toString("utf8", writeSync(1, bytes))
  } catch {
    return text
  }
}

type Environment = Record<string, string | undefined>

interface ProcessParts {
  readonly env: Environment
  readonly platform: string
}

/**
 * Copies the variables, because reading them from the process is slow, and removes ours from it. Diagnostic reports
 * then don't list them, and child processes don't inherit them. On Windows, names that differ only in case are one name.
 */
function takeEnvironment({ env, platform }: ProcessParts): Readonly<Environment> {
  const taken = Object.entries({ ...env })
  for (const [name] of taken) if (name.toUpperCase().startsWith("CALLSHEET_VAR_")) delete env[name]
  const isOurs = (name: string): boolean => platform === "win32" && /^callsheet_/i.test(name)
  return Object.fromEntries(taken.map(([name, value]) => [isOurs(name) ? name.toUpperCase() : name, value]))
}

/** Turns off Node's diagnostic reports, which contain the environment and thrown values. */
function turnReportsOff(process: NodeJS.Process): void {
  // Accessing `process.report` loads it, so check first whether reports may be on.
  if (!/report/.test(`${process.env["NODE_OPTIONS"] ?? ""} ${process.execArgv.join(" ")}`)) return
  process.report.reportOnFatalError = false
  process.report.reportOnUncaughtException = false
  process.report.reportOnSignal = false
}
