// Finds operations by method, path, name, summary and resource, like the page's search.

import type { OperationsView, OperationView } from "@callsheet/server/calls"
import { operationEntries, type Entry } from "../search/entries.ts"
import { findEntries } from "../search/find-entries.ts"
import type { Suggestion } from "./suggestion.ts"

export interface OperationSuggestion extends Suggestion {
  readonly operation: OperationView
}

interface Findable {
  readonly entries: readonly Entry[]
  readonly byEntry: ReadonlyMap<Entry, OperationView>
}

const made = new WeakMap<OperationsView, Findable>()

/** Returns the best match first. An empty query matches all operations. */
export function findOperations(
  api: string,
  view: OperationsView | undefined,
  query: string,
): readonly OperationSuggestion[] {
  if (view === undefined) return []
  const { entries, byEntry } = findable(api, view)
  return findEntries(entries, query).flatMap((entry) => {
    const operation = byEntry.get(entry)
    if (operation === undefined) return []
    const { method, path, name, summary } = operation
    const note = [name.includes("/") ? undefined : name, summary]
      .filter((part) => part !== undefined)
      .join(" · ")
    return [{ text: path, method, note, operation }]
  })
}

function findable(api: string, view: OperationsView): Findable {
  let known = made.get(view)
  if (known === undefined) {
    const entries = operationEntries({ api, view, hasFailed: false })
    const { operations } = view
    known = { entries, byEntry: new Map(entries.flatMap((entry, index) => pair(entry, operations[index]))) }
    made.set(view, known)
  }
  return known
}

const pair = (entry: Entry, operation: OperationView | undefined) =>
  operation === undefined ? [] : [[entry, operation] as const]

/** Returns how a block names the operation: by its operationId, and its resource if the id isn't unique. */
export function namesOf(
  operation: OperationView,
  view: OperationsView | undefined,
): { readonly operation: string; readonly resource: string | undefined } {
  const { name, method, path, resources } = operation
  const same = (view?.operations ?? []).filter((other) => other.name === name)
  const isUnique = same.length <= 1
  return { operation: isUnique ? name : `${method} ${path}`, resource: resources[0] }
}
