// Collects and decodes the body of a response as it arrives, up to the limit.

import type { IncomingMessage } from "node:http"
import { startDecoding, type Coding, type Decoded, type Decoding, type ZlibModule } from "./decode-body.ts"

interface ReadOptions {
  readonly codings: readonly Coding[]
  /** The maximum size of the decoded body, in bytes. */
  readonly limit: number
  readonly onProgress: () => void
}

export interface BodyReader {
  /** Returns the number of bytes received so far, before decoding. */
  readonly received: () => number
  /** Returns whether the whole body has arrived but isn't decoded yet. */
  readonly isDecoding: () => boolean
  /** Returns the first bytes as received, if the body can't be decoded. */
  readonly start: () => Uint8Array | undefined
  /** Ends a stream that has items, because of the time limit. Returns false if it has none. Absent for other bodies. */
  readonly timeOut?: () => boolean
  /** Stops reading without calling `done`. */
  readonly close: () => void
}

export function readBody(
  incoming: IncomingMessage,
  options: ReadOptions,
  done: (decoded: Decoded) => void,
): BodyReader {
  const [coding, ...rest] = options.codings
  return coding === undefined
    ? readPlainBody(incoming, options, done)
    : readEncodedBody(incoming, { ...options, coding, rest }, done)
}

const manyPieces = 4_096

/** Reads a body without content codings. Most bodies have none, and decoding would slow them down. */
function readPlainBody(
  incoming: IncomingMessage,
  { limit, onProgress }: ReadOptions,
  done: (decoded: Decoded) => void,
): BodyReader {
  const chunks: Uint8Array[] = []
  let joined = 0
  let received = 0
  let open = true
  incoming.on("data", (chunk: Buffer) => {
    onProgress()
    received += chunk.byteLength
    if (received <= limit) {
      chunks.push(chunk)
      if (chunks.length - joined === manyPieces) {
        // A chunk of one byte takes a hundred bytes of memory, so join small chunks in time.
        chunks.push(Buffer.concat(chunks.splice(joined)))
        joined = chunks.length
      }
    } else if (open) {
      open = false
      done({ ok: false, reason: "too-large" })
    }
  })
  incoming.on("end", () => {
    if (open && incoming.complete) done({ ok: true, chunks })
  })
  return {
    received: () => received,
    isDecoding: () => false,
    start: () => undefined,
    close: () => void (open = false),
  }
}

function readEncodedBody(
  incoming: IncomingMessage,
  { onProgress, ...options }: ReadOptions & { readonly coding: Coding; readonly rest: readonly Coding[] },
  done: (decoded: Decoded) => void,
): BodyReader {
  let received = 0
  let ended = false
  let open = true
  let decoding: Decoding | undefined
  let first: Uint8Array | undefined
  let isBroken = false
  const settle = (decoded: Decoded): void => {
    if (!open) return
    open = false
    isBroken = !decoded.ok && decoded.reason === "broken"
    done(decoded)
  }
  const begin = (zlib: ZlibModule): void => {
    const started = startDecoding({ ...options, zlib, onDrain: () => incoming.resume(), done: settle })
    decoding = started
    incoming.on("data", (chunk: Buffer) => {
      onProgress()
      received += chunk.byteLength
      first ??= chunk
      if (!started.write(chunk)) incoming.pause()
    })
    incoming.on("end", () => {
      if (!open || !incoming.complete) return
      ended = true
      started.end()
    })
  }
  void import("node:zlib").then((zlib) => {
    if (open) begin(zlib)
  })
  return {
    received: () => received,
    isDecoding: () => ended && open,
    start: () => (isBroken ? first : undefined),
    close: () => {
      open = false
      decoding?.close()
    },
  }
}
