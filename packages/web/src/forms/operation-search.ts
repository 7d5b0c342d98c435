// Finds operations by method, path, name, summary and resource, like the page's search.

import type { OperationsView, OperationView } from "@callsheet/server/calls"
import { operationEntries, type Entry } from "../search/entries.ts"
import { findMatches, type Suggestion } from "@callsheet/language"
import type { ApiOperations } from "../connection/queries.ts"

export interface OperationSuggestion extends Suggestion {
  readonly api: string
  readonly operation: OperationView
}

interface Findable {
  readonly entries: readonly Entry[]
  readonly byEntry: ReadonlyMap<Entry, OperationView>
}

const made = new WeakMap<OperationsView, Findable>()

/** Searches the operations of some APIs. Returns the best match first. An empty query matches all operations. */
export function findOperations(
  apis: readonly ApiOperations[],
  query: string,
): readonly OperationSuggestion[] {
  const known = apis.flatMap(({ api, view }) => (view === undefined ? [] : [{ api, ...findable(api, view) }]))
  const entries = known.length === 1 ? (known[0]?.entries ?? []) : known.flatMap((one) => one.entries)
  return findMatches(entries, query).flatMap((entry) => {
    const found = known.find(({ byEntry }) => byEntry.has(entry))
    const operation = found?.byEntry.get(entry)
    if (found === undefined || operation === undefined) return []
    const { method, path, name, summary } = operation
    const note = [name.includes("/") ? undefined : name, summary, known.length > 1 ? found.api : undefined]
      .filter((part) => part !== undefined)
      .join(" · ")
    return [{ text: path, method, note, api: found.api, operation }]
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
