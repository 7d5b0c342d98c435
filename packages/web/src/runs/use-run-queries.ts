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
import { call } from "../connection/call.ts"
import { useConnection } from "../connection/connection.ts"
import { latestRunsQuery, useProject } from "../connection/queries.ts"
import { useOnceTrue } from "../ui/use-once-true.ts"
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
    enabled,
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

export type Outcome = "passed" | "failed" | "stopped" | "running"

/** The outcome of each workflow's last run, and the workflows that are running. */
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
