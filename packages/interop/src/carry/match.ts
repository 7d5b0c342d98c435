// Finds the operation of a request by method and path template.

import { escapePattern, getOrCreate } from "@callsheet/format"
import { listOperations, type OpenApiDocument, type Operation } from "@callsheet/openapi"
import type { Segment } from "../model.ts"
import { decodePercent, hasVariables, type Text } from "../text.ts"

export interface Match {
  readonly operation: Operation
  readonly params: ReadonlyMap<string, Text>
}

export type FindOperation = (method: string, path: readonly Segment[]) => Match | undefined

interface Template {
  readonly operation: Operation
  readonly segments: readonly string[]
}

/**
 * Creates the search in a document. Of several operations, the one with the most literal segments wins. `known` returns
 * the value of a text with variables if it is the same in every environment.
 */
export function createFinder(
  document: OpenApiDocument | undefined,
  known: (text: Text) => string | undefined,
): FindOperation {
  const templates = new Map<string, Template[]>()
  for (const operation of document === undefined ? [] : listOperations(document)) {
    const segments = splitPath(operation.path)
    const key = `${operation.method} ${segments.length}`
    getOrCreate(templates, key, () => []).push({ operation, segments })
  }
  return (method, path) => {
    let best: { readonly match: Match; readonly score: number } | undefined
    for (const { operation, segments } of templates.get(`${method} ${path.length}`) ?? []) {
      const compared = compare(segments, path, known)
      if (compared !== undefined && compared.score > (best?.score ?? -1))
        best = { match: { operation, params: compared.params }, score: compared.score }
    }
    return best?.match
  }
}

/** Returns `["orders", "{id}"]` for `/orders/{id}#variant`. */
const splitPath = (path: string): readonly string[] =>
  path
    .replace(/[#?].*$/s, "")
    .replace(/^\//, "")
    .split("/")

function compare(
  template: readonly string[],
  path: readonly Segment[],
  known: (text: Text) => string | undefined,
) {
  const params = new Map<string, Text>()
  let score = 0
  for (const [at, wanted] of template.entries()) {
    const { text, name } = path[at] ?? { text: "" }
    const [, only] = /^\{([^{}]+)\}$/.exec(wanted) ?? []
    const literal = hasVariables(text) ? known(text) : decodePercent(text)
    if (only !== undefined) {
      // An empty value can't be sent as a path parameter.
      if (text === "") return undefined
      if (only === name) score += 1
      params.set(only, decodePercent(text))
    } else if (wanted.includes("{")) {
      const found = literal === undefined ? undefined : matchMixed(wanted, literal)
      if (found === undefined) return undefined
      for (const [key, value] of found) params.set(key, value)
      score += 1
    } else {
      if (literal === undefined || (literal !== wanted && literal !== decodePercent(wanted))) return undefined
      score += 2
    }
  }
  return { params, score }
}

/** Matches a segment such as `{id}.json`. */
function matchMixed(template: string, text: string): readonly (readonly [string, string])[] | undefined {
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name)
  const pattern = template
    .split(/\{[^{}]+\}/)
    .map(escapePattern)
    .join("(.+?)")
  const found = new RegExp(`^${pattern}$`, "s").exec(text)
  return found?.slice(1).map((value, at) => [names[at] ?? "", value] as const)
}
