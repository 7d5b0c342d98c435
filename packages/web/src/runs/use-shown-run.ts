// The run of a workflow that the page shows.

import { useEffect, useRef } from "react"
import { useRuns, watchRun } from "./run-store.ts"
import { useChosenRun } from "./starts.ts"
import { useKeptRuns, useLatestRuns } from "./use-run-queries.ts"

/** Returns the selected run, and watches it. Without one, returns the current run or the last one. */
export function useShownRun(workflow: string) {
  const kept = useKeptRuns(workflow)
  const going = useLatestRuns()?.going.find((run) => run.workflow === workflow)?.run
  const chosen = useChosenRun(workflow)
  // Keep the value when the run ends: stored runs are reported a moment after the current ones.
  const lastRunning = useRef(going)
  if (going !== undefined) lastRunning.current = going
  const shown = chosen?.run ?? lastRunning.current ?? kept?.[0]?.run
  const known = useRuns((runs) => (shown === undefined ? undefined : runs[shown]))
  useEffect(() => watchRun(shown), [shown])
  useEffect(() => () => watchRun(undefined), [])
  const summary = kept?.find(({ run }) => run === shown)
  return { kept, shown, known, isOwn: chosen?.isOwn === true, summary, part: chosen?.part ?? summary?.part }
}
