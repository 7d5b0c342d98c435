// Explains why a request failed. Never shows a library's message, which may quote the value of a header.

import type { Finding } from "@callsheet/format"
import { MASK } from "../../outlet/mask.ts"
import { certificateReasons, messages, protocolReasons } from "../../messages.ts"
import type { Origin } from "./origin.ts"
import { ProxyRefusal } from "./tunnel.ts"

export type Fault = Finding<"request-failed">

/** The limit on a response's header section. Node's default of 16 KiB is too small for some gateways. */
export const maxHeaderBytes = 256 * 1024

/** Thrown if a certificate of the user-level file can't be used. */
export class CertificateError extends Error {
  override readonly name = "CertificateError"
  readonly fault: Fault

  constructor(fault: Fault) {
    super(fault.message)
    this.fault = fault
  }
}

const says = messages["request-failed"]

const isKeyOf = <Table extends object>(table: Table, key: string): key is keyof Table & string =>
  Object.hasOwn(table, key)

interface Destination {
  readonly origin: Origin
  /** True if messages must not show the origin. */
  readonly isOriginSecret: boolean
}

export function describeError(error: NodeJS.ErrnoException, destination: Destination): Fault {
  if (error instanceof ProxyRefusal) return describeRefusal(destination.origin, error)
  if (error instanceof CertificateError) return error.fault
  const code = error.code ?? "unknown error"
  if (isKeyOf(certificateReasons, code)) return says.certificate(code)
  if (code === "HPE_HEADER_OVERFLOW") return says.largeHeaders(maxHeaderBytes, code)
  if (code.startsWith("HPE_")) return describeParseError(error, code)
  if (code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_"))
    return describeTlsError(error, code, destination)
  const { origin, isOriginSecret } = destination
  if (code === "ECONNRESET" && error.syscall === undefined) return says.emptyReply(code, origin.secure)
  const to = origin.proxy ?? origin
  const isSecret = isOriginSecret && origin.proxy === undefined
  return says.connection(code, {
    host: isSecret ? MASK : to.host,
    address: isSecret ? MASK : addressOf(to),
    proxyVariable: origin.proxy?.variable,
  })
}

/** Explains the response of a proxy that doesn't pass on the request. */
export function describeRefusal(
  { proxy }: Origin,
  { status, challenge = "" }: Pick<ProxyRefusal, "status" | "challenge">,
): Fault {
  const address = proxy === undefined ? "" : addressOf(proxy)
  if (status !== 407 || proxy === undefined) return says.proxyRefusal(address, status)
  const schemes = [...challenge.matchAll(/(?:^|,)\s*([a-z][a-z0-9-]{0,20})(?=\s+[^\s=]|\s*,|\s*$)/gi)]
  return says.proxyAuthentication({
    address,
    variable: proxy.variable,
    hasCredentials: proxy.authorization !== undefined,
    schemes: [...new Set(schemes.map(([, scheme = ""]) => scheme))],
  })
}

const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.includes(":") ? `[${host}]` : host}:${port}`

function describeParseError(error: Error, code: string): Fault {
  const packet: unknown = "rawPacket" in error ? error.rawPacket : undefined
  if (code === "HPE_INVALID_CONSTANT" && packet instanceof Uint8Array) {
    // A TLS alert (RFC 8446 section 5.1: type 21, version 3.x), or an HTTP/2 SETTINGS frame (RFC 9113 section 4.1).
    if (packet[0] === 21 && packet[1] === 3) return says.tlsServer()
    if (packet[0] === 0 && packet[3] === 4) return says.malformed("http2", code)
  }
  // The parser's code depends on its version and on the order of headers. Its reason is a fixed string.
  const reason: unknown = "reason" in error ? error.reason : undefined
  if (
    typeof reason === "string" &&
    /can't be present with (?:Content-Length|Transfer-Encoding)/i.test(reason)
  )
    return says.malformed("framing", code)
  return says.malformed(isKeyOf(protocolReasons, code) ? code : "malformed", code)
}

function describeTlsError(error: Error, code: string, { origin, isOriginSecret }: Destination): Fault {
  // OpenSSL's reason is a fixed string without data. It is never shown.
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(`${code} ${error.message}`))
    return says.plainServer(isOriginSecret ? MASK : origin.port, code)
  const given = "reason" in error && typeof error.reason === "string" ? error.reason : undefined
  // If a write fails, the reason is only in the message: `…:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:…`
  const reason = given ?? /SSL routines:[^:]*:([^:]+):/.exec(error.message)?.[1]
  return says.handshake(
    code,
    reason !== undefined && /^[a-z0-9 /_.-]{1,80}$/i.test(reason) ? reason : undefined,
  )
}
