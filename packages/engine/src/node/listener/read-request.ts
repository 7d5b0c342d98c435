// Reads a request that a server receives as a run reads a response: its headers, and its body by its content type.

import type { IncomingMessage } from "node:http"
import type { Headers } from "@callsheet/format"
import { readBody, type ReadBody } from "../../request/read-body.ts"
import { contentCodings, joinChunks, startDecoding, type Decoded } from "../http/decode-body.ts"
import { readHeaderLines } from "../http/header-lines.ts"
import { readRequestBody } from "./request-body.ts"

export interface ReadRequest {
  /** The headers under lowercase names. Repeated headers are joined with `, `. */
  readonly headers: Headers
  /** The bytes of the body without content codings, or as received if they can't be decoded. */
  readonly bytes: Uint8Array
  readonly body: ReadBody
  readonly isDecoded: boolean
}

/** Reads a request to its end. Returns "too-large" above the limit, and "gone" if the client leaves. */
export async function readRequest(
  request: IncomingMessage,
  maxBytes: number,
): Promise<ReadRequest | "too-large" | "gone"> {
  const headers = readHeaderLines(request.rawHeaders)
  const received = await readRequestBody(request, maxBytes)
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
