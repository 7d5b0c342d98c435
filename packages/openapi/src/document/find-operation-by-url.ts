// Finds the operation of a sent request by its method and URL.

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
  const segments = url
    .slice(base.length)
    .replace(/[?#].*$/s, "")
    .split("/")
  const matching = listOperations(document).filter(
    (operation) => operation.method === method && matches(operation.path.split("/"), segments),
  )
  return matching.toSorted((one, other) => parameterCount(one) - parameterCount(other))[0]
}

const matches = (template: readonly string[], segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, at) => {
    const { length } = part
    const start = part.indexOf("{")
    if (start === -1) return part === segments[at]
    const segment = segments[at] ?? ""
    const end = length - part.lastIndexOf("}") - 1
    return (
      segment.length > start + end &&
      segment.startsWith(part.slice(0, start)) &&
      segment.endsWith(part.slice(length - end))
    )
  })

const parameterCount = ({ path }: Operation): number => path.split("{").length
