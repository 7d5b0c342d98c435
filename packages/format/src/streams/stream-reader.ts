// Reads the items of a stream from bytes, however they are split. Keeps the bytes, because they are the raw text.

import { parseJson } from "../json/parse-json.ts"
import type { JsonValue } from "../json/value.ts"
import type { StreamFormat } from "./stream-format.ts"

export interface StreamItem {
  /** An event as an object with its decoded data, otherwise the decoded item. */
  readonly value: JsonValue
  /** The text before decoding: the data of an event, otherwise the line without whitespace around it. */
  readonly text: string
  readonly event?: string | undefined
  /** The reason why the value isn't what the server meant to send. A line that isn't JSON is text. */
  readonly fault?: ItemFault | undefined
}

export type ItemFault = "not-json" | "not-utf8"

/** Receives each item. Returns false to stop reading. */
export type ItemListener = (item: StreamItem) => boolean

const LF = 0x0a
const CR = 0x0d
const RECORD_SEPARATOR = 0x1e

export class StreamReader {
  readonly #separates: (byte: number) => boolean
  readonly #items: ItemReader
  #bytes = new Uint8Array(4096)
  #length = 0
  /** The next byte to look at. */
  #at = 0
  /** The start of the line. */
  #start = 0
  #isAfterReturn = false
  #isStopped = false

  constructor(format: StreamFormat, onItem: ItemListener) {
    this.#separates = separators[format]
    this.#items = readers[format]((item) => {
      if (!onItem(item)) this.#isStopped = true
    })
  }

  /** Returns what was read: all bytes or, once an item has stopped the reader, those up to its end. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#isStopped ? this.#at : this.#length)
  }

  push(chunk: Uint8Array): void {
    if (this.#isStopped) return
    this.#append(chunk)
    while (this.#at < this.#length && !this.#isStopped) {
      const byte = this.#bytes[this.#at++] ?? 0
      if (!this.#separates(byte)) this.#isAfterReturn = false
      else this.#endLine(byte)
    }
  }

  /** Reads what follows the last separator. Returns false if it is only a part of an event, which doesn't count. */
  end(): boolean {
    if (this.#isStopped) return true
    const rest = this.#bytes.subarray(this.#start, this.#length)
    return this.#items.end(withoutMark(rest, this.#start === 0))
  }

  #endLine(byte: number): void {
    const isSecondHalf = byte === LF && this.#isAfterReturn
    this.#isAfterReturn = byte === CR
    const end = this.#at - 1
    const text = withoutMark(this.#bytes.subarray(this.#start, end), this.#start === 0)
    if (isSecondHalf ? this.#start === end : this.#items.line(text, byte)) this.#start = this.#at
  }

  #append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#bytes.length))
      larger.set(this.#bytes.subarray(0, this.#length))
      this.#bytes = larger
    }
    this.#bytes.set(chunk, this.#length)
    this.#length = length
  }
}

/** Returns a part of each item of a whole text. */
export function streamItems<T>(
  format: StreamFormat,
  text: string,
  part: (item: StreamItem) => T,
): readonly T[] {
  const parts: T[] = []
  const reader = new StreamReader(format, (item) => parts.push(part(item)) > 0)
  reader.push(new TextEncoder().encode(text))
  reader.end()
  return parts
}

const separators: { readonly [F in StreamFormat]: (byte: number) => boolean } = {
  // An event may end with any of three line ends. A single CR ends it at once, because LF may never follow.
  events: (byte) => byte === LF || byte === CR,
  lines: (byte) => byte === LF,
  sequence: (byte) => byte === LF || byte === RECORD_SEPARATOR,
}

interface ItemReader {
  /** Reads what precedes a separator. Returns false if the item goes on, to get it again with the next line. */
  readonly line: (text: Uint8Array, separator: number) => boolean
  readonly end: (rest: Uint8Array) => boolean
}

const readers: { readonly [F in StreamFormat]: (emit: (item: StreamItem) => void) => ItemReader } = {
  events: (emit) => new EventReader(emit),
  lines: (emit) => ({
    line: (line) => {
      readValue(line, emit)
      return true
    },
    end: (rest) => {
      readValue(rest, emit)
      return true
    },
  }),
  sequence: (emit) => new SequenceReader(emit),
}

/** Reads a JSON text. Skips a blank one, which servers send to keep the connection open. */
function readValue(bytes: Uint8Array, emit: (item: StreamItem) => void): void {
  const { text: raw, isValid } = decode(bytes)
  const text = raw.trim()
  if (text === "") return
  const parsed = isValid ? parseJson(text, { allowDuplicateKeys: true }) : undefined
  if (parsed?.ok === true) emit({ value: parsed.value, text })
  else emit({ value: text, text, fault: isValid ? "not-json" : "not-utf8" })
}

/** Reads events as the WHATWG HTML standard does in section 9.2.6, but knows which fields each event has itself. */
class EventReader implements ItemReader {
  readonly #emit: (item: StreamItem) => void

  constructor(emit: (item: StreamItem) => void) {
    this.#emit = emit
  }

  line(text: Uint8Array): boolean {
    const last = text.at(-1)
    // A blank line ends the event.
    if (last === LF || last === CR) this.#dispatch(text)
    return last === undefined || last === LF || last === CR
  }

  end(rest: Uint8Array): boolean {
    const lines = linesIn(decode(rest).text)
    const partial = lines.at(-1) ?? ""
    return (partial === "" || partial.startsWith(":")) && !lines.some((line) => fieldOf(line).name === "data")
  }

  #dispatch(bytes: Uint8Array): void {
    const { text: raw, isValid } = decode(bytes)
    const data: string[] = []
    let event: string | undefined
    let id: string | undefined
    for (const line of linesIn(raw)) {
      const { name, value } = fieldOf(line)
      if (name === "data") data.push(value)
      else if (name === "event") event = value === "" ? undefined : value
      else if (name === "id" && !value.includes("\0")) id = value
    }
    if (data.length === 0) return
    const text = data.join("\n")
    const value: Record<string, JsonValue> = {}
    if (event !== undefined) value["event"] = event
    if (id !== undefined) value["id"] = id
    value["data"] = decodeData(text)
    this.#emit({ value, text, event, fault: isValid ? undefined : "not-utf8" })
  }
}

const linesIn = (text: string): readonly string[] => text.split(/\r\n|\r|\n/)

/** Reads a field. A comment has an empty name. */
function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":")
  if (colon === -1) return { name: line, value: "" }
  return { name: line.slice(0, colon), value: line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1) }
}

/** Decodes the data of an event. Data that isn't JSON is text. */
function decodeData(text: string): JsonValue {
  if (!mayBeJson.test(text)) return text
  const parsed = parseJson(text, { allowDuplicateKeys: true })
  return parsed.ok ? parsed.value : text
}

/** Saves the search for the error in most data that is text. */
const mayBeJson = /^\s*(?:[{["\-\d]|true\s*$|false\s*$|null\s*$)/

/**
 * Reads a text sequence. A JSON text ends at the next separator, or at its first line end if it is whole by then. So it
 * counts before the next one arrives.
 */
class SequenceReader implements ItemReader {
  readonly #emit: (item: StreamItem) => void
  #isTried = false

  constructor(emit: (item: StreamItem) => void) {
    this.#emit = emit
  }

  line(line: Uint8Array, separator: number): boolean {
    if (separator === RECORD_SEPARATOR) return this.end(line)
    if (this.#isTried) return false
    this.#isTried = true
    let isWhole = true
    readValue(line, (item) => {
      isWhole = item.fault === undefined
      if (isWhole) this.#emit(item)
    })
    this.#isTried = !isWhole
    return isWhole
  }

  end(rest: Uint8Array): true {
    this.#isTried = false
    readValue(rest, this.#emit)
    return true
  }
}

interface Decoded {
  readonly text: string
  readonly isValid: boolean
}

// No line may lose a byte order mark in its middle, so the decoders keep them all.
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const lenient = new TextDecoder("utf-8", { ignoreBOM: true })

function decode(bytes: Uint8Array): Decoded {
  try {
    return { text: strict.decode(bytes), isValid: true }
  } catch {
    return { text: lenient.decode(bytes), isValid: false }
  }
}

/** Removes the byte order mark at the start of a stream. */
const withoutMark = (line: Uint8Array, isFirst: boolean): Uint8Array =>
  isFirst && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line
