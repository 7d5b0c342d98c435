// Content codings taken off a body (RFC 9110 section 8.4), strictly: a short or broken body is an error, never a short success.

import type { Headers } from "@callsheet/format"
import type * as Zlib from "node:zlib"
import { headerText } from "./header-lines.ts"

/** Each coding can multiply a body's size a thousandfold. */
const maxContentCodings = 5

export type ZlibModule = typeof Zlib
export type Coding = "gzip" | "deflate" | "br" | "zstd"

export type Codings =
  | { readonly ok: true; readonly codings: readonly Coding[] }
  | { readonly ok: false; readonly message: string }

export type Decoded =
  | { readonly ok: true; readonly chunks: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: "too-large" }
  | { readonly ok: false; readonly reason: "broken"; readonly message: string }

const none: Codings = { ok: true, codings: [] }

const known: Readonly<Record<string, Coding>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br",
  zstd: "zstd",
}

/** The codings of a body in the order in which they are taken off: the last one applied first. */
export function contentCodings(headers: Headers): Codings {
  const text = headerText(headers, "content-encoding")
  if (text === undefined) return none
  const names = text
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  if (names.length > maxContentCodings)
    return {
      ok: false,
      message: `it has ${names.length} content codings, and at most ${maxContentCodings} are taken off`,
    }
  const codings: Coding[] = []
  for (const name of names) {
    const coding = Object.hasOwn(known, name) ? known[name] : undefined
    if (coding !== undefined) codings.unshift(coding)
    else if (name !== "identity")
      return { ok: false, message: `the content coding ${quote(name)} is not known` }
  }
  return { ok: true, codings }
}

const quote = (name: string): string => (/^[!-~]{1,40}$/.test(name) ? `"${name}"` : "that the response names")

/** Decodes a body chunk by chunk. `done` is called once, unless it was closed before. */
export interface Decoding {
  /** False if the caller should wait for `onDrain` before it writes more. */
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: () => void
  readonly close: () => void
}

export interface DecodingOptions {
  readonly zlib: ZlibModule
  /** The coding that is taken off first. */
  readonly coding: Coding
  /** Bytes after decoding. */
  readonly limit: number
  readonly onDrain: () => void
  readonly done: (decoded: Decoded) => void
}

/** Encoded bytes that are kept before streaming begins; a body that ends within them is decoded at once. */
const smallBody = 16 * 1024

/** Starts to take all codings off: `coding`, then `rest`. */
export function startDecoding({
  rest,
  ...options
}: DecodingOptions & { readonly rest: readonly Coding[] }): Decoding {
  const { zlib, coding, limit, done: settle } = options
  const waiting: Uint8Array[] = []
  let size = 0
  let stage: Decoding | undefined
  const afterFirst = (decoded: Decoded): void => {
    if (!decoded.ok || rest.length === 0) settle(decoded)
    else void decodeAll(decoded.chunks, rest, { zlib, limit }).then(settle)
  }
  const startStreaming = (): Decoding => {
    const [first = emptyBody] = waiting
    const started = startStage({ ...options, first, done: afterFirst })
    for (const chunk of waiting.splice(0)) started.write(chunk)
    return started
  }
  return {
    write: (chunk) => {
      if (stage !== undefined) return stage.write(chunk)
      waiting.push(chunk)
      size += chunk.byteLength
      if (size > smallBody) stage = startStreaming()
      return true
    },
    end: () => {
      if (stage === undefined) {
        // Servers name a coding for an empty body, too.
        if (size === 0) return settle({ ok: true, chunks: [] })
        const decoded = decodeSmall(joinChunks(waiting), coding, { zlib, limit })
        if (decoded.ok || decoded.reason === "broken") return afterFirst(decoded)
        stage = startStreaming()
      }
      stage.end()
    },
    close: () => stage?.close(),
  }
}

const emptyBody = new Uint8Array()

/** The bytes of a body in one piece; copied only if there are several. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [only = emptyBody] = chunks
  return chunks.length > 1 ? Buffer.concat(chunks) : only
}

interface StageOptions extends DecodingOptions {
  /** The beginning of the body: tells the two kinds of `deflate` apart. */
  readonly first: Uint8Array
}

/** Starts to take one coding off. */
function startStage({ zlib, coding, first, limit, onDrain, done }: StageOptions): Decoding {
  const stream = createDecoder(zlib, coding, first)
  if (stream === undefined) {
    done({ ok: false, reason: "broken", message: `this Node.js cannot decode ${coding}` })
    return { write: () => true, end: () => undefined, close: () => undefined }
  }
  const chunks: Uint8Array[] = []
  let size = 0
  let settled = false
  const settle = (decoded: Decoded): void => {
    if (settled) return
    settled = true
    stream.destroy()
    done(decoded)
  }
  stream.on("data", (chunk: Buffer) => {
    size += chunk.byteLength
    if (size > limit) settle({ ok: false, reason: "too-large" })
    else chunks.push(chunk)
  })
  stream.on("drain", onDrain)
  stream.on("end", () => settle({ ok: true, chunks }))
  stream.on("error", (error: NodeJS.ErrnoException) => settle(broken(coding, error)))
  return {
    write: (chunk) => settled || stream.write(chunk),
    end: () => {
      if (!settled) stream.end()
    },
    close: () => {
      settled = true
      stream.destroy()
    },
  }
}

/** Takes the remaining codings off a body that is already here. */
async function decodeAll(
  chunks: readonly Uint8Array[],
  codings: readonly Coding[],
  { zlib, limit }: { readonly zlib: ZlibModule; readonly limit: number },
): Promise<Decoded> {
  let current: Decoded = { ok: true, chunks }
  for (const coding of codings) {
    if (!current.ok) return current
    const input = current.chunks
    current = await new Promise<Decoded>((done) => {
      const stage = startStage({
        zlib,
        coding,
        first: input[0] ?? emptyBody,
        limit,
        onDrain: () => undefined,
        done,
      })
      for (const chunk of input) stage.write(chunk)
      stage.end()
    })
  }
  return current
}

/** Largest result of `decodeSmall`: longer ones are not made on the main thread. */
const smallLimit = 1024 * 1024

/** Decodes a small body at once, or says `too-large` where that is not for here to decide. */
function decodeSmall(
  body: Uint8Array,
  coding: Coding,
  { zlib, limit }: { readonly zlib: ZlibModule; readonly limit: number },
): Decoded {
  const options = { maxOutputLength: Math.min(limit, smallLimit) }
  try {
    switch (coding) {
      case "gzip":
        return { ok: true, chunks: [zlib.gunzipSync(body, options)] }
      case "br":
        return { ok: true, chunks: [zlib.brotliDecompressSync(body, options)] }
      case "deflate":
        return {
          ok: true,
          chunks: [isZlib(body) ? zlib.inflateSync(body, options) : zlib.inflateRawSync(body, options)],
        }
      case "zstd":
        return { ok: false, reason: "too-large" }
    }
  } catch (error) {
    const failure = error as NodeJS.ErrnoException
    return failure.code === "ERR_BUFFER_TOO_LARGE"
      ? { ok: false, reason: "too-large" }
      : broken(coding, failure)
  }
}

function createDecoder(zlib: ZlibModule, coding: Coding, first: Uint8Array) {
  switch (coding) {
    case "gzip":
      return zlib.createGunzip()
    case "br":
      return zlib.createBrotliDecompress()
    case "deflate":
      return isZlib(first) ? zlib.createInflate() : zlib.createInflateRaw()
    case "zstd":
      // Node 22.15 and later.
      return (zlib as ZlibModule & { createZstdDecompress?: () => Zlib.Gunzip }).createZstdDecompress?.()
  }
}

/** The header of the zlib format (RFC 1950 section 2.2); without it, servers mean raw deflate. */
function isZlib({ 0: method, 1: flags }: Uint8Array): boolean {
  if (method === undefined || flags === undefined) return false
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

function broken(coding: Coding, error: NodeJS.ErrnoException): Decoded {
  const short = error.code === "Z_BUF_ERROR" || error.message === "unexpected end of file"
  return {
    ok: false,
    reason: "broken",
    message: short ? `the ${coding} data ends too early` : `the ${coding} data is corrupt`,
  }
}
