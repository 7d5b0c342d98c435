// Keeps text until the run is over, even of a million iterations: compressed, and beyond a megabyte in an unlinked file
// that no one else can open, because part of it may become secret.

import { readSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { gunzipSync, gzipSync } from "node:zlib"
import { parseJson, stringifyJson, type RunEvent } from "@callsheet/format"
import { openUnnamed } from "../leaks/spool.ts"
import { limitHeapOfPass } from "../limit-heap.ts"

// Below 128 KiB as a string of two bytes per character, because V8 keeps larger strings apart and frees them late.
const MAX_PIECE_BYTES = 40 * 1024
const MAX_END = 4096
const MAX_BYTES_IN_MEMORY = 1024 * 1024

const noBytes = Buffer.alloc(0)

interface Piece {
  /** Returns the gzip member. It is valid until the next call for any piece. */
  readonly compressed: () => Buffer
  readonly size: number
  readonly learned: number
}

/** Keeps text. `learned` is the number of secrets that the session knew when a part of the text began. */
export class KeptText {
  readonly #maxPieceBytes: number
  readonly #pieces: Piece[] = []
  /** The text before `#end`, since the last piece. Stored as bytes, because the garbage collector would move strings repeatedly. */
  #plain = noBytes
  #size = 0
  /** The end of the text. Short texts are joined first, because each write to a buffer takes longer than a short text. */
  #end = ""
  #learned = Infinity

  constructor(maxPieceBytes = MAX_PIECE_BYTES) {
    this.#maxPieceBytes = maxPieceBytes
  }

  get isEmpty(): boolean {
    return this.#end === "" && this.#size === 0 && this.#pieces.length === 0
  }

  add(text: string, learned: number): void {
    this.#learned = Math.min(this.#learned, learned)
    this.#end += text
    if (this.#end.length >= MAX_END) this.#flush()
    if (this.#size >= this.#maxPieceBytes) this.#compress()
  }

  /** Appends the text of `other`, which must not be used afterward. */
  take(other: KeptText): void {
    if (other.#pieces.length > 0) this.#compress()
    for (const piece of other.#pieces) this.#pieces.push(piece)
    const rest = other.#rest()
    if (rest !== "") this.add(rest, other.#learned)
  }

  #rest(): string {
    return this.#plain.toString("utf8", 0, this.#size) + this.#end
  }

  #flush(): void {
    // A character takes at most three bytes. Counting them takes as long as writing them.
    this.#makeRoom(3 * this.#end.length)
    this.#size += this.#plain.write(this.#end, this.#size)
    this.#end = ""
  }

  #compress(): void {
    this.#flush()
    if (this.#size === 0) return
    const compressed = gzipSync(this.#plain.subarray(0, this.#size), { level: 1 })
    this.#pieces.push({ compressed: file.keep(compressed), size: this.#size, learned: this.#learned })
    this.#size = 0
    this.#learned = Infinity
    if (this.#plain.length > 2 * this.#maxPieceBytes) this.#plain = noBytes
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#plain.length) return
    const larger = Buffer.allocUnsafeSlow(2 * this.#size + bytes)
    this.#plain.copy(larger, 0, 0, this.#size)
    this.#plain = larger
  }

  /** Yields the text as members of a gzip file. Each is valid until the next one is requested. */
  *members(): Generator<{ readonly bytes: Buffer; readonly learned: number }, void> {
    this.#compress()
    for (const { compressed, learned } of this.#pieces) yield { bytes: compressed(), learned }
  }

  *[Symbol.iterator](): Generator<{ readonly text: string; readonly learned: number }, void> {
    for (const { compressed, size, learned } of this.#pieces) {
      limitHeapOfPass()
      // Inflate into one buffer, because otherwise many small ones are joined into another large one.
      yield { text: gunzipSync(compressed(), { chunkSize: size + 64 }).toString(), learned }
    }
    const rest = this.#rest()
    if (rest !== "") yield { text: rest, learned: this.#learned }
  }
}

/** Keeps events as text. */
export class KeptEvents {
  readonly #text = new KeptText()

  add(event: RunEvent, learned: number): void {
    this.#text.add(`${stringifyJson(event)}\n`, learned)
  }

  *[Symbol.iterator](): Generator<{ readonly event: RunEvent; readonly learned: number }, void> {
    for (const { text, learned } of this.#text)
      for (const line of text.slice(0, -1).split("\n")) yield { event: parseKept(line), learned }
  }
}

/** Keeps a value as text. Returns a function that reads it again. */
export function keepValue<T extends object>(value: T): () => T {
  const compressed = file.keep(gzipSync(stringifyJson(value), { level: 1 }))
  return () => parseKept(gunzipSync(compressed()).toString())
}

/** The only file of the process. If it can't be written, everything stays in memory. */
class KeptFile {
  #file: number | undefined
  #size = 0
  #inMemory = 0
  #isBroken = false

  /** Returns a function that reads the bytes again. */
  keep(bytes: Buffer): () => Buffer {
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

  #write(bytes: Buffer): () => Buffer {
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

const file = new KeptFile()

// Reused, because the garbage collector frees buffers late.
let read = Buffer.alloc(0)

function readWhole(opened: number, start: number, length: number): Buffer {
  if (read.length < length) read = Buffer.allocUnsafeSlow(length)
  const bytes = read.subarray(0, length)
  for (let at = 0; at < length;) {
    const size = readSync(opened, bytes, at, length - at, start + at)
    if (size === 0) throw new Error("kept text was cut")
    at += size
  }
  return bytes
}

export function parseKept<T>(json: string): T {
  // callsheet wrote this text, so its keys need no check.
  const parsed = parseJson(json, { allowDuplicateKeys: true })
  if (!parsed.ok) throw new Error("kept JSON text does not parse")
  return parsed.value as T
}
