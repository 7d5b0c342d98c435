// `run --watch`: runs, waits for changes and keys, and reruns the affected workflows.

import { resolve } from "node:path"
import { ReadStream } from "node:tty"
import { attempt, CallsheetError, type Project } from "@callsheet/format"
import type { CommandCall } from "../args/command.ts"
import type { RunRequest } from "../commands/read-run-options.ts"
import type { FailedEntry } from "../session/failed-entries.ts"
import { withInterrupts } from "../interrupts.ts"
import { messages, notices } from "../messages.ts"
import type { ReadSession } from "../session/read-workflows.ts"
import { reportError } from "../report-error.ts"
import { printable } from "../text/printable.ts"
import { createFileWatch } from "./watch-files.ts"

export interface WatchedRun {
  /** The names of the main entries to run. Undefined means all. */
  readonly names: Names
  /** Returns the project to run. Records the files that its documents refer to. */
  readonly note: (project: Project) => Project
  /** Receives what failed among the entries that ran. Returns all that failed when it ran last. */
  readonly merge: (ran: readonly string[], failed: readonly FailedEntry[]) => readonly FailedEntry[]
}

type Names = ReadonlySet<string> | undefined

interface WatchOptions {
  readonly root: string
  readonly given: RunRequest
  /** Reads everything that the command selects. */
  readonly read: () => Promise<ReadSession>
  /** Runs a session and returns its exit code. */
  readonly run: (watched: WatchedRun) => Promise<number>
}

type Files = Awaited<ReturnType<typeof createFileWatch>>

/** Runs until the user quits, and returns the exit code. Throws misuse only before the second run. */
export async function watchRuns(
  call: CommandCall,
  { root, given, read, run }: WatchOptions,
): Promise<number> {
  const { input, out, err } = call.screen
  // A program that reads events, such as an editor, may watch, too. It ends the run by closing standard input.
  const isRead = given.reporters.some(({ name, file }) => name === "ndjson" && file === undefined)
  if (!isRead && (!(input instanceof ReadStream) || !out.isTerminal))
    throw new CallsheetError(messages.usage.watchTerminal())
  const { data } = given.session
  const dataFile = data === undefined ? undefined : resolve(call.cwd, data.path)
  const files = await createFileWatch({ root, data: dataFile, read })
  const failed = new Map<string, FailedEntry>()
  const merge: WatchedRun["merge"] = (ran, now) => {
    for (const name of ran) failed.delete(name)
    for (const entry of now) failed.set(entry.entry ?? entry.workflow, entry)
    return [...failed.values()]
  }
  const report = (error: unknown): number =>
    reportError(error, { output: err, debug: call.options.has("debug") })
  try {
    let names: Names
    let code = await run({ names, note: files.note, merge })
    // Higher codes are those of signals.
    while (code <= 2) {
      const next = await waitForNext(call, { input, files, failed, last: names, report })
      if (typeof next === "number") return next
      names = next.names
      code = await run({ names, note: files.note, merge }).catch(report)
    }
    return code
  } finally {
    files.close()
  }
}

interface Waiting {
  readonly input: NodeJS.ReadableStream
  readonly files: Files
  readonly failed: ReadonlyMap<string, FailedEntry>
  readonly last: Names
  readonly report: (error: unknown) => number
}

/** Waits until something has to run, and returns it, or the exit code. */
const waitForNext = (
  call: CommandCall,
  { input, files, failed, last, report }: Waiting,
): Promise<number | { readonly names: Names }> =>
  withKeys(input, call.exit, async (nextKey) => {
    const { err } = call.screen
    for (let isNew = true; ; isNew = false) {
      const affected = await files.affected().catch((error: unknown) => void report(error))
      if (affected !== undefined && affected.names.size > 0) {
        err.write(`\n${printable(notices.watchChanged(affected.changed, [...affected.names]))}\n`)
        return affected
      }
      if (isNew || affected === undefined) err.write(`\n${err.style("dim", notices.watchKeys())}\n`)
      const key = await nextKey(files.changed())
      if (typeof key === "number") return key
      const isAgain = key === "\r" || key === "\n"
      if (key === "q") return 0
      if (key === "a" || (isAgain && last === undefined)) return { names: undefined }
      if (key !== "f" && !isAgain) continue
      const known = new Set(files.names())
      const names = new Set([...((isAgain ? last : failed.keys()) ?? [])].filter((name) => known.has(name)))
      if (names.size > 0) return { names }
      err.write(`${isAgain ? notices.watchGone() : notices.watchNothingFailed()}\n`)
    }
  })

/** Returns the next key, the exit code of a signal, or undefined if `changed` resolves first. */
type NextKey = (changed: Promise<void>) => Promise<string | number | undefined>

/** Reads single keys during `work`. */
function withKeys<T>(
  input: NodeJS.ReadableStream,
  exit: CommandCall["exit"],
  work: (next: NextKey) => Promise<T>,
) {
  const setRawMode = (isRaw: boolean): void => {
    if (input instanceof ReadStream) input.setRawMode(isRaw)
  }
  return withInterrupts(exit, async ({ ended, exitCode }) => {
    const keys: string[] = []
    let wake = (): void => undefined
    const add = (text: string): void => {
      keys.push(...text.split(""))
      wake()
    }
    input.on("data", (bytes: Buffer) => add(bytes.toString())).on("end", () => add("q"))
    setRawMode(true)
    input.resume()
    try {
      return await work(async (changed) => {
        const pressed = new Promise<void>((resolve) => (wake = resolve))
        if (keys.length === 0) await Promise.race([pressed, changed, ended])
        // In raw mode, Ctrl-C is a key.
        return exitCode() ?? (keys[0] === "\u0003" ? 130 : keys.shift())
      })
    } finally {
      input.pause().removeAllListeners("data").removeAllListeners("end")
      // The terminal may be gone.
      attempt(() => setRawMode(false))
    }
  })
}
