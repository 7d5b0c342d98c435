// The last run of a workflow in the app, from the user's state directory. Its report is masked by the secrets of that run.

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
  listed: { readonly at: number; readonly runs: ReturnType<RunHistory["list"]> } | undefined
}

/** How long a list of runs is used, because an editor asks at each key. */
const LIST_MS = 2_000

const histories = new WeakMap<Context["options"], Map<string, Kept>>()

/** Returns the last run of a whole workflow, alone or in a suite. Undefined if none is stored. */
export function lastRun(
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
  const kept: Kept = { history, runs: new Map(), listed: undefined }
  ofOptions.set(root, kept)
  return kept
}

function listOf(kept: Kept): ReturnType<RunHistory["list"]> {
  const now = performance.now()
  if (kept.listed === undefined || now - kept.listed.at > LIST_MS)
    kept.listed = { at: now, runs: attempt(kept.history.list) ?? [] }
  return kept.listed.runs
}
