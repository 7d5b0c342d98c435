// Base URL + path template + parameters -> an absolute URL (RFC 3986). Nothing is repaired: what cannot stand is refused.

import type { Parameter } from "./request.ts"

export interface UrlRequest {
  readonly baseUrl: string
  /** With `{parameters}`. */
  readonly path: string
  readonly pathParams: ReadonlyMap<string, string>
  readonly query: ReadonlyMap<string, string>
  /** What the document says of the parameters; absent ones are serialized in the default style. */
  readonly parameters: readonly Parameter[]
}

export type BuiltUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: "path-param-missing" | "refused"; readonly message: string }

export function buildUrl(request: UrlRequest): BuiltUrl {
  const missing: string[] = []
  let refused: string | undefined
  const path = request.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = request.pathParams.get(name)
    if (value === undefined || value === "") missing.push(name)
    // RFC 3986 section 5.2.4: these segments would be removed, encoded or not, and address something else.
    else if (value === "." || value === "..")
      refused = `the path parameter "${name}" is "${value}", which is no segment`
    return value === undefined ? "" : serializePath(name, value, request.parameters)
  })
  if (missing.length > 0) {
    const names = missing.map((name) => `"${name}"`).join(", ")
    return { ok: false, reason: "path-param-missing", message: `${request.path}: no value for ${names}` }
  }
  if (refused !== undefined) return { ok: false, reason: "refused", message: refused }
  // Literal parts of a template may hold what a URL cannot: blanks, letters beyond ASCII.
  const literal = path.replaceAll(/[^\u0021-\u007e]+/g, (text) => encodeURIComponent(wellFormed(text)))
  return joinUrl(request.baseUrl, literal, serializeQuery(request))
}

const findParameter = (
  parameters: readonly Parameter[],
  place: Parameter["in"],
  name: string,
): Parameter | undefined => parameters.find((parameter) => parameter.in === place && parameter.name === name)

function serializePath(name: string, value: string, parameters: readonly Parameter[]): string {
  const encoded = encodeComponent(value)
  switch (findParameter(parameters, "path", name)?.style) {
    case "label":
      return `.${encoded}`
    case "matrix":
      return `;${encodeComponent(name)}=${encoded}`
    default:
      return encoded
  }
}

function serializeQuery({ query, parameters }: UrlRequest): string {
  return [...query]
    .map(([name, value]) => {
      const isReserved = findParameter(parameters, "query", name)?.allowReserved === true
      return `${encodeComponent(name)}=${isReserved ? encodeReserved(value) : encodeComponent(value)}`
    })
    .join("&")
}

/** Everything but RFC 3986's unreserved characters; a lone surrogate becomes U+FFFD, as UTF-8 has no other way. */
const encodeComponent = (text: string): string =>
  encodeURIComponent(wellFormed(text)).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

// `allowReserved`: reserved characters stand, but for those that would end the query or start another pair.
const encodeReserved = (text: string): string =>
  encodeComponent(text).replaceAll(/%(?:3A|2F|3F|5B|5D|40|21|24|27|28|29|2A|2C|3B)/g, (triplet) =>
    decodeURIComponent(triplet),
  )

const wellFormed = (text: string): string =>
  /[\ud800-\udfff]/.test(text) ? new TextDecoder().decode(new TextEncoder().encode(text)) : text

/** Joined with exactly one slash; the base's own path and query are kept. */
function joinUrl(baseUrl: string, path: string, query: string): BuiltUrl {
  if (!URL.canParse(baseUrl))
    return { ok: false, reason: "refused", message: "the base URL is no absolute URL" }
  // The parser of URLs drops these characters silently.
  if (/[\u0000-\u0020\u007f]/.test(baseUrl)) {
    return { ok: false, reason: "refused", message: "the base URL holds blanks or control characters" }
  }
  const withoutFragment = baseUrl.split("#", 1)[0]!
  const cut = withoutFragment.indexOf("?")
  const base = cut === -1 ? withoutFragment : withoutFragment.slice(0, cut)
  const queries = [cut === -1 ? "" : withoutFragment.slice(cut + 1), query].filter((part) => part !== "")
  const url = `${base.replace(/\/+$/, "")}/${path.replace(/^\/+/, "")}${queries.length === 0 ? "" : `?${queries.join("&")}`}`
  return { ok: true, url }
}
