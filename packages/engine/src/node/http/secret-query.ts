// What a query must not tell another origin: the values of the request's own query that were made from secrets.

import { createMasker } from "../../mask.ts"
import type { WireRequest } from "../../ports.ts"

interface LeftQuery {
  /** The query without the pairs that hold such a value, in whatever spelling: a return address repeats it encoded. */
  readonly query: string
  /** The names of the pairs that were left out. */
  readonly names: readonly string[]
}

/** Takes out of the query of a redirect what its server has of the secrets in the query of `request`. */
export function leaveSecretsOut(
  query: string,
  { url, sensitive }: Pick<WireRequest, "url" | "sensitive">,
): LeftQuery {
  const { occursIn } = createMasker(secretsOf(queryOf(url), sensitive.query))
  const names: string[] = []
  const kept = query.split("&").filter((pair) => {
    const [name = "", value = ""] = [...new URLSearchParams(pair)][0] ?? []
    if (!occursIn(pair) && !occursIn(value) && !occursIn(name)) return true
    names.push(name)
    return false
  })
  return { query: kept.join("&"), names }
}

/** As the request was first sent: later ones may have them under other names. */
function* secretsOf(query: string, names: ReadonlySet<string>): Generator<string> {
  for (const pair of query.split("&")) {
    const [name, value] = [...new URLSearchParams(pair)][0] ?? []
    if (name === undefined || value === undefined || !names.has(name)) continue
    // A whole query that is no form is a name without a value.
    yield pair.includes("=") ? value : name
  }
}

/** The query of a path or a URL, without its question mark. */
const queryOf = (path: string): string => {
  const at = path.indexOf("?")
  return at === -1 ? "" : path.slice(at + 1).replace(/#.*$/s, "")
}
