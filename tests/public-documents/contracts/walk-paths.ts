// A plain walk over `paths`: the operations of a document by the specification, independent of packages/openapi.

import { follow, isObject, objectAt, type Raw } from "../raw-document.ts"

export interface WalkedOperation {
  /** The operationId, or `METHOD /path` if there is none. */
  readonly name: string
  /** Upper case. */
  readonly method: string
  readonly path: string
  readonly operation: Raw
}

const methods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"])

export function walkPaths(root: Raw): readonly WalkedOperation[] {
  const found: WalkedOperation[] = []
  for (const [path, item] of Object.entries(objectAt(root, "paths"))) {
    const pathItem = follow(root, item)
    if (path.startsWith("x-") || !isObject(pathItem)) continue
    const own = Object.entries(pathItem).filter(([key]) => methods.has(key))
    const additional = Object.entries(objectAt(pathItem, "additionalOperations"))
    const all = [...own.map(([key, value]) => [key.toUpperCase(), value] as const), ...additional]
    for (const [method, operation] of all) {
      if (!isObject(operation)) continue
      const { operationId } = operation
      const name = typeof operationId === "string" ? operationId : `${method} ${path}`
      found.push({ name, method, path, operation })
    }
  }
  return found
}
