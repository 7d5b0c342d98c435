// Starts callsheet in a process of its own, without a shell. The only module of the extension that starts processes.

import { spawn } from "node:child_process"
import { StringDecoder } from "node:string_decoder"
import type { CallsheetCommand } from "./find-command.ts"
import { LineReader } from "./line-reader.ts"

export interface ProgramCall {
  readonly words: readonly string[]
  /** The working directory, and the project. */
  readonly root: string
  /** Aborts to interrupt the program, which then ends what it runs. */
  readonly signal?: AbortSignal
  /** Receives each line of standard output, without its end. */
  readonly onLine?: (line: string) => void
  /** Receives each line of standard error. */
  readonly onErrorLine?: (line: string) => void
}

export interface ProgramEnd {
  /** Undefined if a signal ended the program. */
  readonly exitCode: number | undefined
  /** The last part of standard error. */
  readonly errors: string
}

const MAX_ERRORS = 64 * 1024

/** Runs the program to its end. Rejects if it can't start. */
export function startProgram(command: CallsheetCommand, call: ProgramCall): Promise<ProgramEnd> {
  const program = spawn(process.execPath, [command.entry, ...call.words], {
    cwd: call.root,
    // In the desktop, VS Code's own program is Electron, which then acts as Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: "1" },
    stdio: "pipe",
    windowsHide: true,
    shell: false,
  })
  // A watched run and the app end when this pipe closes, also if VS Code crashes.
  program.stdin.on("error", () => undefined)
  const interrupt = (): void => {
    program.stdin.end()
    program.kill("SIGINT")
  }
  if (call.signal?.aborted === true) interrupt()
  call.signal?.addEventListener("abort", interrupt, { once: true })
  let errors = ""
  readLines(program.stdout, (line) => call.onLine?.(line))
  readLines(program.stderr, (line) => {
    errors = `${errors}${line}\n`.slice(-MAX_ERRORS)
    call.onErrorLine?.(line)
  })
  return new Promise((resolve, reject) => {
    program.once("error", reject)
    program.once("close", (code) => {
      call.signal?.removeEventListener("abort", interrupt)
      resolve({ exitCode: code ?? undefined, errors })
    })
  })
}

function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  const decoder = new StringDecoder("utf8")
  const lines = new LineReader(onLine)
  stream.on("data", (bytes: Buffer) => lines.add(decoder.write(bytes)))
  stream.on("end", () => lines.end())
}

/** Runs the program to its end, and returns all of its standard output. */
export async function readProgram(command: CallsheetCommand, call: Omit<ProgramCall, "onLine">) {
  const lines: string[] = []
  const end = await startProgram(command, { ...call, onLine: (line) => lines.push(line) })
  return { ...end, output: lines.join("\n") }
}
