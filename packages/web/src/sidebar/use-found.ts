// What the search of the sidebar has found. Operations are read when something is looked for, and not before.

import { useMemo } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import type { Entry } from "../search/entries.ts"
import { findEntries } from "../search/find-entries.ts"
import { useEntries } from "../search/use-entries.ts"
import { useSearch } from "./search-state.ts"

export interface Found {
  readonly isSearching: boolean
  readonly isLoading: boolean
  readonly hits: readonly Entry[]
  /** Changes with what is looked for. */
  readonly question: string
}

export function useFound(project: ProjectView): Found {
  const { query, method } = useSearch()
  const isSearching = query.trim() !== "" || method !== undefined
  const { entries, isLoading } = useEntries(project, isSearching)
  const hits = useMemo(() => {
    if (!isSearching) return []
    return findEntries(
      method === undefined ? entries : entries.filter((entry) => entry.method === method),
      query,
    )
  }, [entries, query, method, isSearching])
  return { isSearching, isLoading, hits, question: `${query}\0${method ?? ""}` }
}
