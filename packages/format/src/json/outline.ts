// Checks a whole JSON file and finds its outer members without creating any value.

import { getOrCreate } from "../memo.ts"

export interface JsonOutline {
  /**
   * One row per member of the outer objects, except in arrays. A row consists of four byte offsets (start and end of
   * the key, then of the value) and the number of the first row after the value's own rows.
   */
  readonly rows: Int32Array
  /** Bit n is set if the file may contain the nth watched member. */
  readonly seen: number
}

/** A kind of member to look for anywhere in a file. */
export interface WatchedMember {
  readonly key: string
  /**
   * The start of the member's value in JSON. A value with escapes always matches, because its actual text is unknown.
   */
  readonly starts: string
  /** Values that start with this text don't match. */
  readonly unless?: string
}

interface OutlineOptions {
  /** The maximum nesting depth of members with rows. */
  readonly depth: number
  /** The members to look for, at most 32. */
  readonly watched?: readonly WatchedMember[]
}

export const ROW_LENGTH = 5
export const KEY_START = 0
export const KEY_END = 1
export const VALUE_START = 2
export const VALUE_END = 3
export const NEXT_ROW = 4

const decoder = new TextDecoder()

export const decodePart = (bytes: Uint8Array, start: number, end: number): string =>
  decoder.decode(bytes.subarray(start, end))

/** The maximum nesting depth. Deeper files are left to the parser. */
const MAX_DEPTH = 1000

export const QUOTE = 34
const COMMA = 44
const MINUS = 45
const ZERO = 48
const NINE = 57
const COLON = 58
const OPEN_BRACKET = 91
export const BACKSLASH = 92
export const OPEN_BRACE = 123

/**
 * Outlines JSON in UTF-8. Returns undefined if the file needs the parser: it is malformed, has a number that no double
 * can represent, or has equal key hashes.
 */
export function outlineJson(bytes: Uint8Array, options: OutlineOptions): JsonOutline | undefined {
  // Uses one loop with local numbers: a process reads each file once, so V8 has to optimize the loop while it runs.
  const rows = new Rows(bytes.length)
  const keys = new OpenKeys(options.watched ?? [])
  const kinds = new Uint8Array(MAX_DEPTH)
  const outerRows = new Int32Array(MAX_DEPTH)
  let depth = 0
  let row = NO_ROW
  /** The depth from which members have no rows: that of the outermost open array or of an object that is too deep. */
  let depthWithoutRows = MAX_DEPTH + 1
  let at = blanksEnd(bytes, 0)
  let wantsKey = false
  for (;;) {
    if (wantsKey) {
      const start = at
      at = keys.read(bytes, start)
      if (at === BROKEN) return undefined
      if (depth < depthWithoutRows) row = rows.start(start, keys.end, at)
    }
    const kind = bytes[at]!
    if (kind === OPEN_BRACE || kind === OPEN_BRACKET) {
      if (depth === MAX_DEPTH) return undefined
      kinds[depth] = kind
      outerRows[depth] = row
      depth++
      keys.open()
      wantsKey = kind === OPEN_BRACE
      if (depth < depthWithoutRows && (!wantsKey || depth > options.depth)) depthWithoutRows = depth
      at = blanksEnd(bytes, at + 1)
      if (bytes[at] !== kind + CLOSING) continue
    } else {
      at = kind === QUOTE ? stringEnd(bytes, at) : literalEnd(bytes, at)
      if (at === BROKEN) return undefined
    }
    for (;;) {
      if (depth < depthWithoutRows && row !== NO_ROW) rows.end(row, at)
      at = blanksEnd(bytes, at)
      if (depth === 0) return at < bytes.length ? undefined : rows.outline(keys)
      const outer = kinds[depth - 1]!
      if (bytes[at] === COMMA) {
        wantsKey = outer === OPEN_BRACE
        at = blanksEnd(bytes, at + 1)
        break
      }
      if (bytes[at] !== outer + CLOSING) return undefined
      at++
      if (depthWithoutRows === depth) depthWithoutRows = MAX_DEPTH + 1
      depth--
      row = outerRows[depth]!
      keys.close()
    }
  }
}

const NO_ROW = -1
const BROKEN = -1
/** The character code of a closing bracket or brace minus that of its opening counterpart. */
const CLOSING = 2

class Rows {
  #rows: Int32Array<ArrayBuffer>
  #count = 0

  /**
   * Allocates one row per 64 bytes, which is enough for most files. If the array grows, V8 has to optimize the loop
   * again.
   */
  constructor(length: number) {
    this.#rows = new Int32Array(ROW_LENGTH * Math.max(64, length >> 6))
  }

  start(keyStart: number, keyEnd: number, valueStart: number): number {
    const first = this.#count * ROW_LENGTH
    if (first === this.#rows.length) this.#rows = doubled(this.#rows)
    this.#rows[first + KEY_START] = keyStart
    this.#rows[first + KEY_END] = keyEnd
    this.#rows[first + VALUE_START] = valueStart
    return this.#count++
  }

  end(row: number, valueEnd: number): void {
    this.#rows[row * ROW_LENGTH + VALUE_END] = valueEnd
    this.#rows[row * ROW_LENGTH + NEXT_ROW] = this.#count
  }

  outline({ seen }: OpenKeys): JsonOutline {
    return { rows: this.#rows.slice(0, this.#count * ROW_LENGTH), seen }
  }
}

interface Watch {
  readonly bit: number
  readonly hash: number
  readonly starts: Uint8Array
  readonly unless: Uint8Array | undefined
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

class OpenKeys {
  #hashes = new Int32Array(4096)
  #count = 0
  #start = 0
  readonly #starts: number[] = []
  /** The keys of open objects with many keys, by the start of the object. */
  readonly #sets = new Map<number, Set<number>>()
  end = 0
  seen = 0
  readonly #watches: readonly Watch[]
  /** A table by the last byte of a key's hash. One lookup rules out most keys that aren't watched. */
  readonly #mayBeWatched = new Uint8Array(256)

  constructor(watched: readonly WatchedMember[]) {
    this.#watches = watched.map(({ key, starts, unless }, index) => ({
      bit: 1 << index,
      hash: hashOfText(JSON.stringify(key)),
      starts: encode(starts),
      unless: unless === undefined ? undefined : encode(unless),
    }))
    for (const { hash } of this.#watches) this.#mayBeWatched[hash & 255] = 1
  }

  open(): void {
    this.#starts.push(this.#start)
    this.#start = this.#count
  }

  close(): void {
    if (this.#count - this.#start === FEW) this.#sets.delete(this.#start)
    this.#count = this.#start
    this.#start = this.#starts.pop() ?? 0
  }

  read(bytes: Uint8Array, start: number): number {
    if (bytes[start] !== QUOTE) return BROKEN
    const end = stringEnd(bytes, start)
    if (end === BROKEN) return BROKEN
    this.end = end
    const hash = keyHash(bytes, start, end)
    if (!this.#add(hash)) return BROKEN
    const colon = blanksEnd(bytes, end)
    if (bytes[colon] !== COLON) return BROKEN
    const value = blanksEnd(bytes, colon + 1)
    if (this.#mayBeWatched[hash & 255] === 1) this.#note(hash, bytes, value)
    return value
  }

  #note(key: number, bytes: Uint8Array, value: number): void {
    for (const { bit, hash, starts, unless } of this.#watches) {
      if (hash !== key || (this.seen & bit) !== 0 || !mayStartWith(bytes, value, starts)) continue
      if (unless === undefined || !startsWith(bytes, value, unless)) this.seen |= bit
    }
  }

  #add(hash: number): boolean {
    const count = this.#count
    if (count - this.#start === FEW) return this.#addToSet(hash)
    for (let at = this.#start; at < count; at++) if (this.#hashes[at] === hash) return false
    if (count === this.#hashes.length) this.#hashes = doubled(this.#hashes)
    this.#hashes[count] = hash
    this.#count = count + 1
    return true
  }

  #addToSet(hash: number): boolean {
    const ofFirst = (start: number) => new Set(this.#hashes.subarray(start, this.#count))
    const set = getOrCreate(this.#sets, this.#start, ofFirst)
    const { size } = set
    return set.add(hash).size > size
  }
}

/** The maximum number of keys that are compared one by one. */
const FEW = 24

export function blanksEnd(bytes: Uint8Array, start: number): number {
  let at = start
  let unit = bytes[at]
  while (unit === 32 || unit === 10 || unit === 13 || unit === 9) unit = bytes[++at]
  return at
}

/** Returns the end of the string whose opening quote is at `start`, or BROKEN. */
function stringEnd(bytes: Uint8Array, start: number): number {
  let at = start
  for (;;) {
    at = plainEnd(bytes, at)
    const unit = bytes[at]
    if (unit === QUOTE) return at + 1
    if (unit !== BACKSLASH) return BROKEN
    at++
    const escaped = bytes[at]
    if (escaped === 117) {
      for (let digit = 0; digit < 4; digit++) if (!isHexDigit(bytes[++at])) return BROKEN
    } else if (!simpleEscapes.has(escaped)) return BROKEN
  }
}

/** Returns the first quote, backslash or control character after `start`, or the end of the text. */
function plainEnd(bytes: Uint8Array, start: number): number {
  let at = start
  let unit: number
  do unit = bytes[++at]!
  while (unit !== QUOTE && unit !== BACKSLASH && unit >= 32)
  return at
}

const simpleEscapes: ReadonlySet<number | undefined> = new Set(
  Array.from(`"\\/bfnrt`, (char) => char.charCodeAt(0)),
)

const isHexDigit = (unit = 0): boolean =>
  (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102)

/** Computes FNV-1a over the raw bytes of a key, for keys without escapes. */
function keyHash(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_BASIS
  for (let at = start + 1; at < end - 1; at++) {
    const unit = bytes[at]!
    if (unit === BACKSLASH) return hashOfText(decodePart(bytes, start, end))
    hash = Math.imul(hash ^ unit, FNV_PRIME)
  }
  return hash
}

function hashOfText(quoted: string): number {
  let hash = FNV_BASIS
  for (const unit of encode(JSON.parse(quoted) as string)) hash = Math.imul(hash ^ unit, FNV_PRIME)
  return hash
}

const FNV_BASIS = -2128831035
const FNV_PRIME = 16777619

function startsWith(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[start + at] !== text[at]) return false
  return true
}

/** Returns whether a string may start with `text`. True if an escape hides the actual characters. */
function mayStartWith(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) {
    if (bytes[start + at] === BACKSLASH) return true
    if (bytes[start + at] !== text[at]) return false
  }
  return true
}

/** Returns the end of a literal word or a number, or BROKEN, also for a number that a double might not represent. */
function literalEnd(bytes: Uint8Array, start: number): number {
  const word = words.get(bytes[start])
  if (word !== undefined) return wordEnd(bytes, start, word)
  const first = bytes[start] === MINUS ? start + 1 : start
  const end = digitsEnd(bytes, first)
  const isPlain = end > first && end - first < 16 && (bytes[first] !== ZERO || end === first + 1)
  return isPlain && !isOfNumber(bytes[end]) ? end : numberEnd(bytes, start)
}

const words: ReadonlyMap<number | undefined, readonly number[]> = new Map(
  ["true", "false", "null"].map((word) => [word.charCodeAt(0), [...encode(word)]]),
)

function wordEnd(bytes: Uint8Array, start: number, word: readonly number[]): number {
  let at = start
  for (const unit of word) if (bytes[at++] !== unit) return BROKEN
  return at
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let at = start
  let unit = bytes[at]!
  while (unit >= ZERO && unit <= NINE) unit = bytes[++at]!
  return at
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let end = start
  while (isOfNumber(bytes[end])) end++
  return end - start <= MAX_NUMBER_LENGTH && number.test(decodePart(bytes, start, end)) ? end : BROKEN
}

const isOfNumber = (unit = 0): boolean =>
  (unit >= ZERO && unit <= NINE) ||
  unit === MINUS ||
  unit === 43 ||
  unit === 46 ||
  unit === 69 ||
  unit === 101

const number = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,2})?$/

/** The maximum length of a number. A shorter one with a two-digit exponent is always finite. */
const MAX_NUMBER_LENGTH = 200

function doubled(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const more = new Int32Array(numbers.length * 2)
  more.set(numbers)
  return more
}
