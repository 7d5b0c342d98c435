// The outcomes of a workflow's blocks in its current or last run.

import { useDeferredValue, useEffect, useMemo } from "react"
import type { JsonValue } from "@callsheet/format"
import { useBehindPaint } from "../parts/use-behind-paint.ts"
import { watchRun, useRuns } from "../run/run-store.ts"
import { useChosenRun } from "../run/starts.ts"
import { useKeptRuns, useLatestRuns } from "../run/use-run-queries.ts"
import { createOutcomeFinder, type BlockOutcomes } from "./block-outcomes.ts"

const none: BlockOutcomes = new Map()

export function useBlockOutcomes(workflow: string, value: JsonValue): BlockOutcomes {
  const kept = useKeptRuns(workflow)
  const going = useLatestRuns()?.going.find((run) => run.workflow === workflow)?.run
  const run = useChosenRun(workflow)?.run ?? going ?? kept?.[0]?.run
  const known = useRuns((runs) => (run === undefined ? undefined : runs[run]))
  useEffect(() => {
    watchRun(run)
    return () => watchRun(undefined)
  }, [run])
  // Deferred, because counting a loop with 100,000 iterations takes a while.
  const report = useDeferredValue(known?.report, undefined)
  const shown = useBehindPaint(value)
  const find = useMemo(
    () => (report?.run === undefined ? undefined : createOutcomeFinder(report.run.blocks, report.isAtWork)),
    [report],
  )
  return useMemo(() => find?.(shown) ?? none, [find, shown])
}
