// Chooses the proxy for a server from HTTP_PROXY, HTTPS_PROXY and NO_PROXY. Lowercase names win.

import { decodePercent, ownOf } from "@callsheet/format"
import { BlockList, isIP } from "node:net"
import { domainToASCII } from "node:url"
import { isLoopback } from "./loopback.ts"

export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

export interface Proxy {
  /** The name of the process variable. */
  readonly variable: string
  readonly secure: boolean
  readonly host: string
  readonly port: number
  /** The value of the `proxy-authorization` header, which the server never sees. */
  readonly authorization: string | undefined
}

export interface Proxies {
  readonly http: ProxySetting
  readonly https: ProxySetting
  readonly exceptions: readonly Exception[]
}

/** An entry of NO_PROXY. */
interface Exception {
  /** Undefined for every port. */
  readonly port: number | undefined
  readonly includes: (host: string) => boolean
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
      .filter((entry) => entry !== "")
      .map(readException),
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
    variable,
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
  isLoopback(server.host) ||
  proxies.exceptions.some(
    ({ port, includes }) => (port === undefined || port === server.port) && includes(server.host),
  )

/**
 * Reads an entry of NO_PROXY: `*`, `host`, `.domain`, `*.domain`, an IP address or a range such as `10.0.0.0/8`, each
 * optionally with `:port`. An IPv6 address with a port needs brackets.
 */
function readException(entry: string): Exception {
  const [, inBrackets, bits = "", bracketPort] = /^\[(.*)\](\/\d+)?(?::(\d+))?$/.exec(entry) ?? []
  if (inBrackets !== undefined) return { port: portOf(bracketPort), includes: matcherOf(inBrackets + bits) }
  const [, name = entry, port] = /^([^:]*):(\d+)$/.exec(entry) ?? []
  return { port: portOf(port), includes: matcherOf(name) }
}

const portOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

function matcherOf(name: string): Exception["includes"] {
  if (name === "*") return () => true
  const [address = "", bits] = name.split("/")
  if (isIP(address) !== 0) return rangeMatcher(address, bits)
  const domain = withoutDot(name.replace(/^\*?\./, ""))
  // As in curl, a host includes its subdomains.
  const host = domainToASCII(domain)
  if (host === "" || bits !== undefined) return () => false
  return (given) => withoutDot(given) === host || withoutDot(given).endsWith(`.${host}`)
}

/** Host names may end in a dot, which doesn't change their meaning. */
const withoutDot = (host: string): string => host.replace(/\.$/, "")

function rangeMatcher(address: string, bits: string | undefined): Exception["includes"] {
  const size = isIP(address) === 6 ? 128 : 32
  const length = bits === undefined ? size : /^\d{1,3}$/.test(bits) ? Number(bits) : Infinity
  if (length > size) return () => false
  const range = new BlockList()
  range.addSubnet(address, length, isIP(address) === 6 ? "ipv6" : "ipv4")
  return (host) => isIP(host) !== 0 && range.check(host, isIP(host) === 6 ? "ipv6" : "ipv4")
}
