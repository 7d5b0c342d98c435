// Reads a request that a server receives as a run reads a response: its headers, and its body by its content type.

import type { IncomingMessage } from "node:http"
import type { Headers } from "@callsheet/format"
import { readBody as decodeBody, type ReadBody } from "../../request/read-body.ts"
import { contentCodings, joinChunks } from "../http/decode-body.ts"
import { readHeaderLines } from "../http/header-lines.ts"
import { readBody } from "../http/read-body.ts"

export interface ReadRequest {
  /** The headers under lowercase names. Repeated headers are joined with `, `. */
  readonly headers: Headers
  /** The bytes of the body without content codings, or as received if they can't be decoded. */
  readonly bytes: Uint8Array
  readonly body: ReadBody
  /** Why the content codings can't be decoded. */
  readonly fault?: string | undefined
}

/** Reads a request to its end. Returns "too-large" above the limit, and "aborted" if the client leaves. Never rejects. */
export function readRequest(
  request: IncomingMessage,
  maxBytes: number,
): Promise<ReadRequest | "too-large" | "aborted"> {
  const headers = readHeaderLines(request.rawHeaders)
  const codings = contentCodings(headers)
  return new Promise((resolve) => {
    // What can't be decoded is kept as it is.
    const raw = codings.ok && codings.codings.length > 0 ? keepRaw(request, maxBytes) : []
    const finish = (bytes: Uint8Array, fault?: string): void => {
      const readAs = fault === undefined ? headers : { "content-type": "application/octet-stream" }
      resolve({ headers, bytes, body: decodeBody(bytes, readAs), fault })
    }
    const reader = readBody(
      request,
      { codings: codings.ok ? codings.codings : [], limit: maxBytes, onProgress: () => undefined },
      (decoded) => {
        if (decoded.ok) finish(joinChunks(decoded.chunks), codings.ok ? undefined : codings.fault.message)
        else if (decoded.reason === "too-large") resolve("too-large")
        else {
          const fail = (): void => finish(joinChunks(raw), decoded.fault.message)
          if (request.readableEnded) fail()
          else request.once("end", fail).resume()
        }
      },
    )
    request.once("error", () => resolve("aborted"))
    request.once("close", () => {
      if (request.complete) return
      reader.close()
      resolve("aborted")
    })
  })
}

/** Keeps the first bytes of a request as they arrive. */
function keepRaw(request: IncomingMessage, maxBytes: number): readonly Uint8Array[] {
  const chunks: Uint8Array[] = []
  let size = 0
  request.on("data", (chunk: Buffer) => {
    size += chunk.byteLength
    if (size <= maxBytes) chunks.push(chunk)
  })
  return chunks
}
