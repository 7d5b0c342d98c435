// Starts programs. No other module does, except the one that starts script processes.

import { spawn, type ChildProcess } from "node:child_process"
import type { ProcessEnvironment } from "../http/proxy.ts"
import { isSearchPath, type FoundProgram } from "./find-program.ts"

interface StartOptions {
  readonly cwd: string | undefined
  readonly environment: ProcessEnvironment
  /** By default, standard output can be read. */
  readonly ignoresOutput?: boolean
  /** By default, standard error can't be read, because it may contain secrets. That of callsheet itself never does. */
  readonly readsErrors?: boolean
  /** Gives it a process group of its own. */
  readonly detached?: boolean
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** Starts a program without a shell. Throws if an argument contains a NUL character. */
export function startProgram(
  program: FoundProgram,
  words: readonly string[],
  { environment, ignoresOutput = false, readsErrors = false, timeoutMs, ...options }: StartOptions,
): ChildProcess {
  return spawn(program.file, words, {
    ...options,
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    argv0: program.calledAs,
    env: environmentFor(program, environment),
    stdio: ["pipe", ignoresOutput ? "ignore" : "pipe", readsErrors ? "pipe" : "ignore"],
    windowsHide: true,
  })
}

export interface ProgramOutput {
  /** Undefined if the program was killed, wrote too much, or could not be started. */
  readonly exitCode: number | undefined
  readonly output: Buffer
}

interface ReadOptions extends StartOptions {
  readonly maxBytes: number
  /** The content of standard input. */
  readonly input?: string | undefined
}

/** Runs a program without a shell, and returns its standard output. Never rejects. */
export function readProgram(
  program: FoundProgram,
  words: readonly string[],
  { maxBytes, input, ...options }: ReadOptions,
): Promise<ProgramOutput> {
  return new Promise((resolve) => {
    const child = startProgram(program, words, options)
    const chunks: Buffer[] = []
    let bytes = 0
    const end = (exitCode: number | null): void =>
      resolve({ exitCode: exitCode ?? undefined, output: Buffer.concat(chunks) })
    child.stdout?.on("data", (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > maxBytes) child.kill("SIGKILL")
      else chunks.push(chunk)
    })
    child.on("error", () => end(null))
    // Programs that a killed one has started may keep its output open.
    child.on("exit", (exitCode) => {
      if (exitCode === null) child.stdout?.destroy()
    })
    child.on("close", end)
    // A program that ends before it has read its input says why by its exit code.
    child.stdin?.on("error", () => undefined).end(input)
  })
}

/** Programs start others by their names, so they get the directories that `findProgram` searches. */
function environmentFor({ searchPath }: FoundProgram, environment: ProcessEnvironment): ProcessEnvironment {
  if (searchPath === undefined) return environment
  const others = Object.entries(environment).filter(([name]) => !isSearchPath(name))
  return { ...Object.fromEntries(others), PATH: searchPath }
}
