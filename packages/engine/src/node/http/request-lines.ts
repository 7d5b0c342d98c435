// The header lines of a request: the caller's as they are, and the few defaults that the caller left out.

import type { Hop } from "./hop.ts"

export interface Additions {
  /** All cookies of the request as one text, where it is not the caller's own `cookie` header that stands. */
  readonly cookie: string | undefined
  readonly userAgent: string
}

/** Methods for which a request without a body says nothing about its length (RFC 9110 section 8.6). */
const bodiless = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"])

/**
 * Names and values in turn, in the order sent: `host` first, then the caller's in their order and case, then defaults.
 */
export function requestLines(hop: Hop, { cookie, userAgent }: Additions): string[] {
  const given = new Set<string>()
  for (const [name] of hop.headers) given.add(name.toLowerCase())
  const lines: string[] = given.has("host") ? [] : ["host", hop.target.origin.hostHeader]
  for (const [name, value] of hop.headers)
    if (cookie === undefined || name.toLowerCase() !== "cookie") lines.push(name, value)
  if (!given.has("user-agent")) lines.push("user-agent", userAgent)
  if (!given.has("accept")) lines.push("accept", "*/*")
  if (!given.has("accept-encoding")) lines.push("accept-encoding", "gzip, deflate, br")
  const { credentials } = hop.target
  if (credentials !== undefined && !given.has("authorization"))
    lines.push("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`)
  if (cookie !== undefined && cookie !== "") lines.push("cookie", cookie)
  if (!given.has("content-length") && !given.has("transfer-encoding")) {
    if (hop.body !== undefined) lines.push("content-length", String(hop.body.byteLength))
    else if (!bodiless.has(hop.method.toUpperCase())) lines.push("content-length", "0")
  }
  if (!given.has("connection")) lines.push("connection", "keep-alive")
  return lines
}
