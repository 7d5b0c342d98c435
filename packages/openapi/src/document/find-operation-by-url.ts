// Finds the operation of a sent request by its method and URL.

import { findByPath } from "@callsheet/format"
import { listOperations, type Operation } from "../document/operations.ts"
import type { OpenApiDocument } from "../document/document.ts"

/**
 * Returns the operation whose path matches the URL below the base URL. A literal segment matches better than a
 * parameter.
 */
export function findOperationByUrl(
  document: OpenApiDocument,
  { method, url, baseUrl }: { readonly method: string; readonly url: string; readonly baseUrl: string },
): Operation | undefined {
  const base = baseUrl.replace(/[?#].*$/s, "").replace(/\/+$/, "")
  if (!url.startsWith(`${base}/`)) return undefined
  const path = url.slice(base.length).replace(/[?#].*$/s, "")
  return findByPath(
    listOperations(document).filter((operation) => operation.method === method),
    path,
  )?.found
}
