// Cookie jars (RFC 6265), one per API, scheme and port: no cookie crosses to another origin of the same host.

import type { CookieJar } from "tough-cookie"
import type { Hop } from "./hop.ts"
import { fullUrl, type Target } from "./origin.ts"

export interface Cookies {
  /** The value of the request's `cookie` header: its own cookies and the jar's, empty where there are none. */
  readonly header: (api: string, hop: Hop) => string | undefined
  /** Keeps what a response sets. Loads the cookie library on the first call. */
  readonly store: (api: string, target: Target, lines: readonly string[]) => Promise<void>
}

/**
 * Makes the jars of a run. Its `header` is undefined where the request has no cookies but those in a `cookie` header
 * of its own: then that stands as it is.
 */
export function createCookies(): Cookies {
  const jars = new Map<string, CookieJar>()
  return {
    header: (api, hop) => {
      const jar = jars.size === 0 ? undefined : jars.get(jarName(api, hop.target))
      if (jar === undefined && isEmpty(hop.cookies)) return undefined
      const given = hop.headers.flatMap(([name, value]) => (name.toLowerCase() === "cookie" ? [value] : []))
      const own = new Set([...Object.keys(hop.cookies), ...given.flatMap(cookieNames)])
      const pairs = [...given]
      for (const [name, value] of Object.entries(hop.cookies))
        if (value !== "") pairs.push(`${name}=${value}`)
      for (const cookie of jar?.getCookiesSync(fullUrl(hop.target)) ?? [])
        if (!own.has(cookie.key)) pairs.push(cookie.cookieString())
      return pairs.join("; ")
    },
    store: async (api, target, lines) => {
      const { CookieJar } = await import("tough-cookie")
      const name = jarName(api, target)
      let jar = jars.get(name)
      if (jar === undefined) jars.set(name, (jar = new CookieJar()))
      // What the jar refuses (another domain, a broken `__Host-` cookie) is not kept, as in a browser.
      for (const line of lines) jar.setCookieSync(line, fullUrl(target), { ignoreError: true })
    },
  }
}

/** The names in the text of a `cookie` header. */
export const cookieNames = (text: string): string[] =>
  text.split(";").flatMap((pair) => {
    const name = pair.split("=", 1)[0]?.trim() ?? ""
    return name === "" ? [] : [name]
  })

const jarName = (api: string, { origin }: Target): string =>
  `${api} ${origin.secure ? "https" : "http"} ${origin.port}`

function isEmpty(record: Readonly<Record<string, string>>): boolean {
  for (const _ in record) return false
  return true
}
