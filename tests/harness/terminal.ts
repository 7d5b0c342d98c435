// Runs the built command in a terminal of its own, as `python3` opens it, and presses keys.

import { spawn, spawnSync } from "node:child_process"
import { join } from "node:path"
import { codeCache, commandLine, program } from "./callsheet.ts"

/** False if the machine can't open a terminal for a test. */
export const hasTerminal =
  process.platform !== "win32" && spawnSync("python3", ["-c", "import pty"]).status === 0

const open = `
import pty, sys
status = pty.spawn(sys.argv[1:])
sys.exit(status >> 8 or status & 127)
`

export interface Terminal {
  /** Returns the output up to and including `text`, from the end of the last call on. Rejects if it doesn't appear. */
  readonly until: (text: string) => Promise<string>
  readonly press: (keys: string) => void
  /** Returns the exit code. */
  readonly ended: Promise<number | null>
  readonly close: () => void
}

/** A generous time limit, because the machine may be busy. */
const BOUND_MS = 20_000

interface TerminalOptions {
  readonly folder: string
  readonly cwd?: string
  /** The words that start Node. By default, this one. */
  readonly runtime?: readonly [string, ...string[]] | undefined
  /** Added to a bare environment. */
  readonly env?: Readonly<Record<string, string>>
}

export function openTerminal(
  words: readonly string[],
  { folder, cwd = ".", runtime, env = {} }: TerminalOptions,
): Terminal {
  const child = spawn("python3", ["-c", open, ...commandLine(words, program, runtime).flat()], {
    cwd: join(folder, cwd),
    env: { PATH: process.env["PATH"], HOME: folder, TERM: "dumb", NO_COLOR: "1", ...codeCache, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  })
  let output = ""
  let look = (): void => undefined
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text.replaceAll("\r", "")
    look()
  })
  const ended = new Promise<number | null>((resolve) => {
    child.on("close", (code) => {
      resolve(code)
      look()
    })
  })
  const until = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const fail = (why: string): void =>
        reject(new Error(`${why} without ${JSON.stringify(text)}:\n${output}`))
      const timer = setTimeout(() => fail(`${BOUND_MS} ms passed`), BOUND_MS)
      look = () => {
        const at = output.indexOf(text)
        if (at === -1 && child.exitCode === null) return
        clearTimeout(timer)
        look = () => undefined
        if (at === -1) return fail("the command ended")
        resolve(output.slice(0, at + text.length))
        output = output.slice(at + text.length)
      }
      look()
    })
  return {
    until,
    press: (keys) => void child.stdin.write(keys),
    ended,
    close: () => void child.kill("SIGKILL"),
  }
}
