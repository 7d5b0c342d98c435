// Reads a request that a server receives: the bytes of its body or, as a run reads a response, its value.

import type { IncomingMessage, ServerResponse } from "node:http"
import type { Headers } from "@callsheet/format"
import { readBody, type ReadBody } from "../../request/read-body.ts"
import { contentCodings, joinChunks, startDecoding, type Decoded } from "../http/decode-body.ts"
import { readHeaderLines } from "../http/header-lines.ts"

export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

export interface ReadRequest {
  /** The headers under lowercase names. Repeated headers are joined with `, `. */
  readonly headers: Headers
  /** The bytes of the body without content codings, or as received if they can't be decoded. */
  readonly bytes: Uint8Array
  readonly body: ReadBody
  readonly isDecoded: boolean
}

/**
 * Reads the bytes of a body as received. Returns `too-large` above the limit, and `gone` if the client leaves. Call this
 * once the request is accepted: with `Expect: 100-continue`, the client has waited with its body.
 */
export async function readRequestBody(
  { request, response }: Exchange,
  limit: number,
): Promise<Buffer | "too-large" | "gone"> {
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue()
  if (Number(request.headers["content-length"] ?? 0) > limit) return "too-large"
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        request.off("data", take)
        resolve("too-large")
      } else chunks.push(chunk)
    }
    request.on("data", take)
    request.on("end", () => resolve(Buffer.concat(chunks)))
    request.on("error", () => resolve("gone"))
    request.on("close", () => resolve("gone"))
  })
}

/** Reads a request to its end. Returns "too-large" above the limit, and "gone" if the client leaves. */
export async function readRequest(
  exchange: Exchange,
  maxBytes: number,
): Promise<ReadRequest | "too-large" | "gone"> {
  const headers = readHeaderLines(exchange.request.rawHeaders)
  const received = await readRequestBody(exchange, maxBytes)
  if (typeof received === "string") return received
  const decoded = await decode(received, headers, maxBytes)
  if (decoded.ok) {
    const bytes = joinChunks(decoded.chunks)
    return { headers, bytes, body: readBody(bytes, headers), isDecoded: true }
  }
  if (decoded.reason === "too-large") return "too-large"
  // What can't be decoded is kept as it is.
  return { headers, bytes: received, body: readBody(received, asBytes), isDecoded: false }
}

const asBytes: Headers = { "content-type": "application/octet-stream" }

async function decode(body: Uint8Array, headers: Headers, limit: number): Promise<Decoded> {
  const found = contentCodings(headers)
  if (!found.ok) return { ok: false, reason: "broken", fault: found.fault }
  const [coding, ...rest] = found.codings
  if (coding === undefined || body.length === 0) return { ok: true, chunks: [body] }
  const zlib = await import("node:zlib")
  return new Promise((done) => {
    const decoding = startDecoding({ zlib, coding, rest, limit, onDrain: () => undefined, done })
    decoding.write(body)
    decoding.end()
  })
}
