// Stores the reports of finished runs by project, in the user's state directory and never in the repository.

import { parseJson, stringifyJson, type Report } from "@callsheet/format"
import type { RunSummary } from "../calls/index.ts"
import { isRunId } from "../calls/names.ts"
import { runSummary } from "../calls/runs.ts"
import { turn } from "../project/revisions.ts"
import type { DoneRun } from "./going-run.ts"
import { joinHeader, PrivateFolder, projectKey, type ProjectState } from "@callsheet/engine"

export type RunHistory = ReturnType<typeof createRunHistory>

export interface RunHistoryOptions extends ProjectState {
  readonly maxRuns?: number
  readonly maxBytes?: number
}

const fileOf = (run: string): string => `${run}.json`

/** Creates the history. Other apps of the same project may use the same directory. */
export function createRunHistory(options: RunHistoryOptions) {
  const { state, root, maxRuns = 50, maxBytes = 64 * 1024 * 1024 } = options
  const folder = new PrivateFolder(state, "runs", projectKey(root))
  const { list, forget } = createSummaries(folder)
  return {
    list,
    /**
     * Returns the runs for whose file text `holds` returns true. Pauses between files, so that the server can answer
     * other requests.
     */
    holding: async (holds: (text: string) => boolean): Promise<readonly RunSummary[]> => {
      const found: RunSummary[] = []
      for (const summary of list()) {
        await turn()
        if (holds(folder.read(fileOf(summary.run)) ?? "")) found.push(summary)
      }
      return found
    },
    /** Moves the runs of a workflow to its new name. Their reports stay. */
    rename: (from: string, to: string): void => {
      for (const { run, workflow } of list()) {
        const kept = workflow === from ? folder.readWithHeader(fileOf(run), runSummary) : undefined
        if (kept === undefined) continue
        folder.write(fileOf(run), joinHeader({ ...kept.header, workflow: to }, kept.text))
        forget(run)
      }
    },
    remove: (run: string): void => folder.remove(fileOf(run)),
    read: (run: string): DoneRun | undefined => {
      const kept = folder.readWithHeader(fileOf(run), runSummary)
      if (kept?.header.run !== run) return undefined
      const parsed = parseJson(kept.text)
      // Only this user can write the file, and writes are atomic. So a file that parses is a report.
      return parsed.ok ? { summary: kept.header, report: parsed.value as unknown as Report } : undefined
    },
    /** Stores a run. Returns false if that fails. Above the limit, removes the oldest runs. */
    keep: ({ summary, report }: DoneRun): boolean => {
      const written = writeReport(report)
      if (written === undefined) return false
      const content = joinHeader(summary, written)
      if (Buffer.byteLength(content) > maxBytes) return false
      if (!folder.write(fileOf(summary.run), content)) return false
      try {
        prune(folder, list(), { maxRuns, maxBytes })
        return true
      } catch {
        return false
      }
    },
  }
}

/** Reads the summary of each file once. Only a rename changes a file. */
function createSummaries(folder: PrivateFolder) {
  const summaries = new Map<string, RunSummary>()
  const summaryOf = (run: string): readonly RunSummary[] => {
    const summary = summaries.get(run) ?? folder.readHeader(fileOf(run), runSummary)
    if (summary?.run !== run) return []
    summaries.set(run, summary)
    return [summary]
  }
  return {
    list: (): readonly RunSummary[] => {
      const names = folder.names().flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []))
      const runs = new Set(names.filter(isRunId).toSorted().toReversed())
      for (const run of summaries.keys()) if (!runs.has(run)) summaries.delete(run)
      return [...runs].flatMap(summaryOf)
    },
    forget: (run: string): void => void summaries.delete(run),
  }
}

export function writeReport(report: Report): string | undefined {
  try {
    return `${stringifyJson(report)}\n`
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** Removes runs above the limits. `runs` is sorted newest first. The last run of each workflow is removed last. */
function prune(
  folder: PrivateFolder,
  runs: readonly RunSummary[],
  { maxRuns, maxBytes }: { readonly maxRuns: number; readonly maxBytes: number },
): void {
  const known = new Set(runs.map(({ run }) => fileOf(run)))
  folder.removeAbandoned((name) => ownName.test(name) && !known.has(name))
  const last = lastRuns(runs)
  const counts = new Map<string, number>()
  let bytes = 0
  for (const { run, workflow } of [...last, ...runs.filter((each) => !last.has(each))]) {
    const count = (counts.get(workflow) ?? 0) + 1
    counts.set(workflow, count)
    const size = folder.sizeOf(fileOf(run)) ?? 0
    if (count > maxRuns || bytes + size > maxBytes) folder.remove(fileOf(run))
    else bytes += size
  }
}

const ownName = /^\.?\d{8}T\d{9}Z-[0-9a-f]{16}(?:-[0-9a-f]{16}\.tmp|\.json)$/

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
