// Queries of several areas. Each key has one call and one type.

import { queryOptions } from "@tanstack/react-query"
import { call } from "./call.ts"

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
