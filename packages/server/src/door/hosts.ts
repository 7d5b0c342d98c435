// Where the server listens, and which values of `Host` are its own.

import { isIP, isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"
import { CallsheetError } from "@callsheet/format"
import { messages } from "../messages.ts"

export interface Listening {
  /** An address; never a name, which could come to mean another one. */
  readonly address: string
  /** Whether other machines may reach it. */
  readonly isRemote: boolean
}

const LOOPBACK = "127.0.0.1"

/** What `--host` asks for. Throws `usage` where that is no address, or where others could reach it and that was not asked for. */
export function settleHost(host: string | undefined, allowRemote: boolean): Listening {
  if (host === undefined || host === "localhost") return { address: LOOPBACK, isRemote: false }
  if (isIP(host) === 0) {
    throw new CallsheetError(messages.usage.host(host, LOOPBACK))
  }
  if (isLoopback(host)) return { address: host, isRemote: false }
  if (allowRemote) return { address: host, isRemote: true }
  throw new CallsheetError(messages.usage.remoteHost(host))
}

/** The values of `Host` of a server at that port: what a browser of this machine sends, and the address that it listens at. */
export function hostsOf({ address, isRemote }: Listening, port: number): ReadonlySet<string> {
  const addresses = [LOOPBACK, "localhost", "::1", ...(isAny(address) ? ownAddresses() : [address])]
  const names = isRemote ? addresses : addresses.filter((name) => name === "localhost" || isLoopback(name))
  return new Set(names.map((name) => authority(name, port)))
}

/** `http://127.0.0.1:4000`: where a browser of this machine, or of another one, finds the server. */
export function originOf({ address }: Listening, port: number): string {
  const own = ownAddresses().find((name) => isIPv6(name) === isIPv6(address))
  return `http://${authority(isAny(address) ? (own ?? LOOPBACK) : address, port)}`
}

/** As browsers write it: without the port of HTTP itself, and IPv6 in brackets. */
function authority(name: string, port: number): string {
  const host = isIPv6(name) ? `[${name}]` : name
  return port === 80 ? host : `${host}:${port}`
}

const isLoopback = (address: string): boolean => address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address)
const isAny = (address: string): boolean => address === "0.0.0.0" || address === "::"

/** The addresses under which others reach this machine. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((own = []) =>
    own.filter(({ internal }) => !internal).map(({ address }) => address),
  )
