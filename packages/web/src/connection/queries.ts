// Queries of several areas. Each key has one call and one type.

import { queryOptions, useQuery, type UseQueryResult, useQueries } from "@tanstack/react-query"
import { call } from "./call.ts"
import type { ProjectView, ProblemsView, OperationsView } from "@callsheet/server/calls"
import { useConnection } from "./connection.ts"
import type { Problem } from "@callsheet/format"

export const projectQuery = queryOptions({
  queryKey: ["project"],
  queryFn: () => call("project.read", {}),
})

export const environmentsQuery = (api: string) =>
  queryOptions({
    queryKey: ["environments", api],
    queryFn: () => call("environments.read", { api }),
    // Comparing 100,000 cells takes longer than rendering the visible ones again.
    structuralSharing: false,
  })

export const scriptsQuery = (workflow: string) =>
  queryOptions({
    queryKey: ["scripts", workflow],
    queryFn: () => call("files.list", { workflow }),
  })

export const latestRunsQuery = queryOptions({
  queryKey: ["runs", "latest"],
  queryFn: () => call("runs.latest", {}),
})

/** Reads the environment of each API that is used until the user chooses another. Each run may change it. */
export const presetsQuery = queryOptions({
  queryKey: ["runs", "presets"],
  queryFn: () => call("runs.presets", {}),
})

/**
 * Reads the report of a finished run, which never changes. It is large, so it is dropped when it isn't shown anymore.
 */
export const reportQuery = (run: string) =>
  queryOptions({
    queryKey: ["report", run],
    queryFn: async () => {
      const [report] = (await call("runs.read", { run })).report.runs
      if (report === undefined) throw new Error("The run has no report.")
      return report
    },
  })

/** Reads how the responses of two finished runs differ, by block. */
export const comparisonQuery = (before: string, after: string) =>
  queryOptions({
    queryKey: ["comparison", before, after],
    queryFn: async () => {
      const { blocks } = await call("runs.compare", { before, after })
      return new Map(blocks.map(({ key, differences }) => [key, differences]))
    },
    structuralSharing: false,
  })

export function useProject(): UseQueryResult<ProjectView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ ...projectQuery, enabled: isOpen })
}

/** The problems that `callsheet validate` reports. In a large project, they arrive after the project itself. */
export function useProblems(): UseQueryResult<ProblemsView> {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQuery({ queryKey: ["problems"], queryFn: () => call("problems.read", {}), enabled: isOpen })
}

/** Returns the problems of the files for which `belongs` returns true. Empty while loading. */
export function useProblemsOf(belongs: (file: string) => boolean): readonly Problem[] {
  const { data } = useProblems()
  return (data?.problems ?? []).filter(({ file }) => file !== undefined && belongs(file))
}

export interface ApiOperations {
  readonly api: string
  readonly view: OperationsView | undefined
  readonly hasFailed: boolean
}

/** The operations of APIs, loaded on first use. */
export function useOperations(apis: readonly string[]): readonly ApiOperations[] {
  const isOpen = useConnection(({ status }) => status === "open")
  return useQueries({
    queries: apis.map((api) => ({
      queryKey: ["operations", api],
      queryFn: () => call("operations.list", { api }),
      enabled: isOpen,
    })),
    combine: (results: UseQueryResult<OperationsView>[]) =>
      results.map(({ data, isError }, index) => ({ api: apis[index] ?? "", view: data, hasFailed: isError })),
  })
}
