// The outcome of each workflow's last run, and the workflows that are running.

import { useMemo } from "react"
import type { LatestRuns } from "@callsheet/server/calls"
import { useLatestRuns } from "./use-run-queries.ts"

export type Outcome = "passed" | "failed" | "stopped" | "running"

export function useOutcomes(): ReadonlyMap<string, Outcome> {
  const latest = useLatestRuns()
  return useMemo(() => outcomesOf(latest), [latest])
}

/** A run that couldn't start counts as failed. */
export function outcomesOf(
  { runs, going }: LatestRuns = { runs: [], going: [] },
): ReadonlyMap<string, Outcome> {
  const ended = runs.map(
    ({ workflow, status, isStopped }) =>
      [workflow, status === "passed" ? "passed" : isStopped === true ? "stopped" : "failed"] as const,
  )
  return new Map<string, Outcome>([...ended, ...going.map(({ workflow }) => [workflow, "running"] as const)])
}
