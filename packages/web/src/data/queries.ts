// What several areas of the page ask of the server: one key has one call and one shape, whoever asks.

import { queryOptions } from "@tanstack/react-query"
import { call } from "../connection/call.ts"

export const projectQuery = queryOptions({
  queryKey: ["project"],
  queryFn: () => call("project.read", {}),
})

export const environmentsQuery = (api: string) =>
  queryOptions({
    queryKey: ["environments", api],
    queryFn: () => call("environments.read", { api }),
    // To compare 100,000 cells takes longer than to show those in sight again.
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

/** Of a run that is over, which does not change; it is large, and forgotten when nobody looks at it. */
export const reportQuery = (run: string) =>
  queryOptions({
    queryKey: ["report", run],
    queryFn: async () => {
      const [report] = (await call("runs.read", { run })).report.runs
      if (report === undefined) throw new Error("The run has no report.")
      return report
    },
  })
