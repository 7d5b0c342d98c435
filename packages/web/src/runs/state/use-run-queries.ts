// The server's data about a workflow's runs: the form, the current run, and stored runs.

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query"
import { isWorkflowName } from "@callsheet/format"
import {
  suiteOf,
  type LatestRuns,
  type RunForm,
  type RunFormApi,
  type RunSummary,
} from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { useConnection } from "../../connection/connection.ts"
import { latestRunsQuery, useProject } from "../../connection/queries.ts"
import { useOnceTrue } from "../../ui/use-once-true.ts"
import { useMemo } from "react"

/** Reads the form after the project, because a deleted or broken workflow has none. */
export function useRunForm(workflow: string): UseQueryResult<RunForm> {
  const { data: project, dataUpdatedAt } = useProject()
  const isBroken = project?.workflows.some(({ name, blocks }) => name === workflow && blocks === undefined)
  const enabled = useConnection(({ status }) => status === "open") && isBroken === false
  return useQuery({
    queryKey: ["prepare", workflow, dataUpdatedAt],
    queryFn: () => call("runs.prepare", { workflow }),
    enabled: enabled && (isWorkflowName(workflow) || suiteOf(workflow) !== undefined),
    staleTime: "static",
    // Otherwise, components that wait for the answer would retry endlessly as soon as they show an error.
    retryOnMount: false,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}

export function useSendForm(api: string): UseQueryResult<RunFormApi> {
  const { dataUpdatedAt } = useProject()
  const enabled = useConnection(({ status }) => status === "open")
  return useQuery({
    queryKey: ["prepare-send", api, dataUpdatedAt],
    queryFn: () => call("requests.prepare", { api }),
    enabled: enabled && api !== "",
    staleTime: "static",
    gcTime: 0,
    placeholderData: keepPreviousData,
  })
}

export function useKeptRuns(workflow: string): readonly RunSummary[] | undefined {
  const enabled = useConnection(({ status }) => status === "open")
  const { data, isError } = useQuery({
    queryKey: ["runs", "kept", workflow],
    queryFn: () => call("runs.list", { workflow }),
    enabled,
  })
  return data?.runs ?? (isError ? [] : undefined)
}

/** Returns whether the form and the stored runs were read. Until then, what is below them must not be shown. */
export function useIsRunRead(workflow: string): boolean {
  const { data: form, error } = useRunForm(workflow)
  const kept = useKeptRuns(workflow)
  return useOnceTrue((form !== undefined || error !== null) && kept !== undefined, workflow)
}

export function useLatestRuns(): LatestRuns | undefined {
  const enabled = useConnection(({ status }) => status === "open")
  return useQuery({ ...latestRunsQuery, enabled }).data
}

export interface Outcome {
  readonly status: "passed" | "unchecked" | "failed" | "stopped" | "running"
  /** True if the workflow's file has changed since. */
  readonly isEdited: boolean
  /** ISO 8601. */
  readonly startedAt: string
  /** Milliseconds. Undefined for a workflow that ran in a suite, or that is running. */
  readonly durationMs?: number | undefined
}

/** The outcome of each workflow's and suite's last run, and those that are running. */
export function useOutcomes(): ReadonlyMap<string, Outcome> {
  const latest = useLatestRuns()
  return useMemo(() => outcomesOf(latest), [latest])
}

/** A suite's run is a run of each of its workflows. A run that couldn't start counts as failed. */
export function outcomesOf(
  { runs, edited = [], going }: LatestRuns = { runs: [], going: [] },
): ReadonlyMap<string, Outcome> {
  const outcomes = new Map<string, Outcome>()
  const isEdited = new Set(edited)
  // Names of runs sort by time.
  for (const { workflow, status, isStopped, results = {}, startedAt, durationMs } of runs.toSorted((a, b) =>
    a.run < b.run ? -1 : 1,
  )) {
    const all = Object.entries(results)
    const unchecked = all.reduce((sum, [, result]) => sum + (result.unchecked ?? 0), 0)
    for (const [name, result] of [...all, [workflow, { status, unchecked }] as const])
      outcomes.set(name, {
        status:
          result.status === "passed"
            ? (result.unchecked ?? 0) > 0
              ? "unchecked"
              : "passed"
            : isStopped === true
              ? "stopped"
              : "failed",
        isEdited: isEdited.has(name),
        startedAt,
        durationMs: name === workflow ? durationMs : undefined,
      })
  }
  for (const { workflow, startedAt } of going)
    outcomes.set(workflow, { status: "running", isEdited: false, startedAt })
  return outcomes
}
