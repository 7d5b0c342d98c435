// All search entries, and those that match a query. An API's entries are built once per answer of the server.

import { useMemo } from "react"
import type { OperationsView, ProjectView } from "@callsheet/server/calls"
import { operationEntries, projectEntries, type Entry } from "./entries.ts"
import { useOperations, type ApiOperations } from "../connection/queries.ts"

const made = new WeakMap<OperationsView, readonly Entry[]>()

export interface Findable {
  readonly entries: readonly Entry[]
  readonly isLoading: boolean
}

/** Includes operations, if requested, for all APIs with a document. */
export function useEntries(project: ProjectView, asksOperations: boolean): Findable {
  const withDocument = useMemo(
    () =>
      project.apis.filter(({ document }) => asksOperations && document !== undefined).map(({ name }) => name),
    [project, asksOperations],
  )
  const operations = useOperations(withDocument)
  const others = useMemo(() => projectEntries(project), [project])
  return useMemo(
    () => ({
      entries: [...others, ...operations.flatMap(entriesOf)],
      isLoading: operations.some(({ view, hasFailed }) => view === undefined && !hasFailed),
    }),
    [others, operations],
  )
}

function entriesOf(operations: ApiOperations): readonly Entry[] {
  if (operations.view === undefined) return []
  const known = made.get(operations.view)
  if (known !== undefined) return known
  const entries = operationEntries(operations)
  made.set(operations.view, entries)
  return entries
}
