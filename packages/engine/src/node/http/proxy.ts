// Chooses the proxy for a server from HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Lowercase names win.

import { decodePercent, ownOf } from "@callsheet/format"
import { isIPv4 } from "node:net"

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

export interface Proxy {
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** The value of the `proxy-authorization` header, which the server never sees. */
  readonly authorization: string | undefined
}

export interface Proxies {
  readonly http: ProxySetting
  readonly https: ProxySetting
  readonly exceptions: readonly string[]
}

/** A proxy, undefined for a direct connection, or the name of the process variable with an invalid value. */
type ProxySetting = Proxy | { readonly invalid: string } | undefined

interface Server {
  readonly secure: boolean
  readonly host: string
  readonly port: number
}

/** Reads the process variables once. An empty variable counts as missing. */
export function readProxies(environment: ProcessEnvironment): Proxies {
  const read = (name: string): readonly [name: string, value: string] | undefined => {
    for (const variable of [name, name.toUpperCase()]) {
      const value = ownOf(environment, variable)
      if (value !== undefined && value !== "") return [variable, value]
    }
    return undefined
  }
  return {
    http: readProxy(read("http_proxy")),
    https: readProxy(read("https_proxy")),
    exceptions: (read("no_proxy")?.[1] ?? "")
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((entry) => entry !== ""),
  }
}

/** Returns the proxy for a server. Loopback hosts and those in NO_PROXY need none. */
export function proxyFor(server: Server, proxies: Proxies): ProxySetting {
  const setting = server.secure ? proxies.https : proxies.http
  return setting === undefined || isExempt(server, proxies) ? undefined : setting
}

function readProxy(found: readonly [name: string, value: string] | undefined): ProxySetting {
  if (found === undefined) return undefined
  const [variable, value] = found
  const text = value.includes("://") ? value : `http://${value}`
  if (!URL.canParse(text)) return { invalid: variable }
  const url = new URL(text)
  const secure = url.protocol === "https:"
  if ((!secure && url.protocol !== "http:") || url.hostname === "") return { invalid: variable }
  return {
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    authorization:
      url.username === "" && url.password === "" ? undefined : basicAuthorization(url.username, url.password),
  }
}

const basicAuthorization = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${decodeText(user)}:${decodeText(password)}`).toString("base64")}`

export const decodeText = (text: string): string => decodePercent(text) ?? text

const isExempt = (server: Server, proxies: Proxies): boolean =>
  isLoopback(server.host) || proxies.exceptions.some((entry) => isException(entry, server))

function isLoopback(host: string): boolean {
  return (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    host === "::1" ||
    (isIPv4(host) && host.startsWith("127."))
  )
}

/**
 * Returns whether an entry of NO_PROXY matches the server: `*`, `host`, `.domain` or `*.domain`, each optionally with
 * `:port`. As in curl, a host includes its subdomains.
 */
function isException(entry: string, { host, port }: Server): boolean {
  if (entry === "*") return true
  const split = /^(\[[^\]]*\]|[^:]*)(?::([0-9]+))?$/.exec(entry)
  const [name, entryPort] = split === null ? [entry, undefined] : [split[1] ?? "", split[2]]
  if (entryPort !== undefined && Number(entryPort) !== port) return false
  const domain = name.replace(/^\*?\./, "").replace(/^\[|\]$/g, "")
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`))
}
