// Keeps a reporter's text until the end of the run, even for a million iterations. Compresses it in memory and never
// writes it to disk, because part of it may become secret.

import { deflateRawSync, inflateRawSync } from "node:zlib"
import { parseJson } from "@callsheet/format"

const MAX_PLAIN_BYTES = 64 * 1024

/** Keeps text. `learned` is the number of secrets that the session knew when a part of the text began. */
export class KeptText {
  readonly #pieces: { readonly compressed: Buffer; readonly size: number; readonly learned: number }[] = []
  /**
   * The uncompressed end of the text. Kept as bytes, because garbage collection would copy small strings again and
   * again.
   */
  #plain = Buffer.alloc(0)
  #size = 0
  #learned = 0

  get isEmpty(): boolean {
    return this.#size === 0 && this.#pieces.length === 0
  }

  add(text: string, learned: number): void {
    this.#learned = this.#size === 0 ? learned : Math.min(this.#learned, learned)
    this.#makeRoom(Buffer.byteLength(text))
    this.#size += this.#plain.write(text, this.#size)
    if (this.#size < MAX_PLAIN_BYTES) return
    const compressed = deflateRawSync(this.#plain.subarray(0, this.#size), { level: 1 })
    this.#pieces.push({ compressed, size: this.#size, learned: this.#learned })
    this.#size = 0
    if (this.#plain.length > 2 * MAX_PLAIN_BYTES) this.#plain = Buffer.alloc(0)
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#plain.length) return
    const larger = Buffer.allocUnsafeSlow(2 * this.#size + bytes)
    this.#plain.copy(larger, 0, 0, this.#size)
    this.#plain = larger
  }

  *[Symbol.iterator](): Generator<{ readonly text: string; readonly learned: number }, void> {
    for (const { compressed, size, learned } of this.#pieces) {
      // Inflate into one buffer. By default, many small ones are joined to another large one.
      yield { text: inflateRawSync(compressed, { chunkSize: size + 64 }).toString(), learned }
    }
    if (this.#size > 0) yield { text: this.#plain.toString("utf8", 0, this.#size), learned: this.#learned }
  }
}

export function parseKept<T>(json: string): T {
  const parsed = parseJson(json)
  if (!parsed.ok) throw new Error("kept JSON text does not parse")
  return parsed.value as T
}
