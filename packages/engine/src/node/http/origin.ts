// Parses a URL to the origin to connect to, the path to request, and the text that messages may show.

import { isIP } from "node:net"
import type { UrlProblem } from "../../messages.ts"
import { decodeText, proxyFor, type Proxies, type Proxy } from "./proxy.ts"

/** The address of a server, and facts about the server. Each port has one object per origin. */
export interface Origin {
  /** The normalized origin, without user, password and default port: `https://api.example.com`. */
  readonly key: string
  readonly secure: boolean
  /** The host to connect to. An IPv6 address has no brackets here. */
  readonly host: string
  readonly port: number
  /** The `host` header of requests that don't set their own. */
  readonly hostHeader: string
  /** The server name for TLS. Empty for an IP address (RFC 6066 section 3). */
  readonly serverName: string
  readonly proxy: Proxy | undefined
  /** The time in milliseconds for which an idle connection can be reused. */
  idleLimitMs: number
}

export interface Target {
  readonly origin: Origin
  /** The path and query as given. Dots and escapes are not normalized. */
  readonly path: string
  /** The decoded user and password of the URL: `user:password`. */
  readonly credentials: string | undefined
}

type TargetResult =
  | { readonly ok: true; readonly target: Target }
  | { readonly ok: false; readonly problem: UrlProblem }

export type TargetParser = (url: string) => TargetResult

/** The idle limit for servers that don't send `keep-alive: timeout=`. Few servers close a connection earlier. */
const defaultIdleLimitMs = 4_000

/** Creates a parser of absolute URLs. Parses each origin once. */
export function createTargetParser(proxies: Proxies): TargetParser {
  const origins = new Map<string, Origin>()
  return (url) => {
    const split = /^(https?:\/\/)([^/?#]*)([^#]*)/i.exec(url)
    if (split === null) return { ok: false, problem: problemOfScheme(url) }
    const [, scheme = "", authority = "", rest = ""] = split
    if (/[^\x21-\x7e]/.test(rest)) return { ok: false, problem: "character" }
    // `URL` would silently fix backslashes, tabs and line breaks.
    if (/[\s\\\u0000-\u001f\u007f]/.test(authority)) return { ok: false, problem: "bad host" }
    const at = authority.lastIndexOf("@")
    const place = scheme + authority.slice(at + 1)
    let origin = origins.get(place)
    if (origin === undefined) {
      const read = readOrigin(place, proxies)
      if (!("key" in read)) return { ok: false, problem: read.problem }
      origins.set(place, read)
      origin = read
    }
    const credentials = at === -1 ? undefined : decodeText(authority.slice(0, at))
    return { ok: true, target: { origin, path: rest.startsWith("/") ? rest : `/${rest}`, credentials } }
  }
}

/** Returns the whole URL without user and password, for events, which are masked. */
export const fullUrl = (target: Target): string => target.origin.key + target.path

/** Removes the query, for cookies and for messages. */
export const withoutQuery = (url: string): string => url.replace(/\?.*$/s, "")

function problemOfScheme(url: string): UrlProblem {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]
  if (scheme === undefined) return "relative"
  return /^https?$/i.test(scheme) ? "no host" : { scheme }
}

function readOrigin(place: string, proxies: Proxies): Origin | { readonly problem: UrlProblem } {
  if (place.endsWith("//")) return { problem: "no host" }
  if (!URL.canParse(place)) return { problem: "bad host" }
  const url = new URL(place)
  const secure = url.protocol === "https:"
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  const proxy = proxyFor({ secure, host, port }, proxies)
  if (proxy !== undefined && "invalid" in proxy) return { problem: { proxyVariable: proxy.invalid } }
  return {
    key: url.origin,
    secure,
    host,
    port,
    hostHeader: url.host,
    serverName: isIP(host) === 0 ? host : "",
    proxy,
    idleLimitMs: defaultIdleLimitMs,
  }
}
