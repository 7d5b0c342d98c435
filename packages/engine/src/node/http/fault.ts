// What went wrong with a request, in words. A library's own message is never passed on: it may quote a header's value.

import type { Origin } from "./origin.ts"
import { MASK } from "../../mask.ts"
import { ProxyRefusal } from "./tunnel.ts"

export interface Fault {
  readonly message: string
  readonly hint?: string | undefined
}

/** Of a response's head; Node's default of 16 KiB is too small for some gateways. */
export const maxHeaderBytes = 256 * 1024

const untrusted = {
  hint: "for a test environment with a certificate of its own, set tls.verify to false in the environment file",
}

const expected = (code: string): string => `the server's certificate is not trusted: ${code}`

const certificateFaults: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: expected("it is self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: expected("its chain ends in a self-signed certificate"),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: expected("its issuer is not known here"),
  UNABLE_TO_GET_ISSUER_CERT: expected("its issuer is not known here"),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: expected("its issuer is not known here"),
  CERT_HAS_EXPIRED: expected("it has expired"),
  CERT_NOT_YET_VALID: expected("it is not valid yet"),
  CERT_REVOKED: expected("it was revoked"),
  CERT_UNTRUSTED: expected("its issuer is not trusted"),
  CERT_REJECTED: expected("its issuer rejects this use"),
  CERT_SIGNATURE_FAILURE: expected("its signature is wrong"),
  CERT_CHAIN_TOO_LONG: expected("its chain is too long"),
  INVALID_CA: expected("its issuer may not issue certificates"),
  INVALID_PURPOSE: expected("it is not made for servers"),
  HOSTNAME_MISMATCH: expected("it is made for other host names"),
  ERR_TLS_CERT_ALTNAME_INVALID: expected("it is made for other host names"),
}

const protocolFaults: Readonly<Record<string, string>> = {
  HPE_INVALID_CONSTANT: "it does not begin with an HTTP status line",
  HPE_INVALID_VERSION: "its HTTP version is not 1.0 or 1.1",
  HPE_INVALID_STATUS: "its status is not a number of three digits",
  HPE_INVALID_HEADER_TOKEN: "a header line is malformed",
  HPE_INVALID_CONTENT_LENGTH: "its content-length is not a number",
  HPE_UNEXPECTED_CONTENT_LENGTH: "it has more than one content-length",
  HPE_INVALID_TRANSFER_ENCODING: "its transfer-encoding is malformed",
  HPE_INVALID_CHUNK_SIZE: "the size of a chunk is malformed",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "a chunk's extension is larger than 16 KiB",
  HPE_CR_EXPECTED: "a line does not end in CR LF",
  HPE_LF_EXPECTED: "a line does not end in CR LF",
  HPE_STRICT: "a line does not end in CR LF",
  HPE_INVALID_EOF_STATE: "the connection was closed in the middle of it",
  HPE_CLOSED_CONNECTION: "more data came after it",
}

/** A malformed response: `reason` goes on after "the response breaks the HTTP protocol: ". */
export const protocolFault = (reason: string, code?: string): Fault => ({
  message: `the response breaks the HTTP protocol: ${reason}${code === undefined ? "" : ` (${code})`}`,
})

const proxyRefusal = ({ status }: ProxyRefusal): Fault => ({
  message: `the proxy did not open a connection to the server: it answered ${status}`,
  hint:
    status === 407 ? "put user and password into the proxy's URL: http://user:password@host:port" : undefined,
})

interface Place {
  readonly origin: Origin
  /** Messages don't name it. */
  readonly isOriginSecret: boolean
}

export function describeError(error: NodeJS.ErrnoException, place: Place): Fault {
  if (error instanceof ProxyRefusal) return proxyRefusal(error)
  const code = error.code ?? ""
  const certificate = certificateFaults[code]
  if (certificate !== undefined) return { message: `${certificate} (${code})`, ...untrusted }
  if (code === "HPE_HEADER_OVERFLOW")
    return { message: `the response's headers are larger than ${maxHeaderBytes / 1024} KiB (${code})` }
  if (code.startsWith("HPE_")) return describeParseError(error, code)
  if (code === "EPROTO" || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_"))
    return describeTlsError(error, place)
  return describeSystemError(error, place)
}

function describeParseError(error: Error, code: string): Fault {
  const packet: unknown = "rawPacket" in error ? error.rawPacket : undefined
  if (code === "HPE_INVALID_CONSTANT" && packet instanceof Uint8Array) {
    // A TLS alert (RFC 8446 section 5.1: type 21, version 3.x) and an HTTP/2 SETTINGS frame (RFC 9113 section 4.1).
    if (packet[0] === 21 && packet[1] === 3)
      return {
        message: "the server speaks TLS on this port, not plain HTTP",
        hint: "use https:// in the URL",
      }
    if (packet[0] === 0 && packet[3] === 4)
      return { ...protocolFault("it is HTTP/2", code), hint: "callsheet speaks HTTP/1.1" }
  }
  // Parsers give it one of three codes, by version and by which header comes first. Their reason is a fixed text.
  const reason: unknown = "reason" in error ? error.reason : undefined
  if (
    typeof reason === "string" &&
    /can't be present with (?:Content-Length|Transfer-Encoding)/i.test(reason)
  )
    return protocolFault("it has a content-length beside a transfer-encoding", code)
  return protocolFault(protocolFaults[code] ?? "it is malformed", code)
}

function describeTlsError(error: NodeJS.ErrnoException, { origin, isOriginSecret }: Place): Fault {
  const code = error.code ?? ""
  // OpenSSL's reason is a fixed text that holds no data; only its presence is looked at.
  if (/wrong.version.number|packet.length.too.long|http.request/i.test(`${code} ${error.message}`))
    return {
      message: `the server does not speak TLS on port ${isOriginSecret ? MASK : origin.port} (${code})`,
      hint: "use http:// in the URL, or the server's https port",
    }
  const reason = "reason" in error && typeof error.reason === "string" ? error.reason : undefined
  const known = reason !== undefined && /^[a-z0-9 /_.-]{1,80}$/i.test(reason) ? `: ${reason}` : ""
  return { message: `the TLS handshake failed${known} (${code})` }
}

type Words = readonly [message: string, hint?: string]

const unknownHost: Words = [
  "the host name HOST is not known",
  "check the host's spelling, and that this machine can look it up",
]
const unreachable: Words = ["SERVER cannot be reached from here"]
const tooManyFiles: Words = [
  "this process has too many open files and connections",
  "lower --concurrency, or raise the limit on open files",
]

const systemFaults: Readonly<Record<string, Words>> = {
  ECONNREFUSED: ["SERVER refused the connection", "is the server running, and is this its port?"],
  ENOTFOUND: unknownHost,
  EAI_NODATA: unknownHost,
  EAI_NONAME: unknownHost,
  EAI_AGAIN: ["the host name HOST could not be looked up just now", "is this machine online?"],
  ECONNRESET: ["the server reset the connection"],
  EPIPE: ["the server closed the connection while the request was being sent"],
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  EADDRNOTAVAIL: unreachable,
  ETIMEDOUT: ["SERVER does not answer"],
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
}

function describeSystemError(error: NodeJS.ErrnoException, { origin, isOriginSecret }: Place): Fault {
  const code = error.code ?? "unknown error"
  if (code === "ECONNRESET" && error.syscall === undefined)
    return {
      message: `the server closed the connection without a response: an empty reply (${code})`,
      hint: origin.secure ? undefined : "where the port speaks TLS, use https:// in the URL",
    }
  const { host, port } = origin.proxy ?? origin
  const isSecret = isOriginSecret && origin.proxy === undefined
  const address = isSecret ? MASK : `${host.includes(":") ? `[${host}]` : host}:${port}`
  const server = origin.proxy === undefined ? address : `the proxy ${address}`
  const [words, hint] = systemFaults[code] ?? ["the connection to SERVER failed"]
  const message = words.replace(/SERVER|HOST/, (word) =>
    word === "SERVER" ? server : isSecret ? MASK : host,
  )
  return { message: `${message} (${code})`, hint }
}
