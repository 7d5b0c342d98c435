// Base URL + path template + parameters -> an absolute URL (RFC 3986). Nothing is repaired: what cannot stand is refused.

import type { Parameter } from "./parameters.ts"

export interface UrlRequest {
  readonly baseUrl: string
  /** With `{parameters}`. */
  readonly path: string
  readonly pathParams: ReadonlyMap<string, string>
  readonly query: ReadonlyMap<string, string>
  /** What the document says of the parameters; others are serialized in the default style. */
  readonly parameters: readonly Parameter[]
}

export type BuiltUrl =
  | { readonly ok: true; readonly url: string }
  /** The message names parameters, never their values. */
  | { readonly ok: false; readonly reason: "path-param-missing" | "refused"; readonly message: string }

/**
 * Builds the URL of a request. Each path value is one segment; names and values are percent-encoded.
 *
 * @example
 * buildUrl({ baseUrl: "https://api.example.com/v1", path: "/orders/{id}", pathParams: new Map([["id", "a/b"]]),
 *   query: new Map([["q", "x y"]]), parameters: [] }) // https://api.example.com/v1/orders/a%2Fb?q=x%20y
 */
export function buildUrl(request: UrlRequest): BuiltUrl {
  const objection = objectToBase(request.baseUrl)
  if (objection !== undefined) return refused(objection)
  const names = [...request.path.matchAll(placeholder)].map((match) => match[1]!)
  const missing = names.filter((name) => (request.pathParams.get(name) ?? "") === "")
  if (missing.length > 0) {
    const list = [...new Set(missing)].map((name) => `"${name}"`).join(", ")
    return { ok: false, reason: "path-param-missing", message: `${request.path}: no value for ${list}` }
  }
  for (const [place, values] of [
    ["path", request.pathParams],
    ["query", request.query],
  ] as const) {
    for (const [name, value] of values) {
      if (loneSurrogate.test(name) || loneSurrogate.test(value))
        return refused(
          `the ${place} parameter ${JSON.stringify(name)} holds half of a character, which UTF-8 cannot say`,
        )
    }
  }
  const segments = fillPath(request)
  if (!Array.isArray(segments)) return refused(segments as string)
  return { ok: true, url: join(request.baseUrl, segments.join("/"), serializeQuery(request)) }
}

const refused = (message: string): BuiltUrl => ({ ok: false, reason: "refused", message })

const placeholder = /\{([^{}]+)\}/g
const loneSurrogate = /\p{Surrogate}/u

function objectToBase(baseUrl: string): string | undefined {
  if (baseUrl === "")
    return `there is no base URL: no variable "baseUrl", and no absolute server in the document`
  // The parser of URLs would drop these characters without a word.
  if (/[\u0000-\u0020\u007f]/.test(baseUrl)) return "the base URL holds blanks or control characters"
  if (!/^https?:\/\/[^/?#\\]/i.test(baseUrl) || !URL.canParse(baseUrl))
    return "the base URL is no absolute http or https URL"
  return baseUrl.includes("#") ? "the base URL has a fragment (#), which is never sent" : undefined
}

/** The segments of the path, or why they cannot stand. */
function fillPath({ path, pathParams, parameters }: UrlRequest): readonly string[] | string {
  const segments: string[] = []
  // What follows `#` tells operations of some documents apart, and is never sent.
  for (const template of path.split("#", 1)[0]!.split("/")) {
    // Of what a pattern splits at, its group stands at the odd places.
    const parts = template.split(placeholder)
    const names = parts.filter((_, index) => index % 2 === 1)
    const filled = parts
      .map((part, index) =>
        index % 2 === 0 ? encodeLiteral(part) : serializePath(part, pathParams.get(part)!, parameters),
      )
      .join("")
    // RFC 3986 section 5.2.4: these segments would be removed, and something else addressed.
    const dots = names.find((name) => isDots(pathParams.get(name)!))
    if (dots !== undefined)
      return `the path parameter ${JSON.stringify(dots)} makes a segment "." or "..", which no URL can carry`
    segments.push(filled)
  }
  return segments
}

const isDots = (text: string): boolean => text === "." || text === ".."

/** Literal parts of a template may hold what a URL cannot: blanks, quotes, letters beyond ASCII. */
const encodeLiteral = (text: string): string =>
  text.replaceAll(/[^\u0021-\u007e]|["<>\\^`{|}]/gu, (char) =>
    encodeURIComponent(loneSurrogate.test(char) ? "\ufffd" : char),
  )

const findParameter = (
  parameters: readonly Parameter[],
  place: Parameter["in"],
  name: string,
): Parameter | undefined => parameters.find((parameter) => parameter.in === place && parameter.name === name)

function serializePath(name: string, value: string, parameters: readonly Parameter[]): string {
  switch (findParameter(parameters, "path", name)?.style) {
    case "label":
      return `.${encode(value)}`
    case "matrix":
      return `;${encode(name)}=${encode(value)}`
    default:
      return encode(value)
  }
}

const serializeQuery = ({ query, parameters }: UrlRequest): string =>
  [...query]
    .map(([name, value]) => {
      const isReserved = findParameter(parameters, "query", name)?.allowReserved === true
      return `${encode(name)}=${isReserved ? encodeUnreservedOnly(value) : encode(value)}`
    })
    .join("&")

/** Everything but RFC 3986's unreserved characters. */
const encode = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/**
 * `allowReserved`: reserved characters and what is percent-encoded already stand as they are (RFC 6570 section 3.2.3), but
 * for `#`, which would end the query.
 */
const encodeUnreservedOnly = (text: string): string =>
  text.replaceAll(/%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+/gu, (part) => encode(part))

/** Joined with exactly one slash; the base's own path and query are kept. */
function join(baseUrl: string, path: string, query: string): string {
  const [base, baseQuery] = split(baseUrl)
  const [ownPath, ownQuery] = split(path)
  const queries = [baseQuery, ownQuery, query].filter((part) => part !== "").join("&")
  return `${base.replace(/\/+$/, "")}/${ownPath.replace(/^\/+/, "")}${queries === "" ? "" : `?${queries}`}`
}

function split(text: string): readonly [path: string, query: string] {
  const cut = text.indexOf("?")
  return cut === -1 ? [text, ""] : [text.slice(0, cut), text.slice(cut + 1)]
}
