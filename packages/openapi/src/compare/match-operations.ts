// Finds the same operation in two documents: by its method and path. Ignores the names of path parameters.

import type { OpenApiDocument } from "../document/document.ts"
import { listOperations, type Operation } from "../document/operations.ts"

interface MatchedOperations {
  /** In the order of the new document. */
  readonly matched: readonly (readonly [before: Operation, after: Operation])[]
  readonly removed: readonly Operation[]
  readonly added: readonly Operation[]
}

export function matchOperations(before: OpenApiDocument, after: OpenApiDocument): MatchedOperations {
  const open = new Map<string, Operation[]>()
  const all = listOperations(before)
  for (const operation of all) {
    const shape = shapeOf(operation)
    open.set(shape, [...(open.get(shape) ?? []), operation])
  }
  const current = listOperations(after)
  const exact = new Set(current.map(labelOf))
  const matched: (readonly [Operation, Operation])[] = []
  const added: Operation[] = []
  for (const operation of current) {
    const candidates = open.get(shapeOf(operation)) ?? []
    const found =
      candidates.find((one) => labelOf(one) === labelOf(operation)) ??
      // Another path of the same shape may have its own partner.
      candidates.find((one) => !exact.has(labelOf(one)))
    if (found === undefined) added.push(operation)
    else {
      matched.push([found, operation])
      open.set(
        shapeOf(operation),
        candidates.filter((one) => one !== found),
      )
    }
  }
  const left = new Set([...open.values()].flat())
  return { matched, added, removed: all.filter((operation) => left.has(operation)) }
}

export const labelOf = ({ method, path }: Operation): string => `${method} ${path}`

const parameterNames = /\{[^{}]*\}/g

const shapeOf = ({ method, path }: Operation): string => `${method} ${path.replaceAll(parameterNames, "{}")}`

/** Returns the path parameters with other names, by their old names. */
export function renamedParameters(before: Operation, after: Operation): ReadonlyMap<string, string> {
  const names = ({ path }: Operation): readonly string[] =>
    [...path.matchAll(parameterNames)].map(([name]) => name.slice(1, -1))
  const current = names(after)
  return new Map(
    names(before).flatMap((name, index) => {
      const other = current[index]
      return other === undefined || other === name ? [] : [[name, other] as const]
    }),
  )
}
