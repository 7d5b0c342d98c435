// The last runs of a workflow: in the app, from the user's state directory, and of this server, in memory. Their reports are
// masked by the secrets of those runs.

import { stateFolder } from "@callsheet/engine"
import { attempt, ownOf, type RunReport } from "@callsheet/format"
import { createRunHistory, type RunHistory } from "@callsheet/server"
import type { Context } from "../context.ts"

interface KeptRun {
  readonly run: string
  readonly report: RunReport | undefined
}

interface Kept {
  readonly history: RunHistory
  /** The report of each workflow's last run. */
  readonly runs: Map<string, KeptRun>
  /** The runs of this server by workflow, the latest last. */
  readonly noted: Map<string, { readonly whole?: RunReport; readonly part?: RunReport }>
  listed: { readonly at: number; readonly runs: ReturnType<RunHistory["list"]> } | undefined
}

/** How long a list of runs is used, because an editor asks at each key. */
const LIST_MS = 2_000

const histories = new WeakMap<Context["options"], Map<string, Kept>>()

/** The most workflows whose run of this server is kept. */
const MAX_NOTED = 20

/** Keeps a run that this server started, in memory. `isWhole` is false if it ended at a block. */
export function noteRun(
  { options }: Pick<Context, "options">,
  root: string,
  { report, isWhole }: { readonly report: RunReport; readonly isWhole: boolean },
): void {
  const { noted } = keptFor(options, root)
  const before = noted.get(report.workflow)
  noted.delete(report.workflow)
  noted.set(report.workflow, isWhole ? { whole: report } : { ...before, part: report })
  for (const workflow of [...noted.keys()].slice(0, -MAX_NOTED)) noted.delete(workflow)
}

/**
 * Returns the last runs of a workflow, newest first: those of this server, and the stored one of a whole workflow in the
 * app. A run that ended at a block leaves later blocks to the one before.
 */
export function lastRuns(
  context: Pick<Context, "options">,
  root: string,
  workflow: string,
): readonly RunReport[] {
  const { whole, part } = keptFor(context.options, root).noted.get(workflow) ?? {}
  return [part, whole, storedRun(context, root, workflow)]
    .filter((run) => run !== undefined)
    .toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))
}

/** Returns the last run of a whole workflow in the app, alone or in a suite. Undefined if none is stored. */
function storedRun(
  { options }: Pick<Context, "options">,
  root: string,
  workflow: string,
): RunReport | undefined {
  const kept = keptFor(options, root)
  const summary = listOf(kept).find(
    (one) =>
      one.part === undefined && (one.workflow === workflow || ownOf(one.results, workflow) !== undefined),
  )
  if (summary === undefined) return undefined
  const known = kept.runs.get(workflow)
  if (known?.run === summary.run) return known.report
  const done = attempt(() => kept.history.read(summary.run))
  const report = done?.report.runs.find((run) => run.workflow === workflow)
  kept.runs.set(workflow, { run: summary.run, report })
  return report
}

function keptFor(options: Context["options"], root: string): Kept {
  const ofOptions = histories.get(options) ?? new Map<string, Kept>()
  histories.set(options, ofOptions)
  const known = ofOptions.get(root)
  if (known !== undefined) return known
  const history = createRunHistory({ state: stateFolder(options.processEnvironment), root })
  const kept: Kept = { history, runs: new Map(), noted: new Map(), listed: undefined }
  ofOptions.set(root, kept)
  return kept
}

function listOf(kept: Kept): ReturnType<RunHistory["list"]> {
  const now = performance.now()
  if (kept.listed === undefined || now - kept.listed.at > LIST_MS)
    kept.listed = { at: now, runs: attempt(kept.history.list) ?? [] }
  return kept.listed.runs
}
