// Sends one request and reads its response until the whole body is decoded.

import { once, streamFormatOf, type Finding, type Headers } from "@callsheet/format"
import type { ClientRequest, IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import { contentCodings, joinChunks, type Decoded } from "./decode-body.ts"
import { messages, type Phase } from "../../messages.ts"
import type { EndedStream, PartialResponse, ReceivedItem, StreamLimits, WireResponse } from "../../ports.ts"
import { describeError, describeRefusal, type Fault } from "./fault.ts"
import { headerText } from "./header-lines.ts"
import type { Origin } from "./origin.ts"
import { bytesBefore } from "./pool.ts"
import { readBody, type BodyReader } from "./read-body.ts"
import type { StreamBody, StreamOptions, StreamRead } from "./read-stream.ts"
import { readResponseHeaders, type ResponseHeaders } from "./response-headers.ts"
import { heldWriteError } from "./write-errors.ts"

export type ExchangeResult =
  | {
      readonly ok: true
      readonly status: number
      readonly headers: Headers
      readonly body: WireResponse["body"]
      readonly stream?: EndedStream | undefined
      readonly warnings: readonly Finding[]
    }
  | {
      readonly ok: false
      readonly fault: Fault
      /** True if a kept connection was closed before the response began. The server might not have seen the request. */
      readonly stale: boolean
    }

interface ExchangeOptions {
  readonly origin: Origin
  /** True if messages must not show the origin. */
  readonly isOriginSecret: boolean
  readonly body: Uint8Array | undefined
  readonly maxResponseBytes: number
  readonly streams: StreamLimits | undefined
  readonly onItem: (item: Omit<ReceivedItem, "elapsedMs">) => void
  /** Returns whether to read and discard the body of a response. */
  readonly isBodyUnwanted: (status: number, headers: Headers) => boolean
  /** Called while a response arrives, because a flood of small chunks can delay timers. */
  readonly onProgress: () => void
}

export interface Exchange {
  readonly phase: () => Phase
  /** Returns the received part of the response. Undefined until its headers arrive. */
  readonly head: () => Pick<PartialResponse, "status" | "headers" | "body"> | undefined
  /** Ends a stream that has items, because of the time limit. Returns false for anything else. */
  readonly endStream: () => boolean
  /** Ends the exchange and closes the connection. Doesn't call `done`. */
  readonly abandon: () => void
}

/**
 * The number of bytes to read of a discarded body, so that the connection can be kept. After a longer body, it is
 * closed.
 */
const maxUnwantedBytes = 64 * 1024

const emptyBody = new Uint8Array()

const says = messages["request-failed"]

export function startExchange(
  request: ClientRequest,
  options: ExchangeOptions,
  done: (result: ExchangeResult) => void,
): Exchange {
  let response: IncomingMessage | undefined
  let headers: Headers = {}
  let reader: BodyReader | undefined
  let settled = false

  const settle = (result: ExchangeResult): void => {
    if (settled) return
    settled = true
    if (!result.ok || !request.writableFinished || isCut(result)) abandon()
    done(result)
  }
  const fail = (fault: Fault, stale = false): void => settle({ ok: false, fault, stale })
  const abandon = (): void => {
    settled = true
    reader?.close()
    request.destroy()
  }

  request.on("response", (incoming) => {
    response = incoming
    const status = incoming.statusCode ?? 0
    const read = readResponseHeaders(incoming.rawHeaders, options.origin.key)
    headers = read.headers
    const refusal = refusalOf(status, headers, options.origin)
    if (refusal !== undefined) return fail(refusal)
    noteKeepAlive(options.origin, headers)
    incoming.on("error", (error: NodeJS.ErrnoException) => {
      if (!incoming.complete) fail(endedEarly(headers, { received: reader?.received() ?? 0, error }))
    })
    reader = receiveBody(incoming, { ...read, request, status, options }, settle)
  })
  request.on("information", options.onProgress)
  request.on("upgrade", (_incoming, socket) => {
    socket.destroy()
    fail(says.malformed("upgrade", undefined))
  })
  request.on("error", (last: NodeJS.ErrnoException) => {
    // After a failed write, the end of the connection says less.
    const error = heldWriteError(request.socket) ?? last
    // Ignore data after a complete response. It is dropped with its connection.
    if (response?.complete === true) return
    if (response !== undefined && !isParseError(error))
      return fail(endedEarly(headers, { received: reader?.received() ?? 0, error }))
    fail(
      isCutHead(request, error) ? says.cutHeaders() : describeError(error, options),
      response === undefined && isStale(request, error),
    )
  })
  endRequest(request, options.body)

  const head: Exchange["head"] = () =>
    response && { status: response.statusCode ?? 0, headers, body: receivedOf(reader) }
  const endStream = (): boolean => reader?.timeOut?.() ?? false
  return { phase: () => phaseOf(request, response, reader), head, endStream, abandon }
}

/** Returns whether callsheet has ended a stream. More of it may follow on the connection. */
const isCut = ({ stream }: Extract<ExchangeResult, { ok: true }>): boolean =>
  stream !== undefined && stream.endedBy !== "server"

const receivedOf = (reader: BodyReader | undefined): PartialResponse["body"] => ({
  length: reader?.received() ?? 0,
  start: reader?.start(),
})

/** Returns why a response can't be the server's response to the request. */
function refusalOf(status: number, headers: Headers, origin: Origin): Fault | undefined {
  if (status < 100) return says.malformed("status", undefined)
  if (status === 101) return says.malformed("upgrade", undefined)
  // A server behind a proxy can't send this status (RFC 9110 section 15.5.8).
  if (status !== 407 || origin.proxy === undefined || origin.secure) return undefined
  return describeRefusal(origin, { status, challenge: headerText(headers, "proxy-authenticate") })
}

/** The maximum size of a body that is copied to be written together with the header. */
const MAX_JOINED_BYTES = 16 * 1024

/**
 * Sends a small body as Latin-1 text, one character per byte. Node writes text together with the header, but needs a
 * second write for bytes.
 */
function endRequest(request: ClientRequest, body: Uint8Array | undefined): void {
  if (body === undefined || body.length === 0 || body.length > MAX_JOINED_BYTES) request.end(body)
  else request.end(Buffer.from(body.buffer, body.byteOffset, body.length).toString("latin1"), "latin1")
}

interface Receiving extends ResponseHeaders {
  readonly request: ClientRequest
  readonly status: number
  readonly options: ExchangeOptions
}

/** Reads a body to its end even if nobody needs it, because the next response on the connection starts there. */
function receiveBody(
  incoming: IncomingMessage,
  { request, status, headers, warnings, options }: Receiving,
  settle: (result: ExchangeResult) => void,
): BodyReader | undefined {
  const { onProgress, maxResponseBytes } = options
  const found = contentCodings(headers)
  const ignored = found.ok ? found.ignored : undefined
  const all = ignored === undefined ? warnings : [...warnings, ignored]
  const finish = (body: Uint8Array): void => settle({ ok: true, status, headers, body, warnings: all })
  if (status === 204 && announcesBody(headers)) {
    // The response has no body (RFC 9112 section 6.3). Some parsers would read the next response as its body.
    finish(emptyBody)
    request.destroy()
    return undefined
  }
  if (isBodiless(request, status) || options.isBodyUnwanted(status, headers))
    return readBody(incoming, { codings: [], limit: maxUnwantedBytes, onProgress }, (decoded) => {
      finish(emptyBody)
      if (!decoded.ok) request.destroy()
    })
  const fail = (decoded: Extract<Decoded, { ok: false }>): void =>
    settle({ ok: false, fault: bodyFault(decoded, maxResponseBytes), stale: false })
  const read = (decoded: Decoded): void => (decoded.ok ? finish(joinChunks(decoded.chunks)) : fail(decoded))
  const format = options.streams && streamFormatOf(headerText(headers, "content-type") ?? "")
  if (!found.ok) read({ ok: false, reason: "broken", fault: found.fault })
  else if (found.codings.length === 0 && announcedBytes(headers) > maxResponseBytes)
    read({ ok: false, reason: "too-large" })
  else if (options.streams !== undefined && format !== undefined) {
    const { streams: limits, onItem } = options
    const stream: StreamOptions = {
      format,
      limits,
      codings: found.codings,
      maxBytes: maxResponseBytes,
      onProgress,
      onItem: (value, index) => onItem({ index, value, response: { status, headers } }),
    }
    return receiveStream(incoming, stream, (found) => {
      if (!found.ok) return fail(found)
      const { warnings: own, ...rest } = found
      settle({ ...rest, status, headers, warnings: [...all, ...own] })
    })
  } else return readBody(incoming, { codings: found.codings, limit: maxResponseBytes, onProgress }, read)
  return undefined
}

/** Loaded on first use, because most runs read no stream. */
const loadStreams = once(() => import("./read-stream.ts"))

function receiveStream(
  incoming: IncomingMessage,
  options: StreamOptions,
  done: (read: StreamRead) => void,
): BodyReader {
  let isOpen = true
  let body: StreamBody | undefined
  void loadStreams().then(({ StreamBody }) => {
    if (isOpen) body = new StreamBody(incoming, options, done)
  })
  return {
    received: () => body?.received ?? 0,
    isDecoding: () => false,
    start: () => undefined,
    timeOut: () => body?.timeOut() === true,
    close: () => {
      isOpen = false
      body?.close()
    },
  }
}

/** Returns whether the response has no body, whatever its headers say (RFC 9110 section 6.4.1). */
const isBodiless = ({ method }: ClientRequest, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 304

const announcesBody = (headers: Headers): boolean =>
  announcedBytes(headers) !== 0 || headerText(headers, "transfer-encoding") !== undefined

/** Returns the announced length: 0 if it is missing, NaN if it isn't a number. */
const announcedBytes = (headers: Headers): number => Number(headerText(headers, "content-length") ?? 0)

const bodyFault = (decoded: Extract<Decoded, { ok: false }>, limit: number): Fault =>
  decoded.reason === "broken" ? decoded.fault : says.largeBody(limit)

const endedEarly = (
  headers: Headers,
  { received, error }: { readonly received: number; readonly error: NodeJS.ErrnoException },
): Fault =>
  says.endedEarly({
    received,
    announced: headerText(headers, "content-length"),
    isChunked: headerText(headers, "transfer-encoding") !== undefined,
    end: error.syscall === undefined ? "closed" : "reset",
    code: error.code ?? "ECONNRESET",
  })

/** Returns whether the response's header was cut off. Node reports this as a reset without a system call. */
const isCutHead = (request: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  error.code === "ECONNRESET" && error.syscall === undefined && hasReceived(request)

const hasReceived = ({ socket }: ClientRequest): boolean =>
  socket !== null && socket.bytesRead !== bytesBefore(socket)

const isParseError = (error: NodeJS.ErrnoException): boolean => error.code?.startsWith("HPE_") === true

const isStale = (request: ClientRequest, error: NodeJS.ErrnoException): boolean =>
  request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE") && !hasReceived(request)

/** Reads the idle time from `keep-alive: timeout=5`, and subtracts a second for the next request to arrive. */
function noteKeepAlive(origin: Origin, headers: Headers): void {
  const text = headerText(headers, "keep-alive")
  const seconds = text === undefined ? undefined : /(?:^|[\s,;])timeout=([0-9]{1,6})/i.exec(text)?.[1]
  if (seconds !== undefined) origin.idleLimitMs = Number(seconds) * 1000 - 1000
}

function phaseOf(
  request: ClientRequest,
  response: IncomingMessage | undefined,
  reader: BodyReader | undefined,
): Phase {
  if (response !== undefined)
    return reader?.isDecoding() === true ? "decoding" : { bodyBytes: reader?.received() ?? 0 }
  const socket: (Socket & { secureConnecting?: boolean }) | null = request.socket
  if (socket === null || socket.connecting) return "connecting"
  if (socket.secureConnecting === true) return "handshake"
  if (!request.writableFinished) return "sending"
  return hasReceived(request) ? "headers" : "waiting"
}
