// Builds the header lines of a request: the caller's lines unchanged, and defaults for missing ones.

import type { Hop } from "./hop.ts"

export interface Additions {
  /** The value of the `cookie` header. Absent if the caller sets this header. */
  readonly cookie: string | undefined
  readonly userAgent: string
}

/** Methods that need no `content-length` for a request without a body (RFC 9110 section 8.6). */
const bodiless = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"])

/**
 * Returns alternating names and values in sending order: `host`, the caller's lines in their order and case, then
 * defaults.
 */
export function requestLines(hop: Hop, { cookie, userAgent }: Additions): string[] {
  const { credentials, origin } = hop.target
  const lines = ["host", origin.hostHeader]
  let hasHost = false
  let hasAgent = false
  let hasAccept = false
  let hasEncoding = false
  let hasAuthorization = false
  let hasLength = false
  let hasConnection = false
  for (const [name, value] of hop.headers) {
    switch (name.toLowerCase()) {
      case "host":
        // If the caller sets `host`, keep its position.
        if (!hasHost) lines.splice(0, 2)
        hasHost = true
        break
      case "cookie":
        if (cookie !== undefined) continue
        break
      case "user-agent":
        hasAgent = true
        break
      case "accept":
        hasAccept = true
        break
      case "accept-encoding":
        hasEncoding = true
        break
      case "authorization":
        hasAuthorization = true
        break
      case "content-length":
      case "transfer-encoding":
        hasLength = true
        break
      case "connection":
        hasConnection = true
    }
    lines.push(name, value)
  }
  if (!hasAgent) lines.push("user-agent", userAgent)
  if (!hasAccept) lines.push("accept", "*/*")
  if (!hasEncoding) lines.push("accept-encoding", "gzip, deflate, br")
  if (credentials !== undefined && !hasAuthorization)
    lines.push("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`)
  if (cookie !== undefined && cookie !== "") lines.push("cookie", cookie)
  if (!hasLength) {
    if (hop.body !== undefined) lines.push("content-length", String(hop.body.byteLength))
    else if (!bodiless.has(hop.method.toUpperCase())) lines.push("content-length", "0")
  }
  if (!hasConnection) lines.push("connection", "keep-alive")
  return lines
}
