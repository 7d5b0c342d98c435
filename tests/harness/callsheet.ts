// Runs the built command as a user does: in a fresh directory, in a separate process.

import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Report } from "@callsheet/format"

/** The command under test: the built one, or another copy of it (an installed package, for example). */
export const program =
  process.env["CALLSHEET_PROGRAM"] ??
  fileURLToPath(new URL("../../packages/cli/bin/callsheet.js", import.meta.url))

const otherNode = process.env["CALLSHEET_NODE"]

/** The words that start Node: this one, or Windows' Node in Wine. */
export const node = (otherNode === undefined ? [process.execPath] : JSON.parse(otherNode)) as readonly [
  string,
  ...string[],
]

/** Wine's processes share a server, so many of them at once are slow. */
const TIMEOUT_MS = otherNode === undefined ? 15_000 : 100_000

/** The single executable under test, instead of Node with `program`. */
const executable = process.env["CALLSHEET_EXECUTABLE"]

/** Returns the program to start, and its arguments, for `callsheet` with these words. */
export function commandLine(
  words: readonly string[],
  script = program,
  runtime: readonly [string, ...string[]] = node,
): readonly [file: string, words: readonly string[]] {
  if (executable !== undefined && script === program) return [executable, words]
  const [file, ...before] = runtime
  return [file, [...before, script, ...words]]
}

/** Lets processes share compiled code, although each test has a home of its own. */
export const codeCache = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/callsheet/code", import.meta.url)),
}

/** A tree of files: texts and bytes unchanged, everything else as JSON, and directories as objects of `folder()`. */
export type Files = Readonly<Record<string, unknown>>

export interface CallOptions {
  /**
   * The files by path with `/` from the directory's root. Strings and bytes are written unchanged, other values as
   * JSON.
   */
  readonly files?: Files
  /** Another copy of the command. */
  readonly program?: string
  /** A directory to run in, created before by `createFolder`. It is kept. */
  readonly folder?: string
  /** The working directory inside it. */
  readonly cwd?: string
  /** Added to a bare environment. undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The content of standard input. Without it there is none. */
  readonly stdin?: string | Uint8Array
  /** Sent to the process as soon as standard output or standard error contains `after`, or `after` is over. */
  readonly signal?: { readonly name: NodeJS.Signals; readonly after: string | Promise<unknown> }
  /** Called with all of standard error so far whenever there is more. */
  readonly onStderr?: (text: string) => void
  /** Milliseconds until the process is killed and the call rejects. */
  readonly timeoutMs?: number
}

export interface CallResult {
  /** Undefined if a signal ended the process. */
  readonly exitCode: number | undefined
  readonly signal: NodeJS.Signals | undefined
  readonly stdout: string
  readonly stderr: string
  /** The JSON on standard output, if the arguments ask for it (`--json`, `--reporter json`). */
  readonly report?: Report
}

/**
 * Runs `callsheet` with arguments and returns the result.
 *
 *     const { exitCode, report } = await callsheet(["run", "checkout", "--json"], { files: { ... } })
 */
export async function callsheet(words: readonly string[], options: CallOptions = {}): Promise<CallResult> {
  const folder = options.folder ?? (await createFolder())
  try {
    await writeFiles(folder, options.files ?? {})
    return await call(words, options, folder)
  } finally {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Creates a fresh temporary directory with files in it. The caller removes it. */
export async function createFolder(files: Files = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "callsheet-test-"))
  await writeFiles(folder, files)
  return folder
}

/** Writes files below a directory. */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, toBytes(content))
  }
}

/**
 * Restores a directory between two tests: removes what isn't one of the files, except at hidden paths, and writes
 * those that changed.
 */
export async function restoreFiles(folder: string, files: Files): Promise<void> {
  const paths = Object.keys(files)
  const entries = (await readdir(folder, { recursive: true })).map((path) => path.replaceAll("\\", "/"))
  const added = entries.filter(
    (entry) => !entry.startsWith(".") && !paths.some((path) => `${path}/`.startsWith(`${entry}/`)),
  )
  await Promise.all(added.map((path) => rm(join(folder, path), { recursive: true, force: true })))
  for (const [path, content] of Object.entries(files)) {
    const existing = await readFile(join(folder, path)).catch(() => undefined)
    if (existing === undefined || !toBytes(content).equals(existing))
      await writeFiles(folder, { [path]: content })
  }
}

const toBytes = (content: unknown): Buffer =>
  typeof content === "string" || content instanceof Uint8Array
    ? Buffer.from(content)
    : Buffer.from(`${JSON.stringify(content, null, 2)}\n`)

/** Returns the text of a file below a directory, or undefined if it doesn't exist. */
export async function readText(folder: string, path: string): Promise<string | undefined> {
  try {
    return await readFile(join(folder, path), "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}

/** Returns every file below a directory with its text, by path. */
export async function textsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    )
  const texts = paths.sort().map(async (path) => [path, (await readText(folder, path)) ?? ""] as const)
  return Object.fromEntries(await Promise.all(texts))
}

async function call(words: readonly string[], options: CallOptions, folder: string): Promise<CallResult> {
  const child = spawn(...commandLine(words, options.program), {
    cwd: join(folder, options.cwd ?? "."),
    env: { PATH: process.env["PATH"], HOME: folder, ...codeCache, ...options.env },
    stdio: "pipe",
  })
  // A process that ends without reading its input breaks the pipe, which is not a failure of the test.
  child.stdin.on("error", () => undefined)
  child.stdin.end(options.stdin)
  const out = { stdout: "", stderr: "" }
  let pending = options.signal
  const send = (): void => {
    if (pending !== undefined) child.kill(pending.name)
    pending = undefined
  }
  if (typeof pending?.after !== "string") void pending?.after.then(send)
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      out[name] += text
      if (name === "stderr") options.onStderr?.(out.stderr)
      if (typeof pending?.after === "string" && out[name].includes(pending.after)) send()
    })
  }
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    child.kill("SIGKILL")
  }, timeoutMs)
  const [exitCode, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null]
  clearTimeout(timer)
  if (isLate)
    throw new Error(
      `callsheet ${words.join(" ")} did not end within ${timeoutMs} ms\n${out.stdout}\n${out.stderr}`,
    )
  const report = asksForJson(words) ? parseReport(out.stdout) : undefined
  return {
    exitCode: exitCode ?? undefined,
    signal: signal ?? undefined,
    ...out,
    ...(report === undefined ? {} : { report }),
  }
}

const asksForJson = (words: readonly string[]): boolean =>
  ["run", "replay", "report"].includes(words[0] ?? "") &&
  words.some(
    (word, at) =>
      word === "--json" || word === "--reporter=json" || (word === "json" && words[at - 1] === "--reporter"),
  )

// Misuse writes no report. A broken report is for the test to find.
const parseReport = (text: string): Report | undefined =>
  text === "" ? undefined : (JSON.parse(text) as Report)
