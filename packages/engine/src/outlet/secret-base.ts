// Masks a secret base URL in the URLs built from it. Each part becomes `***`, however short it is.

import { decodePercent, type Headers, setOwn, ownOf } from "@callsheet/format"
import type { BaseUrl } from "@callsheet/openapi"
import { MASK } from "./mask.ts"

export class SecretBase {
  readonly #host: string
  readonly #origin: string
  readonly #segments: readonly string[]
  readonly #pairs: readonly string[]
  /** The names of the parameters in the base URL's query. */
  readonly names: ReadonlySet<string>

  constructor({ path, query }: BaseUrl) {
    const { host, origin } = new URL(path)
    this.#host = host
    this.#origin = origin
    // Drop the scheme and the host.
    this.#segments = path.split("/").slice(3).map(spelling)
    this.#pairs = query === "" ? [] : query.split("&").map(spelling)
    this.names = new Set(new URLSearchParams(query).keys())
  }

  /** Returns whether a normalized origin is that of the base URL. */
  owns(origin: string): boolean {
    return origin === this.#origin
  }

  /** Masks the absolute URL of a request or a redirect. Doesn't change URLs of other origins. */
  url(url: string): string {
    if (!URL.canParse(url) || !this.owns(new URL(url).origin)) return url
    const [, path = "", query] = /^[^/]*\/\/[^/?#]*([^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
    const shown = MASK + this.#path(path)
    return query === undefined || query === "" ? shown : `${shown}?${this.#query(query)}`
  }

  /** Masks the headers of a request, or of the response to it. */
  headers(headers: Headers, url: string): Headers {
    const shown: Record<string, Headers[string]> = { ...headers }
    if (shown["host"] === this.#host) shown["host"] = MASK
    for (const name of ["location", "content-location"]) {
      const location = ownOf(shown, name)
      if (typeof location === "string" && URL.canParse(location, url))
        setOwn(shown, name, this.url(new URL(location, url).href))
    }
    const cookies = shown["set-cookie"]
    if (cookies !== undefined) shown["set-cookie"] = [cookies].flat().map((cookie) => this.#cookie(cookie))
    return shown
  }

  /** Masks the leading segments that both paths share. A redirect may lead to a sibling of the base URL. */
  #path(path: string): string {
    const segments = path.split("/").slice(1)
    let own = 0
    while (own < segments.length && spelling(segments[own] ?? "") === this.#segments[own]) own++
    return segments
      .slice(own)
      .map((segment) => `/${segment}`)
      .join("")
  }

  /** Masks one pair of the query for each pair in the base URL. */
  #query(query: string): string {
    const own = [...this.#pairs]
    const pairs = query.split("&").map((pair) => {
      const at = own.indexOf(spelling(pair))
      if (at === -1) return pair
      own.splice(at, 1)
      return MASK
    })
    return pairs.filter((pair, at) => pair !== MASK || pairs[at - 1] !== MASK).join("&")
  }

  /** Masks the path and the domain of a cookie, which often repeat those of the base URL. */
  #cookie(cookie: string): string {
    return cookie
      .replace(/(;\s*path=)(\/[^;]*)/i, (_, name: string, path: string) => {
        const shown = this.#path(path.trim())
        return name + (shown === path.trim() ? path : MASK + shown)
      })
      .replace(/(;\s*domain=)[^;]*/i, `$1${MASK}`)
  }
}

/** Decodes a segment, because servers and `URL` escape different characters. */
const spelling = (text: string): string => decodePercent(text) ?? text
