// The unread part of a text file. Files are read in chunks, so that a large one is never in memory as a whole.

import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import { createLineFinder, type LineColumn } from "../source.ts"
import { decodeText, firstInvalidByte } from "../text/decode-text.ts"

/** Stops reading a file at a position. */
export class StopReading extends Error {
  readonly finding: Finding
  readonly place: LineColumn
  constructor(finding: Finding, place: LineColumn) {
    super(finding.message)
    this.finding = finding
    this.place = place
  }
}

/** The maximum length of a row in UTF-16 code units. An unclosed quote would otherwise read the whole file. */
const MAX_ROW_LENGTH = 16 * 1024 * 1024

const CARRIAGE_RETURN = 13
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

export class TextWindow {
  /** The text from the start of the current row, as far as it has been read. */
  text = ""
  /** The position of the first character of `text`. */
  #start: LineColumn = { line: 1, column: 1 }
  /** Finds positions in `text`. Kept, because a wide row can have a problem in each of its cells. */
  #find: ((offset: number) => LineColumn) | undefined
  readonly #chunks: Iterator<Uint8Array>
  /** Bytes to decode with the next chunk: the start of a character, or a CR that an LF may follow. */
  #held: Uint8Array = new Uint8Array()
  #bytesDecoded = 0
  #isEnd = false

  constructor(chunks: Iterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.iterator]()
  }

  /** Returns the position of a character of `text`. */
  place(offset: number): LineColumn {
    this.#find ??= createLineFinder(this.text)
    const { line, column } = this.#find(offset)
    return {
      line: this.#start.line + line - 1,
      column: line === 1 ? this.#start.column + column - 1 : column,
    }
  }

  stop(offset: number, finding: Finding): never {
    throw new StopReading(finding, this.place(offset))
  }

  /**
   * Drops the text before `from` and reads more. Returns whether there was more. Doubles long texts, because callers
   * read the row again from its start.
   */
  more(from: number): boolean {
    if (this.#isEnd) return false
    if (this.text.length - from > MAX_ROW_LENGTH)
      this.stop(from, messages["rows-invalid"].longRow(MAX_ROW_LENGTH))
    this.#start = this.place(from)
    const parts = [this.text.slice(from)]
    const wanted = 2 * (this.text.length - from)
    this.text = parts[0]!
    for (let length = this.text.length; !this.#isEnd && length <= wanted;) {
      const part = this.#decodeNext(parts)
      parts.push(part)
      length += part.length
    }
    this.text = parts.join("")
    this.#find = undefined
    return true
  }

  #decodeNext(before: readonly string[]): string {
    const { value, done } = this.#chunks.next()
    this.#isEnd = done === true
    const bytes = value === undefined ? this.#held : join(this.#held, value)
    const length = this.#isEnd ? bytes.length : completeLength(bytes)
    this.#held = bytes.slice(length)
    const complete = bytes.subarray(0, length)
    const base = this.#bytesDecoded
    this.#bytesDecoded += length
    if (base === 0) {
      // Only the start of a file can have a byte order mark, or reveal UTF-16.
      const decoded = decodeText(complete)
      if (decoded.ok) return decoded.text
      return this.#refuse(before, complete.subarray(0, decoded.finding.byteOffset), decoded.finding)
    }
    try {
      return decoder.decode(complete)
    } catch {
      const invalid = firstInvalidByte(complete)
      const finding = messages["file-encoding"].invalidByte(base + invalid)
      return this.#refuse(before, complete.subarray(0, invalid), finding)
    }
  }

  #refuse(before: readonly string[], valid: Uint8Array, finding: Finding): never {
    this.text = before.join("") + decoder.decode(valid)
    this.#find = undefined
    return this.stop(this.text.length, finding)
  }
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

/** Returns the length without an incomplete character, or a CR, at the end. Invalid bytes count as complete. */
function completeLength(bytes: Uint8Array): number {
  const { length } = bytes
  if (bytes[length - 1] === CARRIAGE_RETURN) return length - 1
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back]!
    if (byte >= 0xc0) return (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) > back ? length - back : length
    if (byte < 0x80) return length
  }
  return length
}
