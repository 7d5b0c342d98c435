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

/**
 * Finds the entries that contain all words of a query in any order, best first. The name of a method matches the method
 * before names that contain it. Fast enough to run on each key press with 12,000 entries.
 */
export function findEntries(entries: readonly Entry[], query: string): readonly Entry[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (words.length === 0) return entries
  const found: { readonly entry: Entry; readonly rank: number }[] = []
  for (const entry of entries) {
    if (words.every((word) => entry.text.includes(word))) found.push({ entry, rank: rankOf(entry, words) })
  }
  // Sorting is stable, so entries of equal rank stay in the project's order.
  return found.sort((one, other) => one.rank - other.rank).map(({ entry }) => entry)
}

/** Ranks a match by its worst word. Lower is better. */
function rankOf(entry: Entry, words: readonly string[]): number {
  const name = entry.name.toLowerCase()
  return Math.max(...words.map((word) => rankOfWord(entry, name, word)))
}

function rankOfWord({ method, text, otherNames }: Entry, name: string, word: string): number {
  if (name === word || method?.toLowerCase() === word || otherNames?.includes(word) === true) return 0
  if (name.startsWith(word) || name.startsWith(`/${word}`)) return 1
  if (name.includes(word)) return 2
  return text.includes(` ${word}`) ? 3 : 4
}
