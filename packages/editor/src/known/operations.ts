// Finds operations for completion and hover: by the names in a file, and by what a user types.

import { hasTokens, isJsonObject, memo, ownOf, type JsonObject, type JsonValue } from "@callsheet/format"
import { findMatches, findTarget, type Findable } from "@callsheet/language"
import { listOperations, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import type { View } from "../project/view.ts"

export interface TargetNames {
  readonly api: string
  readonly resource?: string | undefined
  readonly operation?: string | undefined
  readonly instance?: string | undefined
}

/** Reads the names in the `request` of a block, or in a saved request. Undefined if no API is named. */
export function targetNames(request: JsonValue | undefined, ownApi?: string): TargetNames | undefined {
  if (!isJsonObject(request)) return undefined
  const api = ownApi ?? nameIn(request, "api")
  if (api === undefined) return undefined
  const resource = ownApi === undefined ? nameIn(request, "resource") : undefined
  const instance = ownApi === undefined ? nameIn(request, "instance") : undefined
  return {
    api,
    resource,
    operation: nameIn(request, "operation") ?? methodAndPath(request, ownApi),
    instance,
  }
}

function nameIn(object: JsonObject, field: string): string | undefined {
  const text = ownOf(object, field)
  return typeof text === "string" && text !== "" && !hasTokens(text) ? text : undefined
}

/** A saved request may name its operation by method and path. */
function methodAndPath(request: JsonObject, ownApi: string | undefined): string | undefined {
  const [method, path] = [nameIn(request, "method"), nameIn(request, "path")]
  return ownApi === undefined || method === undefined || path === undefined ? undefined : `${method} ${path}`
}

/** Returns the operation that a request sends, directly or through a saved request. */
export async function operationOf(
  view: View,
  names: TargetNames | undefined,
): Promise<Operation | undefined> {
  if (names === undefined || (names.operation ?? names.instance) === undefined) return undefined
  const source = await view.source(names.api)
  if (source?.document === undefined) return undefined
  const { resource, operation, instance } = names
  const found = findTarget(source, { resource, operation, instance })
  return found.found ? found.target.operation : undefined
}

export interface FindableOperation extends Findable {
  readonly operation: Operation
  /** The name in a file: the operationId, or `METHOD /path` if it isn't unique or missing. */
  readonly written: string
}

/** Built once per document, because a document may have 12,000 operations. */
const findable = memo((document: OpenApiDocument): readonly FindableOperation[] => {
  const operations = listOperations(document)
  const counts = new Map<string, number>()
  for (const { name } of operations) counts.set(name, (counts.get(name) ?? 0) + 1)
  return operations.map((operation) => {
    const { name, method, path, summary = "" } = operation
    const written = counts.get(name) === 1 ? name : `${method} ${path}`
    return {
      operation,
      written,
      name: path,
      method,
      text: `${path} ${name} ${method} ${summary}`.toLowerCase(),
      otherNames: [name.toLowerCase(), written.toLowerCase()],
    }
  })
})

/** Finds operations by words of their method, path, name and summary, best first. */
export function searchOperations(document: OpenApiDocument, query: string): readonly FindableOperation[] {
  const all = findable(document)
  // The name in the file isn't a query: the user may want another one.
  const isWritten = all.some(({ written }) => written === query)
  return findMatches(all, isWritten ? "" : query)
}
