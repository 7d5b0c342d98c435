// The address where the server listens, and its own `Host` values.

import { isIP, isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"

export interface Listening {
  /** An IP address, never a name, which could resolve to another address later. */
  readonly address: string
  readonly isRemote: boolean
}

const LOOPBACK = "127.0.0.1"

/** Reads `--host`. Throws `usage` if it is not an address, or if others could reach it and `allowRemote` is not set. */
export function settleHost(host: string | undefined, allowRemote: boolean): Listening {
  if (host === undefined || host === "localhost") return { address: LOOPBACK, isRemote: false }
  if (isIP(host) === 0) {
    throw new CallsheetError(messages.usage.host(host, LOOPBACK))
  }
  if (isLoopback(host)) return { address: host, isRemote: false }
  if (allowRemote) return { address: host, isRemote: true }
  throw new CallsheetError(messages.usage.remoteHost(host))
}

/** Returns the server's `Host` values at that port: those that a local browser sends, and the listening address. */
export function hostsOf({ address, isRemote }: Listening, port: number): ReadonlySet<string> {
  const addresses = [LOOPBACK, "localhost", "::1", ...(isAny(address) ? ownAddresses() : [address])]
  const names = isRemote ? addresses : addresses.filter((name) => name === "localhost" || isLoopback(name))
  return new Set(names.map((name) => authority(name, port)))
}

/** Returns the origin at which a browser finds the server: `http://127.0.0.1:4000`. */
export function originOf({ address }: Listening, port: number): string {
  const own = ownAddresses().find((name) => isIPv6(name) === isIPv6(address))
  return `http://${authority(isAny(address) ? (own ?? LOOPBACK) : address, port)}`
}

/** Formats like browsers: without port 80, and IPv6 in brackets. */
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
