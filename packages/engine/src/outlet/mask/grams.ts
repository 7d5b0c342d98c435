// A hash table of the first four characters of each form of a secret. One lookup rules out most indexes of a text.

import { alphabet, beginnings, composedBeginnings, wordOf } from "./forms.ts"

/** Bit flags for the kinds of text that may start with four given characters. */
export const TEXT = 1
export const BASE64 = 2
export const HEX = 4
/** Flags of a second lookup with another hash, which makes false positives rare. */
const BASE64_AGAIN = 8
const HEX_AGAIN = 16

/** Maps interchangeable characters to one class: blanks, and the digits that differ between base64 and base64url. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => code)
for (const [alike, one] of [
  ["-+:", " "],
  ["_", "/"],
] as const)
  for (const character of alike) classes[character.charCodeAt(0)] = one.charCodeAt(0)

/** Returns the class of a character. Beyond ASCII, this is its low bits. */
export const classOf = (code: number): number => (code < 128 ? (classes[code] ?? 0) : code & 0x7f)

/** The bits per character in a table index, for each maximum number of entries. */
const shifts = [
  [4_000, 4],
  [200_000, 5],
  [Infinity, 6],
] as const

export class Grams {
  /** Flags by the hash of four characters. A character leaves the hash after four more. */
  table = new Uint8Array()
  shift = 0
  size = 0
  #hasComposed = false

  /** Makes room for this many entries. Returns true if the table is new and therefore empty. */
  grow(entries: number): boolean {
    const shift = shifts.find(([max]) => max > entries)?.[1] ?? 0
    if (shift <= this.shift) return false
    this.shift = shift
    this.table = new Uint8Array(1 << (shift * 4))
    this.size = 0
    this.#hasComposed = false
    return true
  }

  addText(form: string): void {
    this.#set(this.#number(wordOf(form)), TEXT)
  }

  /** Adds the base64 and hexadecimal digits at the start of a secret. */
  addDigits(secret: string): void {
    const begin = beginnings(secret)
    if (begin === undefined) return
    const { texts, wide, isComposed } = begin
    for (const word of texts) this.#addBytes(word)
    for (const word of wide) this.#addBase64(word)
    if (!isComposed || this.#hasComposed) return
    this.#hasComposed = true
    for (const bytes of composedBeginnings()) this.#addBytes(wordOf(bytes))
  }

  #addBytes(word: number): void {
    this.#addBase64(word)
    this.#set(this.#numberAgain(word), HEX_AGAIN)
    const digits = hexDigits(word)
    const parted = (digits & 0xffff0000) | 0x2000 | ((digits >>> 8) & 0xff)
    for (const shown of [digits, parted]) {
      this.#set(this.#number(shown), HEX)
      this.#set(this.#number(upperCase(shown)), HEX)
    }
  }

  /** Adds the base64 digits of four bytes, for all three positions in a group. */
  #addBase64(word: number): void {
    for (let before = 0; before < 6; before += 2) {
      const digits = base64Digits(word, before)
      this.#set(this.#number(digits), BASE64)
      this.#set(this.#numberAgain(digits), BASE64_AGAIN)
    }
  }

  /** Returns whether four base64 digits may start an encoded secret. */
  holdsBase64(text: string, at = 0): boolean {
    return ((this.table[this.#numberAgain(wordOf(text, at))] ?? 0) & BASE64_AGAIN) !== 0
  }

  /** Returns whether the bytes may start a secret. */
  holdsBytes(bytes: string): boolean {
    return bytes.length >= 4 && ((this.table[this.#numberAgain(wordOf(bytes))] ?? 0) & HEX_AGAIN) !== 0
  }

  #number(word: number): number {
    const { shift } = this
    const first = classOf(word >>> 24) << shift
    const second = (first ^ classOf((word >>> 16) & 0xff)) << shift
    const third = (second ^ classOf((word >>> 8) & 0xff)) << shift
    return (third ^ classOf(word & 0xff)) & (this.table.length - 1)
  }

  #set(number: number, flag: number): void {
    const before = this.table[number] ?? 0
    if ((before & flag) !== 0) return
    this.size++
    this.table[number] = before | flag
  }

  #numberAgain(word: number): number {
    const first = Math.imul(classOf(word >>> 24), FACTOR)
    const second = Math.imul(first ^ classOf((word >>> 16) & 0xff), FACTOR)
    const third = Math.imul(second ^ classOf((word >>> 8) & 0xff), FACTOR)
    return (Math.imul(third ^ classOf(word & 0xff), FACTOR) >>> 8) & (this.table.length - 1)
  }
}

const FACTOR = 0x9e3779b1 | 0

const codesOf = (digits: string): Uint8Array => Uint8Array.from(digits, (digit) => digit.charCodeAt(0))
const base64Codes = codesOf(alphabet)
const hexCodes = codesOf("0123456789abcdef")

/** Returns the first four digits that depend only on these four bytes. `before` bits come first. */
function base64Digits(word: number, before: number): number {
  const bits = (word << before) >>> 8
  const first = base64Codes[bits >> 18] ?? 0
  const second = base64Codes[(bits >> 12) & 63] ?? 0
  const third = base64Codes[(bits >> 6) & 63] ?? 0
  return (first << 24) | (second << 16) | (third << 8) | (base64Codes[bits & 63] ?? 0)
}

/** Returns the digits of the first two of four bytes. */
function hexDigits(word: number): number {
  const first = hexCodes[word >>> 28] ?? 0
  const second = hexCodes[(word >>> 24) & 15] ?? 0
  const third = hexCodes[(word >>> 20) & 15] ?? 0
  return (first << 24) | (second << 16) | (third << 8) | (hexCodes[(word >>> 16) & 15] ?? 0)
}

const upperCase = (word: number): number => word ^ ((word & 0x40404040) >>> 1)
