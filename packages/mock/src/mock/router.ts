// Finds the operation of a request by its method and path.

import { findByPath, getOrCreate } from "@callsheet/format"
import { listOperations, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import { decodeSegments } from "./incoming.ts"

export type Route =
  | { readonly is: "found"; readonly operation: Operation; readonly params: ReadonlyMap<string, string> }
  /** Other methods have an operation at this path. */
  | { readonly is: "other-method"; readonly allow: readonly string[]; readonly path: string }
  | { readonly is: "unknown" }

export type FindRoute = (method: string, path: string) => Route

interface Candidate {
  /** The template without a query or fragment, which some documents use to tell operations apart. */
  readonly path: string
  readonly operation: Operation
}

export function createRouter(document: OpenApiDocument): FindRoute {
  const candidates = listOperations(document).map((operation): Candidate => ({
    path: operation.path.replace(/[?#].*$/s, ""),
    operation,
  }))
  const byMethod = new Map<string, PathIndex>()
  for (const candidate of candidates)
    getOrCreate(byMethod, candidate.operation.method, () => new PathIndex()).add(candidate)
  const find = (method: string, path: string) => byMethod.get(method)?.find(path)
  return (method, written) => {
    const path = decodeSegments(written)
    const found = find(method, path) ?? (method === "HEAD" ? find("GET", path) : undefined)
    if (found !== undefined) return { is: "found", operation: found.found.operation, params: found.params }
    const others = [...byMethod].flatMap(([other, index]) => {
      const match = index.find(path)
      return match === undefined ? [] : [{ method: other, path: match.found.path }]
    })
    const [first] = others
    if (first === undefined) return { is: "unknown" }
    const names = others.map((other) => other.method)
    const allow = names.includes("GET") && !names.includes("HEAD") ? [...names, "HEAD"] : names
    return { is: "other-method", allow: allow.toSorted(), path: first.path }
  }
}

/** The templates of one method, by the number of segments and the first segment. */
class PathIndex {
  readonly #byStart = new Map<string, Candidate[]>()

  add(candidate: Candidate): void {
    getOrCreate(this.#byStart, startOf(candidate.path), () => []).push(candidate)
  }

  find(path: string) {
    const literal = this.#byStart.get(startOf(path)) ?? []
    const open = this.#byStart.get(`${countOf(path)} {`) ?? []
    // A path such as `/{id}` has the same start as its template only if a client sends braces.
    return findByPath(open.length === 0 ? literal : [...literal, ...open], path)
  }
}

const countOf = (path: string): number => path.split("/").length

/** Returns what a template and the paths that it matches have in common. */
function startOf(path: string): string {
  const [, first = ""] = path.split("/", 2)
  return `${countOf(path)} ${first.includes("{") ? "{" : first}`
}
