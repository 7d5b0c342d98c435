// Keeps text until a run is over, even of a million iterations: compressed, and beyond a megabyte in an unlinked file that no
// one else can open, because part of it may become secret.

import { readSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { gunzipSync, gzipSync } from "node:zlib"
import { parseJson, stringifyJson } from "@callsheet/format"
import { openUnnamed } from "../leaks/spool.ts"

// V8 keeps strings of more than 128 KiB apart and frees them late. A character takes one or two bytes.
const MAX_PIECE_CHARACTERS = 60 * 1024
const MAX_BYTES_IN_MEMORY = 1024 * 1024

/** Returns a gzip member. It is valid until the next call for any member. */
type Member = () => Buffer

export class TextSpool {
  readonly #members: Member[] = []
  /** The text since the last member. */
  #rest = ""

  get isEmpty(): boolean {
    return this.#rest === "" && this.#members.length === 0
  }

  /** Appends text, or that of another spool, which must not be used afterward. */
  add(text: string | TextSpool): void {
    if (typeof text !== "string" && text.#members.length > 0) {
      this.#compress()
      for (const member of text.#members) this.#members.push(member)
    }
    this.#rest += typeof text === "string" ? text : text.#rest
    if (this.#rest.length >= MAX_PIECE_CHARACTERS) this.#compress()
  }

  /** Yields the text from a member on as members of a gzip file. Each is valid until the next one is requested. */
  *members(from: number): Generator<Buffer, void> {
    this.#compress()
    for (const member of this.#members.slice(from)) yield member()
  }

  *[Symbol.iterator](): Generator<string, void> {
    for (const member of this.#members) yield gunzipSync(member()).toString()
    if (this.#rest !== "") yield this.#rest
  }

  #compress(): void {
    if (this.#rest === "") return
    this.#members.push(file.keep(gzipSync(this.#rest, { level: 1 })))
    this.#rest = ""
  }
}

/** Keeps a value as text. Returns a function that reads it again. */
export function spoolValue<T extends object>(value: T): () => T {
  const compressed = file.keep(gzipSync(stringifyJson(value), { level: 1 }))
  // callsheet wrote this text, so its keys need no check.
  return () => {
    const parsed = parseJson(gunzipSync(compressed()).toString(), { allowDuplicateKeys: true })
    if (!parsed.ok) throw new Error("spooled JSON text does not parse")
    return parsed.value as T
  }
}

/** The only file of the process. If it can't be written, everything stays in memory. */
class SpoolFile {
  #file: number | undefined
  #size = 0
  #inMemory = 0
  #isBroken = false

  keep(bytes: Buffer): Member {
    if (this.#isBroken || this.#inMemory + bytes.length <= MAX_BYTES_IN_MEMORY) {
      this.#inMemory += bytes.length
      // A copy, because zlib returns a part of a larger buffer.
      return always(Buffer.from(bytes))
    }
    try {
      return this.#write(bytes)
    } catch {
      this.#isBroken = true
      return always(bytes)
    }
  }

  #write(bytes: Buffer): Member {
    const opened = (this.#file ??= openUnnamed(tmpdir()))
    const start = this.#size
    const { length } = bytes
    for (let at = 0; at < length;) at += writeSync(opened, bytes, at, length - at, start + at)
    this.#size += length
    return readerOf(opened, start, length)
  }
}

// Not inline, because the functions of one scope share its variables: a reader of the file would keep the bytes, too.
const always = (bytes: Buffer) => (): Buffer => bytes
const readerOf = (opened: number, start: number, length: number) => (): Buffer =>
  readWhole(opened, start, length)

const file = new SpoolFile()

// Reused, because the garbage collector frees buffers late.
let read = Buffer.alloc(0)

function readWhole(opened: number, start: number, length: number): Buffer {
  if (read.length < length) read = Buffer.allocUnsafeSlow(length)
  const bytes = read.subarray(0, length)
  for (let at = 0; at < length;) {
    const size = readSync(opened, bytes, at, length - at, start + at)
    if (size === 0) throw new Error("spooled text was cut")
    at += size
  }
  return bytes
}
