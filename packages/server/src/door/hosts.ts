// The address that the server listens on, and the `Host` values it accepts.

import { isIP, isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"

export interface Listening {
  /** An IP address. Names aren't allowed, because they could resolve to another address later. */
  readonly address: string
  readonly isRemote: boolean
}

const LOOPBACK = "127.0.0.1"

/** Reads `--host`. Throws `usage` if it isn't an address, or if others could reach it and `allowRemote` isn't set. */
export function settleHost(host: string | undefined, allowRemote: boolean): Listening {
  if (host === undefined || host === "localhost") return { address: LOOPBACK, isRemote: false }
  if (isIP(host) === 0) {
    throw new CallsheetError(messages.usage.host(host, LOOPBACK))
  }
  if (isLoopback(host)) return { address: host, isRemote: false }
  if (allowRemote) return { address: host, isRemote: true }
  throw new CallsheetError(messages.usage.remoteHost(host))
}

/** Returns the `Host` values that are accepted at a port: those that a local browser sends, and the listening address. */
export function hostsOf({ address, isRemote }: Listening, port: number): ReadonlySet<string> {
  const addresses = [LOOPBACK, "localhost", "::1", ...(isAny(address) ? ownAddresses() : [address])]
  const names = isRemote ? addresses : addresses.filter((name) => name === "localhost" || isLoopback(name))
  return new Set(names.map((name) => authority(name, port)))
}

/** Returns the origin under which a browser reaches the server: `http://127.0.0.1:4000`. */
export function originOf({ address }: Listening, port: number): string {
  const own = ownAddresses().find((name) => isIPv6(name) === isIPv6(address))
  return `http://${authority(isAny(address) ? (own ?? LOOPBACK) : address, port)}`
}

/** Formats a host as browsers do: without port 80, and IPv6 in brackets. */
function authority(name: string, port: number): string {
  const host = isIPv6(name) ? `[${name}]` : name
  return port === 80 ? host : `${host}:${port}`
}

const isLoopback = (address: string): boolean => address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address)
const isAny = (address: string): boolean => address === "0.0.0.0" || address === "::"

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((own = []) =>
    own.filter(({ internal }) => !internal).map(({ address }) => address),
  )
