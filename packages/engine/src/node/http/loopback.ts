// Host names of this machine, which no DNS server is asked about (RFC 6761 section 6.3).

import { isIPv4, type LookupFunction } from "node:net"

/** Returns whether a host is this machine. Expects a normalized host without brackets. */
export const isLoopback = (host: string): boolean =>
  /^(?:.+\.)?localhost\.?$/.test(host) || host === "::1" || (isIPv4(host) && host.startsWith("127."))

const addresses = [
  { address: "127.0.0.1", family: 4 },
  { address: "::1", family: 6 },
]

const lookUpLoopback: LookupFunction = (_host, { all }, done) => {
  if (all === true) done(null, addresses)
  else done(null, "127.0.0.1", 4)
}

/** Returns the options that connect a name below `localhost` to this machine, because most systems don't know it. */
export const resolution = (host: string): { readonly lookup?: LookupFunction } =>
  /\.localhost\.?$/.test(host) ? { lookup: lookUpLoopback } : {}
