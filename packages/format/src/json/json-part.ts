// Reads JSON lazily: callers can inspect members before any value is created.

import {
  BACKSLASH,
  blanksEnd,
  decodePart,
  KEY_END,
  KEY_START,
  NEXT_ROW,
  OPEN_BRACE,
  QUOTE,
  ROW_LENGTH,
  VALUE_END,
  VALUE_START,
  type JsonOutline,
} from "./outline.ts"
import { getOrCreate } from "../memo.ts"
import { parseJson } from "./parse-json.ts"
import { isJsonObject, type JsonObject, type JsonValue, ownOf } from "./value.ts"

export interface JsonPart {
  readonly isObject: boolean
  /** Returns the members of an object. Empty for any other value. */
  readonly entries: () => readonly (readonly [key: string, part: JsonPart])[]
  readonly member: (key: string) => JsonPart | undefined
  readonly someMemberHas: (key: string) => boolean
  /** Returns the key paths of the objects whose `key` is the string `text`. Undefined if the caller has to search. */
  readonly holdersOf: (key: string, text: string) => readonly (readonly string[])[] | undefined
  /** Returns the value that `parseJson` would return, cached. Members of large objects are created when they are read. */
  readonly value: () => JsonValue
}

export const partOf = (value: JsonValue): JsonPart => ({
  isObject: isJsonObject(value),
  entries: () =>
    isJsonObject(value) ? Object.entries(value).map(([key, inner]) => [key, partOf(inner)]) : [],
  member: (key) => {
    const inner = isJsonObject(value) ? ownOf(value, key) : undefined
    return inner === undefined ? undefined : partOf(inner)
  },
  someMemberHas: (key) =>
    isJsonObject(value) && Object.values(value).some((one) => isJsonObject(one) && Object.hasOwn(one, key)),
  holdersOf: () => undefined,
  value: () => value,
})

/** Wraps a whole file, as in `outlinedPart(bytes, outlineJson(bytes, { depth: 4 }))`. */
export const outlinedPart = (bytes: Uint8Array, outline: JsonOutline): JsonPart =>
  new OutlinedPart({ bytes, rows: outline.rows, parts: new Map() }, WHOLE)

interface OutlinedText {
  readonly bytes: Uint8Array
  readonly rows: Int32Array
  /** The parts by row. Every path to a part returns the same instance. */
  readonly parts: Map<number, OutlinedPart>
}

/** The row number of the root value, which is not a member and has no row. */
const WHOLE = -1

/** Values smaller than this many bytes are parsed at once, which is faster than deferring their members. */
const SMALL = 1024

const FEW_LOOK_UPS = 16

class OutlinedPart implements JsonPart {
  readonly #text: OutlinedText
  readonly #row: number
  #value: JsonValue | undefined
  #lookUps = 0
  #rowsByKey: ReadonlyMap<string, number> | undefined

  constructor(text: OutlinedText, row: number) {
    this.#text = text
    this.#row = row
  }

  get isObject(): boolean {
    return this.#text.bytes[this.#start] === OPEN_BRACE
  }

  entries(): readonly (readonly [string, JsonPart])[] {
    if (!this.isObject) return []
    if (!this.#hasRows) return partOf(this.value()).entries()
    return this.#rows().map((row) => [keyOf(this.#text, row), partAt(this.#text, row)])
  }

  member(key: string): JsonPart | undefined {
    if (!this.isObject) return undefined
    if (!this.#hasRows) return partOf(this.value()).member(key)
    const row = this.#find(key)
    return row === undefined ? undefined : partAt(this.#text, row)
  }

  /** A linear search is faster than a table for few members. */
  #find(key: string): number | undefined {
    if (++this.#lookUps > FEW_LOOK_UPS) {
      this.#rowsByKey ??= new Map(this.#rows().map((row) => [keyOf(this.#text, row), row]))
      return this.#rowsByKey.get(key)
    }
    const end = this.#endRow
    for (let row = this.#row + 1; row < end; row = numberOf(this.#text, row, NEXT_ROW))
      if (isKey(this.#text, row, key)) return row
    return undefined
  }

  someMemberHas(key: string): boolean {
    return this.#rows().some((row) => {
      const end = numberOf(this.#text, row, NEXT_ROW)
      for (let inner = row + 1; inner < end; inner = numberOf(this.#text, inner, NEXT_ROW))
        if (isKey(this.#text, inner, key)) return true
      return false
    })
  }

  holdersOf(key: string, text: string): readonly (readonly string[])[] {
    const wanted = new TextEncoder().encode(text)
    const holders: (readonly string[])[] = []
    for (let row = this.#row + 1; row < this.#endRow; row++) {
      if (isKey(this.#text, row, key) && isString(this.#text, row, { text, bytes: wanted }))
        holders.push(this.#keysTo(row))
    }
    return holders
  }

  #keysTo(target: number): readonly string[] {
    const keys: string[] = []
    for (let row = this.#row + 1; row !== target;) {
      const next = numberOf(this.#text, row, NEXT_ROW)
      if (target >= next) row = next
      else {
        keys.push(keyOf(this.#text, row))
        row++
      }
    }
    return keys
  }

  value(): JsonValue {
    this.#value ??= this.#make()
    return this.#value
  }

  #make(): JsonValue {
    const end = this.#row === WHOLE ? this.#text.bytes.length : numberOf(this.#text, this.#row, VALUE_END)
    const isSmall = end - this.#start <= SMALL
    return isSmall || !this.#hasRows ? parsePart(this.#text.bytes, this.#start, end) : objectOf(this)
  }

  get #start(): number {
    return this.#row === WHOLE ? blanksEnd(this.#text.bytes, 0) : numberOf(this.#text, this.#row, VALUE_START)
  }

  get #endRow(): number {
    return this.#row === WHOLE
      ? this.#text.rows.length / ROW_LENGTH
      : numberOf(this.#text, this.#row, NEXT_ROW)
  }

  /** False for objects outside the outline and for empty objects. */
  get #hasRows(): boolean {
    return this.#endRow > this.#row + 1
  }

  #rows(): readonly number[] {
    const rows: number[] = []
    const end = this.#endRow
    for (let row = this.#row + 1; row < end; row = numberOf(this.#text, row, NEXT_ROW)) rows.push(row)
    return rows
  }
}

/** Returns an object whose members are created when they are read. */
function objectOf(part: OutlinedPart): JsonObject {
  const object = Object.create(null) as JsonObject
  for (const [key, member] of part.entries())
    Object.defineProperty(object, key, { get: () => member.value(), enumerable: true })
  return object
}

const numberOf = ({ rows }: OutlinedText, row: number, which: number): number =>
  rows[row * ROW_LENGTH + which]!

const partAt = (text: OutlinedText, row: number): OutlinedPart =>
  getOrCreate(text.parts, row, () => new OutlinedPart(text, row))

function keyOf(text: OutlinedText, row: number): string {
  const start = numberOf(text, row, KEY_START)
  const end = numberOf(text, row, KEY_END)
  return stringAt(text.bytes, start, end)
}

function stringAt(bytes: Uint8Array, start: number, end: number): string {
  const inner = decodePart(bytes, start + 1, end - 1)
  return inner.includes("\\") ? (JSON.parse(`"${inner}"`) as string) : inner
}

const FIRST_NON_ASCII = 128

/**
 * Returns whether a row's key is `key`. Compares the first characters first, because most keys already differ there.
 */
function isKey(text: OutlinedText, row: number, key: string): boolean {
  const { bytes } = text
  const start = numberOf(text, row, KEY_START) + 1
  const end = numberOf(text, row, KEY_END) - 1
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!
    if (byte === BACKSLASH || byte >= FIRST_NON_ASCII) return keyOf(text, row) === key
    if (byte !== key.charCodeAt(at - start)) return false
  }
  return end - start === key.length
}

function isString(text: OutlinedText, row: number, wanted: { text: string; bytes: Uint8Array }): boolean {
  const start = numberOf(text, row, VALUE_START)
  const end = numberOf(text, row, VALUE_END)
  if (text.bytes[start] !== QUOTE) return false
  for (let at = start + 1; at < end - 1; at++) {
    const byte = text.bytes[at]
    if (byte === BACKSLASH) return stringAt(text.bytes, start, end) === wanted.text
    if (byte !== wanted.bytes[at - start - 1]) return false
  }
  return end - start - 2 === wanted.bytes.length
}

function parsePart(bytes: Uint8Array, start: number, end: number): JsonValue {
  if (bytes[start] === QUOTE && bytes[end - 1] === QUOTE) return stringAt(bytes, start, end)
  // The outline already rejected duplicate keys.
  const parsed = parseJson(decodePart(bytes, start, end), { allowDuplicateKeys: true })
  if (parsed.ok) return parsed.value
  throw new Error("an outline does not match its text")
}
