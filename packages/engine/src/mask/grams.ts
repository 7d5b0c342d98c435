// Four characters that begin a secret, in each form: most places of a text are told by one look at a table.

import { base64Digits, beginnings, composedBeginnings, hasPlainRun, hexDigits } from "./forms.ts"

/** What may begin where four characters stand. */
export const TEXT = 1
export const BASE64 = 2
export const HEX = 4
/** A second look, by another number: two in a row are seldom wrong. */
const BASE64_AGAIN = 8
const HEX_AGAIN = 16

/** Forms of one character, alike in the table: of a blank, and the digits in which base64url differs. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => code)
for (const [alike, one] of [
  ["-+:", " "],
  ["_", "/"],
] as const)
  for (const character of alike) classes[character.charCodeAt(0)] = one.charCodeAt(0)

/** The class of an ASCII character; others are their own. */
export const classOf = (code: number): number => (code < 128 ? (classes[code] ?? 0) : code & 0x7f)

/** Bits by which the number of a character moves on, by how many entries there are at most. */
const shifts = [
  [4_000, 4],
  [100_000, 5],
  [Infinity, 6],
] as const

export class Grams {
  /** By the number of four characters; what is older has moved out of the number. */
  table = new Uint8Array()
  shift = 0
  #size = 0
  #hasComposed = false

  /** Whether the table is as full as it should be: then a larger one is filled with all secrets. */
  get isFull(): boolean {
    return this.#size >= (shifts.find(([, shift]) => shift === this.shift)?.[0] ?? 0)
  }

  grow(): void {
    this.#hasComposed = false
    this.shift = shifts.find(([most]) => most > this.#size)?.[1] ?? 0
    this.table = new Uint8Array(1 << (this.shift * 4))
  }

  addText(form: string): void {
    this.#add(this.#number(form), TEXT)
  }

  /** Adds how a secret begins in base64 and in hexadecimal. */
  addDigits(secret: string): void {
    const { texts, others } = beginnings(secret)
    for (const bytes of texts) this.#addBytes(bytes)
    for (const bytes of others) this.#addBase64(bytes)
    if (hasPlainRun(secret) || this.#hasComposed) return
    this.#hasComposed = true
    for (const bytes of composedBeginnings()) this.#addBytes(bytes)
  }

  #addBytes(bytes: string): void {
    this.#addBase64(bytes)
    const digits = hexDigits(bytes.slice(0, 2))
    for (const shown of [digits, `${digits.slice(0, 2)} ${digits.slice(2)}`]) {
      this.#add(this.#number(shown), HEX)
      this.#add(this.#number(shown.toUpperCase()), HEX)
    }
    this.#add(this.#numberAgain(bytes, 0), HEX_AGAIN)
  }

  #addBase64(bytes: string): void {
    for (const digits of base64Digits(bytes)) {
      this.#add(this.#number(digits), BASE64)
      this.#add(this.#numberAgain(digits, 0), BASE64_AGAIN)
    }
  }

  /** Whether four digits of base64 may begin a secret. */
  holdsBase64(text: string, at = 0): boolean {
    return ((this.table[this.#numberAgain(text, at)] ?? 0) & BASE64_AGAIN) !== 0
  }

  /** Whether bytes may. */
  holdsBytes(bytes: string): boolean {
    return bytes.length >= 4 && ((this.table[this.#numberAgain(bytes, 0)] ?? 0) & HEX_AGAIN) !== 0
  }

  #add(number: number, flag: number): void {
    const before = this.table[number] ?? 0
    if ((before & flag) === 0) this.#size++
    this.table[number] = before | flag
  }

  #number(text: string): number {
    let number = 0
    for (let at = 0; at < 4; at++) number = (number << this.shift) ^ classOf(text.charCodeAt(at))
    return number & (this.table.length - 1)
  }

  #numberAgain(text: string, from: number): number {
    let number = 0
    for (let at = from; at < from + 4; at++)
      number = Math.imul(number ^ classOf(text.charCodeAt(at)), 0x9e3779b1)
    return (number >>> 8) & (this.table.length - 1)
  }
}
