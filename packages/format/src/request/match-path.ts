// Matches paths with the path templates of operations, such as `/orders/{id}`.

import { escapePattern } from "../text/escape-pattern.ts"

export interface PathMatch<T> {
  readonly found: T
  /** The values of the template's parameters, as the path writes them. */
  readonly params: ReadonlyMap<string, string>
}

/** Returns the candidate whose template matches a path best: a literal segment matches better than a parameter. */
export function findByPath<T extends { readonly path: string }>(
  candidates: readonly T[],
  path: string,
): PathMatch<T> | undefined {
  const segments = path.split("/")
  let best: PathMatch<T> | undefined
  for (const found of candidates) {
    const params = matchSegments(found.path.split("/"), segments)
    if (params !== undefined && (best === undefined || parameterCount(found) < parameterCount(best.found)))
      best = { found, params }
  }
  return best
}

const parameterCount = ({ path }: { readonly path: string }): number => path.split("{").length

function matchSegments(
  template: readonly string[],
  segments: readonly string[],
): ReadonlyMap<string, string> | undefined {
  if (template.length !== segments.length) return undefined
  const params = new Map<string, string>()
  for (const [at, part] of template.entries()) {
    const segment = segments[at] ?? ""
    if (part === segment) continue
    const values = part.includes("{") ? matchSegment(part, segment) : undefined
    if (values === undefined) return undefined
    for (const [name, value] of values) params.set(name, value)
  }
  return params
}

/** Matches a segment with parameters, such as `{id}` or `{id}.json`. A value isn't empty. */
function matchSegment(template: string, segment: string): ReadonlyMap<string, string> | undefined {
  const parts = template.split(/\{([^{}]+)\}/)
  const pattern = parts.map((part, at) => (at % 2 === 0 ? escapePattern(part) : "(.+?)")).join("")
  const found = new RegExp(`^${pattern}$`, "s").exec(segment)
  if (found === null) return undefined
  return new Map(parts.flatMap((name, at) => (at % 2 === 0 ? [] : [[name, found[(at + 1) / 2] ?? ""]])))
}
