// The body of a response, collected and decoded while it arrives, never beyond the limit.

import type { IncomingMessage } from "node:http"
import { startDecoding, type Coding, type Decoded, type Decoding } from "./decode-body.ts"

interface ReadOptions {
  readonly codings: readonly Coding[]
  /** Bytes after decoding. */
  readonly limit: number
  /** Called for each piece that arrives. */
  readonly onProgress: () => void
}

export interface BodyReader {
  /** Bytes received so far, before decoding. */
  readonly received: () => number
  /** Whether the whole body is here and is still being decoded. */
  readonly isDecoding: () => boolean
  /** Stops, without a call of `done`. */
  readonly close: () => void
}

export function readBody(
  incoming: IncomingMessage,
  { codings: [coding, ...rest], limit, onProgress }: ReadOptions,
  done: (decoded: Decoded) => void,
): BodyReader {
  let received = 0
  let ended = false
  let open = true
  let decoding: Decoding | undefined
  const settle = (decoded: Decoded): void => {
    if (!open) return
    open = false
    done(decoded)
  }
  const begin = (started: Decoding): void => {
    decoding = started
    incoming.on("data", (chunk: Buffer) => {
      onProgress()
      received += chunk.byteLength
      if (!started.write(chunk)) incoming.pause()
    })
    incoming.on("end", () => {
      if (!open || !incoming.complete) return
      ended = true
      started.end()
    })
  }
  if (coding === undefined) begin(collectChunks(limit, settle))
  else
    void import("node:zlib").then((zlib) => {
      const onDrain = (): void => void incoming.resume()
      if (open) begin(startDecoding({ zlib, coding, rest, limit, onDrain, done: settle }))
    })
  return {
    received: () => received,
    isDecoding: () => ended && open,
    close: () => {
      open = false
      decoding?.close()
    },
  }
}

const manyPieces = 4_096

/** For a body without a content coding. */
function collectChunks(limit: number, done: (decoded: Decoded) => void): Decoding {
  const chunks: Uint8Array[] = []
  let joined = 0
  let size = 0
  return {
    write: (chunk) => {
      size += chunk.byteLength
      if (size > limit) done({ ok: false, reason: "too-large" })
      else chunks.push(chunk)
      if (chunks.length - joined === manyPieces) {
        // A piece of one byte holds a hundred more: a body of such pieces must not outgrow its limit.
        chunks.push(Buffer.concat(chunks.splice(joined)))
        joined = chunks.length
      }
      return true
    },
    end: () => done({ ok: true, chunks }),
    close: () => undefined,
  }
}
