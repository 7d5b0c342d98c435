// The body of a response, collected and decoded while it arrives, never beyond the limit.

import type { IncomingMessage } from "node:http"
import type * as Zlib from "node:zlib"
import {
  decodeAll,
  decodeSmall,
  startStage,
  type Codings,
  type Decoded,
  type DecodingStage,
} from "./decode-body.ts"

type ZlibModule = typeof Zlib
type CodingList = Extract<Codings, { ok: true }>["codings"]

export interface ReadOptions {
  /** Of the decoded body. */
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

const manyPieces = 4_096

/** Collects a body that has no content coding. */
export function readPlainBody(
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
        // A piece of one byte holds a hundred more: a body of such pieces must not outgrow its limit.
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
  return { received: () => received, isDecoding: () => false, close: () => void (open = false) }
}

/** Encoded bytes that are kept before decoding begins; a body that ends within them is decoded at once. */
const smallBody = 16 * 1024

/** Collects a body and takes its content codings off. */
export function readEncodedBody(
  incoming: IncomingMessage,
  { codings, limit, onProgress }: ReadOptions & { readonly codings: CodingList },
  done: (decoded: Decoded) => void,
): BodyReader {
  let received = 0
  let ended = false
  let open = true
  let stage: DecodingStage | undefined
  const settle = (decoded: Decoded): void => {
    if (!open) return
    open = false
    done(decoded)
  }
  const first = codings[0] ?? "gzip"
  const rest = codings.slice(1)
  const begin = (zlib: ZlibModule): void => {
    const waiting: Buffer[] = []
    const afterFirst = (decoded: Decoded): void => {
      if (!decoded.ok || rest.length === 0) settle(decoded)
      else void decodeAll(decoded.chunks, rest, { zlib, limit }).then(settle)
    }
    const startStreaming = (): DecodingStage => {
      const started = startStage({
        zlib,
        coding: first,
        first: waiting[0] ?? Buffer.alloc(0),
        limit,
        onDrain: () => incoming.resume(),
        done: afterFirst,
      })
      for (const chunk of waiting.splice(0)) started.write(chunk)
      return started
    }
    incoming.on("data", (chunk: Buffer) => {
      onProgress()
      received += chunk.byteLength
      if (stage !== undefined) {
        if (!stage.write(chunk)) incoming.pause()
        return
      }
      waiting.push(chunk)
      if (received > smallBody) stage = startStreaming()
    })
    incoming.on("end", () => {
      if (!open || !incoming.complete) return
      ended = true
      if (stage === undefined) {
        const body = waiting.length === 1 ? waiting[0]! : Buffer.concat(waiting)
        // An empty body is no broken gzip: servers name a coding for those, too.
        if (body.byteLength === 0) return settle({ ok: true, chunks: [] })
        const decoded = decodeSmall(body, first, { zlib, limit })
        if (decoded.ok || decoded.reason === "broken") return afterFirst(decoded)
        stage = startStreaming()
      }
      stage.end()
    })
  }
  void import("node:zlib").then((zlib) => {
    if (open) begin(zlib)
  })
  return {
    received: () => received,
    isDecoding: () => ended && open,
    close: () => {
      open = false
      stage?.close()
    },
  }
}
