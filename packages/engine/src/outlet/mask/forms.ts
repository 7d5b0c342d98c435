// Builds the strings to search for, for each secret of 4 or more characters. The search undoes escapes itself.

import { ownOf } from "@callsheet/format"
import { entityCodes } from "./escapes.ts"

/** Returns a secret as text, and as its UTF-8 bytes with one character per byte. */
export function textForms(secret: string): readonly string[] {
  // XML turns CR LF into LF, and UTF-8 replaces an unpaired surrogate.
  const texts = secret.includes("\r\n") ? [secret, secret.replaceAll("\r\n", "\n")] : [secret]
  if (isAscii(secret)) return texts
  const wellFormed = toWellFormed(secret)
  if (wellFormed !== secret) texts.push(wellFormed)
  return [...new Set([...texts, ...texts.map(utf8), utf16(secret, 0), utf16(secret, 1)])]
}

/** Four letters or digits in a row. No escape changes them. */
const plainRun = /[A-Za-z0-9]{4}/

/** Eight characters that stay printable in any escape. The search always decodes digits that encode them. */
const printableRun = /[ -~]{8}/

/** The beginnings that identify the encoded digits of a secret. */
interface Beginnings {
  /** Four bytes of the secret's UTF-8, packed into a number. */
  readonly texts: readonly number[]
  /** Four bytes of the secret's UTF-16, packed into a number. */
  readonly wide: readonly number[]
  /** True if escapes may change every part of the secret. */
  readonly isComposed: boolean
}

/**
 * Returns the beginnings of a secret. Undefined if the search finds it without them, because it decodes all printable
 * digits.
 */
export function beginnings(secret: string): Beginnings | undefined {
  if (printableRun.test(secret)) return undefined
  const plain = plainRun.exec(secret)?.[0]
  const starts = startsOf(secret.slice(0, 8), plain)
  const wide = starts.flatMap((text) => {
    const [first, second] = [text.charCodeAt(0), text.charCodeAt(1)]
    const word = ((first & 0xff) << 24) | ((first & 0xff00) << 8) | ((second & 0xff) << 8) | (second >> 8)
    // In the other byte order, ASCII text has the same bytes, shifted by a zero byte.
    return isAscii(text) ? word : [word, (first << 16) | second]
  })
  return { texts: starts.map((text) => wordOf(utf8(text))), wide, isComposed: plain === undefined }
}

/** Returns the possible starts of a secret, and a part that no escape changes. */
function startsOf(start: string, plain: string | undefined): readonly string[] {
  if (plain !== undefined) return start.startsWith(plain) ? [start] : [start, plain]
  return [start, ...escapes.map((write) => start.replaceAll(/[^A-Za-z0-9]/gu, write))]
}

/** Packs four characters into the bytes of a number. Uses only the low bits of characters beyond Latin-1. */
export function wordOf(text: string, from = 0): number {
  let word = 0
  for (let at = from; at < from + 4; at++) {
    const code = text.charCodeAt(at)
    word = (word << 8) | (code < 0x100 ? code : (code & 0x7f) | 0x80)
  }
  return word
}

/** Returns starts for secrets without a plain run. If such a secret is escaped twice or by name, one of them occurs. */
export function composedBeginnings(): readonly string[] {
  const plain = alphabet.slice(0, -2)
  const signs = `${plain}%-_.!~*'()`
  const percents = Object.entries({
    25: "0123456789ABCDEFabcdef",
    26: `${plain}#%`,
    "7E": "01",
    "7e": "01",
    "5C": signs,
    "5c": signs,
    "2B": signs,
    "2b": signs,
  }).flatMap(([lead, next]) => Array.from(next, (one) => `%${lead}${one}`))
  const others = String.raw`&amp &#92 &#37 &#38 &#43 &#12 &#x5 &#x2 &#x7 &bso &per &plu \u00 \x5c \x25 \x26 \\\\ \\\" \\\'`
  const entities = [...entityCodes.keys()].map((name) => `&${name};`.slice(0, 4))
  return [...percents, ...others.split(" "), ...new Set(entities)]
}

/** The common escapes of a character. Quotes, backslashes and blanks also have special ones. */
const escapes: readonly ((character: string) => string)[] = [
  (character) => character.replace("~", "~0").replace("/", "~1"),
  (character) => JSON.stringify(character).slice(1, -1),
  (character) => `\\${character}`,
  (character) => `\\x${hex(character)}`,
  (character) => `\\\\x${hex(character)}`,
  (character) => JSON.stringify(JSON.stringify(character).slice(1, -1)).slice(1, -1),
  (character) => `\\u${hex(character).padStart(4, "0")}`,
  (character) => encodeURIComponent(toWellFormed(character)),
  (character) => encodeURIComponent(toWellFormed(character)).toLowerCase(),
  (character) => `%${hex(character).toUpperCase()}`,
  (character) => (character === " " ? "+" : `%${hex(character)}`),
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${(character.codePointAt(0) ?? 0).toString(16)};`,
  (character) =>
    ownOf({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }, character) ?? character,
]

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, "0")

export const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

export const digitOf = (value: number): string => alphabet.charAt(value)

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** Percent-encodes a string in three ways: strictly, as a form does, and as `encodeURIComponent` does. */
export function percentForms(text: string): ReadonlySet<string> {
  const usual = encodeURIComponent(toWellFormed(text))
  const strict = usual.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return new Set([strict, strict.replaceAll("%20", "+"), usual])
}

const toWellFormed = (text: string): string =>
  /^\uFEFF|\p{Surrogate}/u.test(text) ? new TextDecoder().decode(encoder.encode(text)) : text

const encoder = new TextEncoder()

export const utf8 = (text: string): string =>
  text.replace(/[^\0-\x7f]+/g, (run) => binaryText(encoder.encode(run)))

/** Returns UTF-16 as one character per byte. The low byte comes first (0) or second (1). */
function utf16(text: string, lower: 0 | 1): string {
  if (/^[\0-\xff]*$/.test(text)) {
    const spaced = text.split("").join("\0")
    return lower === 0 ? `${spaced}\0` : `\0${spaced}`
  }
  const bytes = new Uint8Array(2 * text.length)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[2 * at + lower] = unit
    bytes[2 * at + 1 - lower] = unit >> 8
  }
  return binaryText(bytes)
}

export function binaryText(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...(bytes.length > 8192 ? bytes.subarray(at, at + 8192) : bytes))
  return binary
}
