// Queries of several areas. Each key has one call and one type.

import { queryOptions, useQuery, type UseQueryResult, useQueries } from "@tanstack/react-query"
import { useCallback, useEffect } from "react"
import { call } from "./call.ts"
import type {
  ChangesView,
  ImpactView,
  ProjectView,
  ProblemsView,
  OperationsView,
} from "@callsheet/server/calls"
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

/** Reads which files differ from the last commit. */
const changesQuery = queryOptions({
  queryKey: ["changes"],
  queryFn: () => call("project.changes", {}),
})

export function useChanges(): ChangesView | undefined {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data, refetch } = useQuery({ ...changesQuery, enabled: isOpen })
  useFocus(refetch)
  return data
}

/** Compares the document of an API with that of the last commit. */
export function useImpact(api: string, isWanted = true): UseQueryResult<ImpactView> {
  const isOpen = useConnection(({ status }) => status === "open")
  const enabled = isOpen && isWanted
  const result = useQuery({ queryKey: ["impact", api], queryFn: () => call("impact.read", { api }), enabled })
  const { refetch } = result
  useFocus(useCallback(() => (enabled ? refetch() : undefined), [enabled, refetch]))
  return result
}

/** Returns whether a file may be part of a document of the API. */
export const isOfDocument = (api: string, file: string): boolean =>
  file.startsWith(`apis/${api}/`) && !/^(?:requests|environments)\//.test(file.slice(`apis/${api}/`.length))

/** Calls the listener when the window gets the focus. A commit changes no project file, so no event reports it. */
function useFocus(listener: () => unknown): void {
  useEffect(() => {
    const onFocus = (): void => void listener()
    window.addEventListener("focus", onFocus)
    return () => window.removeEventListener("focus", onFocus)
  }, [listener])
}

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
