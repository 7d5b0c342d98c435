// Cookie jars (RFC 6265) of one run. Each API has one per scheme and port, so that a cookie never reaches another origin on
// the same host.

import { getOrCreate } from "@callsheet/format"
import type { Cookie, CookieJar } from "tough-cookie"
import type { Hop } from "./hop.ts"
import { fullUrl, withoutQuery, type Target } from "./origin.ts"

export interface Cookies {
  /**
   * Returns the value of the `cookie` header: the request's own cookies and those of the jar. Undefined without any.
   */
  readonly header: (api: string, hop: Hop) => string | undefined
  /** Stores the cookies of a response. Loads the cookie library on the first call. */
  readonly store: (api: string, target: Target, lines: readonly string[]) => Promise<void>
}

/**
 * Creates the jars of a run. If the request has a `cookie` header and no other cookies, `header` returns undefined,
 * because that header is sent unchanged.
 */
export function createCookies(): Cookies {
  const jars = new Map<string, Jar>()
  return {
    header: (api, hop) => {
      const jar = jars.size === 0 ? undefined : jars.get(jarName(api, hop.target))
      if (jar === undefined && isEmpty(hop.cookies)) return undefined
      const given = hop.headers.flatMap(([name, value]) => (name.toLowerCase() === "cookie" ? [value] : []))
      const own = new Set([...Object.keys(hop.cookies), ...given.flatMap(cookieNames)])
      const pairs = [...given]
      for (const [name, values] of Object.entries(hop.cookies))
        for (const value of typeof values === "string" ? [values] : values)
          if (value !== "") pairs.push(`${name}=${value}`)
      for (const cookie of jar === undefined ? [] : cookiesFor(jar, hop.target))
        if (!own.has(cookie.key)) pairs.push(cookie.cookieString())
      return pairs.join("; ")
    },
    store: async (api, target, lines) => {
      const { Cookie, CookieJar } = await import("tough-cookie")
      const name = jarName(api, target)
      const jar = getOrCreate(jars, name, () => ({ cookies: new CookieJar(), found: new Map() }))
      jar.found.clear()
      for (const line of lines) {
        const cookie = Cookie.parse(line)
        if (cookie === undefined) continue
        fixExpiry(cookie)
        // Like a browser, drop a cookie that the jar rejects, such as one for another domain.
        jar.cookies.setCookieSync(cookie, fullUrl(target), { ignoreError: true })
      }
    },
  }
}

const lastTime = 8.64e15

/** Counts `Max-Age` from now, as RFC 6265 section 5.2.2 requires. The library counts from the last use. */
function fixExpiry(cookie: Cookie): void {
  if (typeof cookie.maxAge !== "number" || cookie.maxAge <= 0) return
  cookie.expires = new Date(Math.min(Date.now() + cookie.maxAge * 1000, lastTime))
  cookie.maxAge = null
}

interface Jar {
  readonly cookies: CookieJar
  /** The cookies per URL, cached until a response sets one. A lookup costs half as much as a request. */
  readonly found: Map<string, readonly Cookie[]>
}

const maxFound = 1_000

function cookiesFor({ cookies, found }: Jar, target: Target): readonly Cookie[] {
  const url = fullUrl(target)
  const key = withoutQuery(url)
  const known = found.get(key)
  if (known !== undefined) return known
  const fresh = cookies.getCookiesSync(url)
  if (fresh.every((cookie) => cookie.expiryTime() === Infinity)) {
    if (found.size >= maxFound) found.clear()
    found.set(key, fresh)
  }
  return fresh
}

export const cookieNames = (text: string): string[] =>
  text.split(";").flatMap((pair) => {
    const name = pair.split("=", 1)[0]?.trim() ?? ""
    return name === "" ? [] : [name]
  })

const jarName = (api: string, { origin }: Target): string =>
  `${api} ${origin.secure ? "https" : "http"} ${origin.port}`

function isEmpty(record: Hop["cookies"]): boolean {
  for (const _ in record) return false
  return true
}
