// The URL of a request as the user types it: split into base URL, path and query, and written from a saved request. Pure.

import { isJsonObject, type JsonObject, type JsonValue } from "@callsheet/format"

export interface TypedUrl {
  /** Scheme, host and port. Absent if the text is only a path, or starts with `{{baseUrl}}`. */
  readonly origin: string | undefined
  /** Starts with "/". Percent-encoded as typed. */
  readonly path: string
  /** Decoded names and values, in order. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** Splits at placeholders. Those are at the odd indexes. */
const splitTokens = (text: string): readonly string[] => text.split(/(\{\{.*?\}\})/s)

/** Changes the text outside of placeholders. */
const outsideTokens = (text: string, change: (part: string) => string): string =>
  splitTokens(text)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join("")

/** Returns the index of the first of these characters that isn't in a placeholder, or the length. */
function indexOutside(text: string, characters: RegExp): number {
  let from = 0
  for (const [at, part] of splitTokens(text).entries()) {
    const found = at % 2 === 0 ? part.search(characters) : -1
    if (found !== -1) return from + found
    from += part.length
  }
  return text.length
}

export function splitTypedUrl(typed: string): TypedUrl {
  const text = typed.trim()
  const whole = text.slice(0, indexOutside(text, /#/))
  const end = indexOutside(whole, /\?/)
  const [address, query] = [whole.slice(0, end), whole.slice(end + 1)]
  const { origin, path } = splitAddress(address)
  return { origin, path: path.startsWith("/") ? path : `/${path}`, query: pairsOf(query) }
}

function splitAddress(address: string): { readonly origin: string | undefined; readonly path: string } {
  const [, own] = /^\{\{\s*baseUrl\s*\}\}(.*)$/s.exec(address) ?? []
  if (own !== undefined) return { origin: undefined, path: own }
  // Another variable in the place of the base URL, as other tools write it.
  const [, variable, tail = ""] = /^(\{\{[^{}]*\}\})(.*)$/s.exec(address) ?? []
  if (variable !== undefined) return { origin: variable, path: tail }
  const [, scheme, rest = ""] = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)(.*)$/s.exec(address) ?? []
  if (scheme !== undefined) {
    const slash = rest.search(/[/\\]/)
    const host = slash === -1 ? rest : rest.slice(0, slash)
    return { origin: `${scheme}${host}`.toLowerCase(), path: slash === -1 ? "" : rest.slice(slash) }
  }
  // A host without a scheme, as in `localhost:3000/orders`.
  const [, host, path = ""] =
    /^((?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?|[\w-]+:\d+)(\/.*)?$/s.exec(address) ?? []
  return host === undefined
    ? { origin: undefined, path: address }
    : { origin: `http://${host}`.toLowerCase(), path }
}

const pairsOf = (query: string): TypedUrl["query"] =>
  splitAtAmpersands(query)
    .filter((pair) => pair !== "")
    .map((pair) => {
      const cut = indexOutside(pair, /=/)
      return [decodeQuery(pair.slice(0, cut)), decodeQuery(pair.slice(cut + 1))] as const
    })

function splitAtAmpersands(query: string): readonly string[] {
  const pairs: string[] = []
  let rest = query
  for (let at = indexOutside(rest, /&/); at < rest.length; at = indexOutside(rest, /&/)) {
    pairs.push(rest.slice(0, at))
    rest = rest.slice(at + 1)
  }
  return [...pairs, rest]
}

/** A text that isn't valid percent-encoding stays as it is. */
export const decodePercent = (text: string): string =>
  outsideTokens(text, (part) => {
    try {
      return decodeURIComponent(part)
    } catch {
      return part
    }
  })

const decodeQuery = (text: string): string =>
  decodePercent(outsideTokens(text, (part) => part.replaceAll("+", " ")))

const escape = (text: string, characters: RegExp): string =>
  outsideTokens(text, (part) => part.replaceAll(characters, encodeURIComponent))

/**
 * Returns the path and query as the bar shows them: path parameters filled in, and placeholders as written. Only
 * characters that would split the URL differently are encoded.
 */
export function writtenUrl(path: string, params: JsonValue | undefined): string {
  const inPath = textsIn(params, "path")
  const filled = path.replace(/(?<!\{)\{([^{}]+)\}(?!\})/g, (whole, name: string) => {
    const value = inPath.get(name)
    return value === undefined || value === "" ? whole : escape(value, /[%/?#{}\s]/g)
  })
  const query = [...textsIn(params, "query")]
    .map(([name, value]) => `${escape(name, /[%&#+=\s]/g)}=${escape(value, /[%&#+\s]/g)}`)
    .join("&")
  return query === "" ? filled : `${filled}?${query}`
}

function textsIn(params: JsonValue | undefined, place: "path" | "query"): ReadonlyMap<string, string> {
  const list: JsonObject = isJsonObject(params) && isJsonObject(params[place]) ? params[place] : {}
  return new Map(
    Object.entries(list).flatMap(([name, value]) =>
      value === null || typeof value === "object" ? [] : [[name, String(value)] as const],
    ),
  )
}

/** Where a typed URL leads, compared with the base URLs of the environments. */
export type UrlPlace =
  /** The chosen environment, or any, for a path alone. `path` is the path below the base URL. */
  | { readonly is: "here"; readonly path: string }
  /** Other environments, by name, each with the path below its base URL. */
  | { readonly is: "elsewhere"; readonly origin: string; readonly environments: readonly EnvironmentPath[] }

interface EnvironmentPath {
  readonly name: string
  readonly path: string
}

/** `bases` are the known base URLs by environment. */
export function placeOf(
  { origin, path }: TypedUrl,
  bases: ReadonlyMap<string, string>,
  environment: string | undefined,
): UrlPlace {
  if (origin === undefined) return { is: "here", path }
  const own = below(bases.get(environment ?? ""), origin, path)
  if (own !== undefined) return { is: "here", path: own }
  const environments = [...bases].flatMap(([name, base]) => {
    const rest = below(base, origin, path)
    return rest === undefined ? [] : [{ name, path: rest }]
  })
  return { is: "elsewhere", origin, environments }
}

/** Returns the path below a base URL. Undefined if the URL isn't below it. */
function below(base: string | undefined, origin: string, path: string): string | undefined {
  if (base === undefined) return undefined
  const { origin: own, path: prefix } = splitTypedUrl(base)
  const start = prefix.replace(/\/+$/, "")
  if (own === undefined || !isSameOrigin(own, origin)) return undefined
  if (path === start) return "/"
  return path.startsWith(`${start}/`) ? path.slice(start.length) : undefined
}

/** `http://shop` and `http://shop:80` are the same. */
function isSameOrigin(one: string, other: string): boolean {
  if (one === other) return true
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin
}
