// The run that the page of a workflow or suite shows: the one that the user has started or selected, or else the last.

import { useEffect, useRef } from "react"
import { ownOf } from "@callsheet/format"
import { useRuns, watchRun } from "../../connection/run-store.ts"
import { useChosenRun } from "./starts.ts"
import { useKeptRuns, useLatestRuns } from "./use-run-queries.ts"

export function useShownRun(workflow: string) {
  const kept = useKeptRuns(workflow)
  const chosen = useChosenRun(workflow)
  const shown = useShownId(workflow)
  const known = useRuns((runs) => (shown === undefined ? undefined : ownOf(runs, shown)))
  const summary = kept?.find(({ run }) => run === shown)
  return { kept, shown, known, isOwn: chosen?.isOwn === true, summary, part: chosen?.part ?? summary?.part }
}

/** Reads and follows the shown run. The page of a workflow or suite calls it once. */
export function useWatchedRun(workflow: string): void {
  const shown = useShownId(workflow)
  useEffect(() => watchRun(shown), [shown])
  useEffect(() => () => watchRun(undefined), [])
}

function useShownId(workflow: string): string | undefined {
  const kept = useKeptRuns(workflow)
  const going = useLatestRuns()?.going.find((run) => run.workflow === workflow)?.run
  const chosen = useChosenRun(workflow)
  // Keep the value when the run ends: stored runs are reported a moment after the current ones.
  const lastRunning = useRef(going)
  if (going !== undefined) lastRunning.current = going
  return chosen?.run ?? lastRunning.current ?? kept?.[0]?.run
}
