// Content codings taken off a body (RFC 9110 section 8.4), strictly: a short or broken body is an error, never a short success.

import type { Headers } from "@callsheet/format"
import type * as Zlib from "node:zlib"
import { headerText } from "./header-lines.ts"

/** Each coding can multiply a body's size a thousandfold. */
const maxContentCodings = 5

type ZlibModule = typeof Zlib
type Coding = "gzip" | "deflate" | "br" | "zstd"

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

/** Takes one coding off, chunk by chunk. `done` is called once, unless it was closed before. */
export interface DecodingStage {
  /** False where the caller should wait for `onDrain` before it writes more. */
  readonly write: (chunk: Uint8Array) => boolean
  readonly end: () => void
  readonly close: () => void
}

interface StageOptions {
  readonly zlib: ZlibModule
  readonly coding: Coding
  /** The beginning of the body: tells the two kinds of `deflate` apart. */
  readonly first: Uint8Array
  /** Bytes after decoding. */
  readonly limit: number
  readonly onDrain: () => void
  readonly done: (decoded: Decoded) => void
}

/** Starts to take one coding off. */
export function startStage({ zlib, coding, first, limit, onDrain, done }: StageOptions): DecodingStage {
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
export async function decodeAll(
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
        first: input[0] ?? new Uint8Array(),
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
export function decodeSmall(
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
const isZlib = (body: Uint8Array): boolean =>
  body.length >= 2 && (body[0]! & 0x0f) === 8 && ((body[0]! << 8) | body[1]!) % 31 === 0

function broken(coding: Coding, error: NodeJS.ErrnoException): Decoded {
  const short = error.code === "Z_BUF_ERROR" || error.message === "unexpected end of file"
  return {
    ok: false,
    reason: "broken",
    message: short ? `the ${coding} data ends too early` : `the ${coding} data is corrupt`,
  }
}
