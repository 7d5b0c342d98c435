// Decodes the content codings of a body (RFC 9110 section 8.4). A truncated or corrupt body is always an error.

import { attempt, ownOf, type Finding, type Headers } from "@callsheet/format"
import type * as Zlib from "node:zlib"
import { messages } from "../../messages.ts"
import type { Fault } from "./fault.ts"
import { headerText } from "./header-lines.ts"

/** The maximum number of codings, because each can multiply the size of the body a thousandfold. */
const maxContentCodings = 5

export type ZlibModule = typeof Zlib
export type Coding = "gzip" | "deflate" | "br" | "zstd"

type Codings =
  /** `ignored` is set if the header names a word that isn't a coding. */
  | { readonly ok: true; readonly codings: readonly Coding[]; readonly ignored?: Finding | undefined }
  | { readonly ok: false; readonly fault: Fault }

export type Decoded =
  | { readonly ok: true; readonly chunks: readonly Uint8Array[] }
  | { readonly ok: false; readonly reason: "too-large" }
  | { readonly ok: false; readonly reason: "broken"; readonly fault: Fault }

const says = messages["request-failed"]

const none: Codings = { ok: true, codings: [] }

const known: Readonly<Record<string, Coding>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
  br: "br",
  zstd: "zstd",
}

/** Returns the codings of a body in the order of decoding. The last one applied comes first. */
export function contentCodings(headers: Headers): Codings {
  const text = headerText(headers, "content-encoding")
  if (text === undefined) return none
  const names = text
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  if (names.length > maxContentCodings)
    return { ok: false, fault: says.manyCodings(names.length, maxContentCodings) }
  const codings: Coding[] = []
  let ignored: Finding | undefined
  for (const name of names) {
    const coding = ownOf(known, name)
    if (coding !== undefined) codings.unshift(coding)
    else if (isNoCoding(name)) ignored = messages["header-invalid"].coding(shownCoding(text))
    else if (name !== "identity") return { ok: false, fault: says.unknownCoding(shownCoding(text)) }
  }
  return { ok: true, codings, ignored }
}

/** Words that servers send although they haven't encoded the body. S3 sends `aws-chunked` for what was uploaded so. */
const noCodings = new Set([
  "none",
  "null",
  "plain",
  "text",
  "binary",
  "7bit",
  "8bit",
  "chunked",
  "aws-chunked",
])

/** Returns whether a name stands for a body that isn't encoded. Many servers name its character set instead. */
const isNoCoding = (name: string): boolean =>
  noCodings.has(name) || attempt(() => new TextDecoder(name)) !== undefined

/**
 * Returns the name of a coding if it is short. A long one may contain a secret, so it isn't shown, not even in part.
 */
const shownCoding = (text: string): string | undefined => (/^[ -~]{1,40}$/.test(text) ? text : undefined)

/** Decodes a body chunk by chunk. Calls `done` once, unless it is closed first. */
export interface Decoding {
  /** Returns false if the caller should wait for `onDrain` before it writes more. */
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: () => void
  readonly close: () => void
}

interface DecodingOptions {
  readonly zlib: ZlibModule
  /** The coding to decode first, then the others. */
  readonly coding: Coding
  readonly rest: readonly Coding[]
  /** The maximum size of the decoded body, in bytes. */
  readonly limit: number
  readonly onDrain: () => void
  readonly done: (decoded: Decoded) => void
}

/** The number of encoded bytes to buffer before streaming starts. Shorter bodies are decoded at once. */
const smallBody = 16 * 1024

export function startDecoding(options: DecodingOptions): Decoding {
  const waiting: Uint8Array[] = []
  let size = 0
  let stage: Decoding | undefined
  return {
    write: (chunk) => {
      if (stage !== undefined) return stage.write(chunk)
      waiting.push(chunk)
      size += chunk.byteLength
      if (size > smallBody) stage = startStage(waiting, options)
      return true
    },
    end: () => {
      if (stage === undefined) stage = decodeWhole(waiting, [options.coding, ...options.rest], options)
      else stage.end()
    },
    close: () => stage?.close(),
  }
}

/** Decodes a complete body. A small one is decoded synchronously, so it can't be closed. */
function decodeWhole(
  chunks: readonly Uint8Array[],
  [coding, ...rest]: readonly Coding[],
  options: Omit<DecodingOptions, "coding" | "rest">,
): Decoding | undefined {
  const { zlib, limit, done } = options
  const size = chunks.reduce((sum, { byteLength }) => sum + byteLength, 0)
  // Some servers name a coding even for an empty body.
  if (coding === undefined || size === 0) {
    done({ ok: true, chunks })
    return undefined
  }
  if (size <= smallBody) {
    const decoded = decodeSmall(joinChunks(chunks), coding, { zlib, limit })
    if (decoded.ok) return decodeWhole(decoded.chunks, rest, options)
    if (decoded.reason === "broken") {
      done(decoded)
      return undefined
    }
  }
  const stage = startStage(chunks, { ...options, coding, rest })
  stage.end()
  return stage
}

const emptyBody = new Uint8Array()

/** Joins the chunks of a body. Copies bytes only if there are several chunks. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [only = emptyBody] = chunks
  return chunks.length > 1 ? Buffer.concat(chunks) : only
}

/** Starts to decode the first coding of a body. Its first bytes distinguish the two kinds of `deflate`. */
function startStage(beginning: readonly Uint8Array[], options: DecodingOptions): Decoding {
  const { zlib, coding, rest, limit, onDrain, done } = options
  const stream = createDecoder(zlib, coding, beginning[0] ?? emptyBody)
  if (stream === undefined) {
    done({ ok: false, reason: "broken", fault: says.unsupportedCoding(coding) })
    return { write: () => true, end: () => undefined, close: () => undefined }
  }
  const chunks: Uint8Array[] = []
  let size = 0
  let settled = false
  const settle = (decoded: Decoded): void => {
    if (settled) return
    settled = true
    stream.destroy()
    if (decoded.ok) decodeWhole(decoded.chunks, rest, options)
    else done(decoded)
  }
  stream.on("data", (chunk: Buffer) => {
    size += chunk.byteLength
    if (size > limit) settle({ ok: false, reason: "too-large" })
    else chunks.push(chunk)
  })
  stream.on("drain", onDrain)
  stream.on("end", () => settle({ ok: true, chunks }))
  stream.on("error", (error: NodeJS.ErrnoException) => settle(broken(brokenCoding(coding, error))))
  for (const chunk of beginning) stream.write(chunk)
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

/** The maximum size that `decodeSmall` produces. More would block the main thread. */
const smallLimit = 1024 * 1024

/** Decodes a small body at once. Returns `too-large` if the body has to be streamed instead. */
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
      : broken(brokenCoding(coding, failure))
  }
}

export function createDecoder(zlib: ZlibModule, coding: Coding, first: Uint8Array) {
  switch (coding) {
    case "gzip":
      return zlib.createGunzip()
    case "br":
      return zlib.createBrotliDecompress()
    case "deflate":
      return isZlib(first) ? zlib.createInflate() : zlib.createInflateRaw()
    case "zstd":
      // Available in Node 22.15 and later.
      return (zlib as ZlibModule & { createZstdDecompress?: () => Zlib.Gunzip }).createZstdDecompress?.()
  }
}

/** Returns whether the bytes start with a zlib header (RFC 1950 section 2.2). If not, `deflate` means raw deflate. */
function isZlib({ 0: method, 1: flags }: Uint8Array): boolean {
  if (method === undefined || flags === undefined) return false
  return (method & 0x0f) === 8 && ((method << 8) | flags) % 31 === 0
}

const broken = (fault: Fault): Decoded => ({ ok: false, reason: "broken", fault })

/** Explains an error of a decoder. */
export function brokenCoding(coding: Coding, error: NodeJS.ErrnoException): Fault {
  const short = error.code === "Z_BUF_ERROR" || error.message === "unexpected end of file"
  return short ? says.shortData(coding) : says.corruptData(coding)
}
