// Finds requests that the document of their API doesn't have, so that nothing decides whether their responses are right.

import { didYouMean, type Finding } from "@callsheet/format"
import { listOperations, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import { messages } from "../messages.ts"
import type { ApiSource, Target } from "./target.ts"

/**
 * Returns the warning that a request has no contract. Undefined if it has one. An API without a document has no contract
 * at all, which isn't a mistake of the request.
 */
export function describeOutside(
  { document }: Pick<ApiSource, "document">,
  { method, path, operation }: Target,
): Finding<"contract-unavailable"> | undefined {
  if (document === undefined || operation !== undefined) return undefined
  return messages["contract-unavailable"].outside(method, path, suggestOperation(document, method, path))
}

const MAX_SUGGESTED = 3

function suggestOperation(document: OpenApiDocument, method: string, path: string): string | undefined {
  const all = listOperations(document)
  const exact = all.filter((one) => one.path === path)
  const served = exact.length > 0 ? exact : all.filter((one) => serves(one.path, path))
  const same = served.filter((one) => one.method === method)
  // The path of a server, such as `/v1`, may be in one of the two.
  const based = all.filter((one) => one.method === method && areSameEnds(one.path, path))
  const near = [same, served, based].find((some) => some.length > 0)
  if (near !== undefined) return suggestionOf(near)
  const similar = findSimilarPath(document, method, path)
  return similar === undefined ? undefined : `did you mean ${method} ${similar}?`
}

const suggestionOf = (operations: readonly Operation[]): string =>
  `did you mean ${operations
    .slice(0, MAX_SUGGESTED)
    .map(({ method, path }) => `${method} ${path}`)
    .join(" or ")}?`

/** Returns whether a request to `path` reaches the documented path, although the two differ as text. */
function serves(documented: string, path: string): boolean {
  const [own, other] = [segmentsOf(documented), segmentsOf(path)]
  return own.length === other.length && own.every((segment, at) => isSame(segment, other[at] ?? ""))
}

const areSameEnds = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 1 && (one.endsWith(other) || other.endsWith(one))

const segmentsOf = (path: string): readonly string[] => path.split("/").filter((segment) => segment !== "")

const isSame = (documented: string, given: string): boolean =>
  documented.toLowerCase() === given.toLowerCase() || /\{[^{}]+\}/.test(documented)

/** Returns the documented path that a path with the same method may misspell. */
export function findSimilarPath(document: OpenApiDocument, method: string, path: string): string | undefined {
  const near = listOperations(document).filter(
    (one) => one.method === method.toUpperCase() && depthOf(one.path) === depthOf(path),
  )
  return didYouMean(
    path,
    near.map((operation) => operation.path),
  )
}

const depthOf = (path: string): number => path.split("/").length
