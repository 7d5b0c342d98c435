// The outcomes of a workflow's blocks in its current or last run. If only a part of the workflow ran, the other blocks
// keep their outcomes of the last full run.

import { useQuery } from "@tanstack/react-query"
import { useDeferredValue, useMemo } from "react"
import type { BlockReport, JsonValue } from "@callsheet/format"
import type { RunSummary } from "@callsheet/server/calls"
import { useConnection } from "../../connection/connection.ts"
import { reportQuery } from "../../connection/queries.ts"
import { useBehindPaint } from "../../ui/use-behind-paint.ts"
import type { ShownReport } from "../../connection/follow-run.ts"
import { createOutcomeFinder, type BlockOutcomes } from "./block-outcomes.ts"
import { useShownRun } from "../../runs/state/shown-run.ts"

const none: BlockOutcomes = new Map()
const noBlocks: readonly BlockReport[] = []

export interface RanBlocks {
  readonly outcomes: BlockOutcomes
  readonly isAtWork: ShownReport["isAtWork"]
  /** The blocks of the shown run. */
  readonly blocks: readonly BlockReport[]
}

export function useBlockOutcomes(workflow: string, value: JsonValue): RanBlocks {
  const { kept, known, part } = useShownRun(workflow)
  // Deferred, because counting a loop with 100,000 iterations takes a while.
  const report = useDeferredValue(known?.report, undefined)
  const shown = useBehindPaint(value)
  const find = useMemo(
    () => (report?.run === undefined ? undefined : createOutcomeFinder(report.run, report.isAtWork)),
    [report],
  )
  const findBefore = useFullRun(part === undefined ? undefined : kept?.find((one) => one.part === undefined))
  const outcomes = useMemo(() => {
    const now = find?.(shown) ?? none
    if (findBefore === undefined) return now
    const ran = [...now].filter(([, { status }]) => status !== "skipped")
    return new Map([...findBefore(shown), ...ran])
  }, [find, findBefore, shown])
  return { outcomes, isAtWork: report?.isAtWork ?? isNever, blocks: report?.run?.blocks ?? noBlocks }
}

const isNever = (): boolean => false

function useFullRun(run: RunSummary | undefined): ((workflow: JsonValue) => BlockOutcomes) | undefined {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data } = useQuery({ ...reportQuery(run?.run ?? ""), enabled: isOpen && run !== undefined })
  return useMemo(
    () => (run === undefined || data === undefined ? undefined : createOutcomeFinder(data, isNever)),
    [run, data],
  )
}
