// The runs that are over: their reports in the user's state folder, by project. Nothing of them is in the repository.

import { lstatSync, readdirSync, readFileSync, readSync, rmSync } from "node:fs"
import { join } from "node:path"
import { parseJson, stringifyJson, type Report } from "@callsheet/format"
import type { RunSummary } from "../calls/index.ts"
import { turn } from "../project/moments.ts"
import { readPrivateFile } from "../state/state-folder.ts"
import { makePrivateFolder, projectKey } from "../state/state-folder.ts"
import { writePrivateFile } from "../state/state-folder.ts"
import { isRunId } from "../calls/names.ts"
import { readRunSummary } from "./read-run-summary.ts"

interface KeptReport {
  readonly summary: RunSummary
  readonly report: Report
}

export interface RunHistory {
  /** Latest first. */
  readonly list: () => readonly RunSummary[]
  readonly read: (run: string) => KeptReport | undefined
  /** Whether it could be written. The oldest runs go where there are too many. */
  readonly keep: (kept: KeptReport) => boolean
  /** Runs of whose file that holds; other requests are answered between two files. */
  readonly holding: (holds: (text: string) => boolean) => Promise<readonly RunSummary[]>
  readonly remove: (run: string) => void
}

export interface RunHistoryOptions {
  /** The user's state folder; it need not be there. */
  readonly state: string
  /** The project's folder. */
  readonly root: string
  /** Of one workflow. */
  readonly mostRuns?: number
  /** Of the whole project. */
  readonly mostBytes?: number
}

/** Other applications of the same project may write to the same folder: it is looked at anew each time. */
export function createRunHistory(options: RunHistoryOptions): RunHistory {
  const { mostRuns = 50, mostBytes = 64 * 1024 * 1024 } = options
  const folder = folderOf(options)
  const folders = [options.state, join(options.state, "runs"), folder]
  // A file is written once: what was read of it stays true.
  const summaries = new Map<string, RunSummary>()
  const summaryOf = (run: string): RunSummary | undefined => {
    const summary = summaries.get(run) ?? readSummary(folder, run)
    if (summary !== undefined) summaries.set(run, summary)
    return summary
  }
  const list = () =>
    runsIn(folder, summaries)
      .map(summaryOf)
      .filter((summary) => summary !== undefined)
  return {
    list,
    holding: async (holds) => {
      const found: RunSummary[] = []
      for (const summary of list()) {
        await turn()
        if (holds(readWhole(folder, summary.run))) found.push(summary)
      }
      return found
    },
    remove: (run) => rmSync(fileOf(folder, run), { force: true }),
    read: (run) => readKept(folder, run),
    keep: ({ summary, report }) => {
      const text = textOf(summary, report)
      if (text === undefined || Buffer.byteLength(text) > mostBytes) return false
      try {
        if (!folders.every((each) => makePrivateFolder(each))) return false
        writePrivateFile(fileOf(folder, summary.run), text)
        prune(folder, list(), { mostRuns, mostBytes })
        return true
      } catch {
        return false
      }
    },
  }
}

const folderOf = ({ state, root }: RunHistoryOptions): string => join(state, "runs", projectKey(root))

const fileOf = (folder: string, run: string): string => join(folder, `${run}.json`)

/** Names of the runs that are there, latest first. What is known of others is forgotten. */
function runsIn(folder: string, summaries: Map<string, RunSummary>): readonly string[] {
  const names = namesIn(folder).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []))
  const runs = new Set(names.filter(isRunId).toSorted().toReversed())
  for (const run of summaries.keys()) if (!runs.has(run)) summaries.delete(run)
  return [...runs]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The summary is a line of its own, so that a list reads no report. Undefined where it is longer than a text can be. */
function textOf(summary: RunSummary, report: Report): string | undefined {
  try {
    return `${JSON.stringify(summary)}\n${stringifyJson(report)}\n`
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const LONGEST_SUMMARY = 64 * 1024

function readSummary(folder: string, run: string): RunSummary | undefined {
  return readPrivateFile(fileOf(folder, run), (descriptor) => {
    const bytes = Buffer.alloc(LONGEST_SUMMARY)
    const length = readSync(descriptor, bytes, 0, LONGEST_SUMMARY, 0)
    return summaryIn(bytes.toString("utf8", 0, length), run)
  })
}

function summaryIn(text: string, run: string): RunSummary | undefined {
  const end = text.indexOf("\n")
  const parsed = end === -1 ? undefined : parseJson(text.slice(0, end))
  return parsed?.ok === true ? readRunSummary(parsed.value, run) : undefined
}

const readWhole = (folder: string, run: string): string =>
  readPrivateFile(fileOf(folder, run), (descriptor) => readFileSync(descriptor, "utf8")) ?? ""

function readKept(folder: string, run: string): KeptReport | undefined {
  const text = readWhole(folder, run)
  const summary = summaryIn(text, run)
  if (summary === undefined) return undefined
  const parsed = parseJson(text.slice(text.indexOf("\n") + 1))
  // The file is the user's own, whole or not there: what was written as a report is one.
  return parsed.ok ? { summary, report: parsed.value as unknown as Report } : undefined
}

interface Bounds {
  readonly mostRuns: number
  readonly mostBytes: number
}

/**
 * `runs` are the latest first. The last ones of each workflow stay before all others, and one that is too large takes no
 * smaller ones with it. What is no report that can be read goes when it is old enough.
 */
function prune(folder: string, runs: readonly RunSummary[], { mostRuns, mostBytes }: Bounds): void {
  clearAbandoned(folder, new Set(runs.map(({ run }) => `${run}.json`)))
  const last = lastRuns(runs)
  const counts = new Map<string, number>()
  let bytes = 0
  for (const { run, workflow } of [...last, ...runs.filter((each) => !last.has(each))]) {
    const count = (counts.get(workflow) ?? 0) + 1
    counts.set(workflow, count)
    const file = fileOf(folder, run)
    const size = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
    if (count > mostRuns || bytes + size > mostBytes) rmSync(file, { force: true })
    else bytes += size
  }
}

/** The last run of each workflow as a whole, and of a part of it. */
function lastRuns(runs: readonly RunSummary[]): ReadonlySet<RunSummary> {
  const seen = new Set<string>()
  const isLast = ({ workflow, part }: RunSummary): boolean => {
    const key = `${part === undefined ? "whole" : "part"} ${workflow}`
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }
  return new Set(runs.filter(isLast))
}

/** Nobody takes so long to write a file. */
const ABANDONED_MS = 60 * 60 * 1000

/** Removes what was left half written, or cannot be read, once it is old enough to be nobody's. */
function clearAbandoned(folder: string, known: ReadonlySet<string>): void {
  for (const name of namesIn(folder)) {
    const file = join(folder, name)
    const isOurs = /^\.?\d{8}T\d{9}Z-[0-9a-f]{16}(?:-[0-9a-f]{16}\.tmp|\.json)$/.test(name)
    if (known.has(name) || !isOurs) continue
    const stats = lstatSync(file, { throwIfNoEntry: false })
    if (stats !== undefined && stats.mtimeMs < Date.now() - ABANDONED_MS) rmSync(file, { force: true })
  }
}
