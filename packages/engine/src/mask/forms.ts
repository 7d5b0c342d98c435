// The texts by which a secret of 4 or more characters is looked for. Escapes are undone where they stand.

import { entityCodes } from "./escapes.ts"

/** A secret as text, and as its bytes read one by one. */
export function textForms(secret: string): readonly string[] {
  // XML makes one line break of two, UTF-8 another character of half of one.
  const texts = secret.includes("\r\n") ? [secret, secret.replaceAll("\r\n", "\n")] : [secret]
  if (isAscii(secret)) return texts
  texts.push(toWellFormed(secret))
  return [...new Set([...texts, ...texts.map(utf8), utf16(secret, 0), utf16(secret, 1)])]
}

/** Four letters or digits in a row, which every escape leaves as they are. */
const plainRun = /[A-Za-z0-9]{4}/

/** Characters that stay printable however they are escaped: digits of any kind that say them are decoded anyway. */
const printableRun = /[ -~]{8}/

/** By what the digits of a secret are told. */
interface Beginnings {
  /** Four bytes of its text, as a number. */
  readonly texts: readonly number[]
  /** Four bytes of its UTF-16. */
  readonly wide: readonly number[]
  /** Whether an escape may change all of it. */
  readonly isComposed: boolean
}

/** Undefined if nothing but a look at what the digits say is needed. */
export function beginnings(secret: string): Beginnings | undefined {
  if (printableRun.test(secret)) return undefined
  const plain = plainRun.exec(secret)?.[0]
  const starts = startsOf(secret.slice(0, 8), plain)
  const wide = starts.flatMap((text) => {
    const [first, second] = [text.charCodeAt(0), text.charCodeAt(1)]
    const word = ((first & 0xff) << 24) | ((first & 0xff00) << 8) | ((second & 0xff) << 8) | (second >> 8)
    // The other order of bytes is, of ASCII, the same text one zero further.
    return isAscii(text) ? word : [word, (first << 16) | second]
  })
  return { texts: starts.map((text) => wordOf(utf8(text))), wide, isComposed: plain === undefined }
}

/** How a secret begins, or what every escape leaves of it. */
function startsOf(start: string, plain: string | undefined): readonly string[] {
  if (plain !== undefined) return start.startsWith(plain) ? [start] : [start, plain]
  return [start, ...escapes.map((write) => start.replaceAll(/[^A-Za-z0-9]/gu, write))]
}

/** Four characters as the bytes of a number. Those beyond Latin-1 are told by their last bits alone. */
export function wordOf(text: string, from = 0): number {
  let word = 0
  for (let at = from; at < from + 4; at++) {
    const code = text.charCodeAt(at)
    word = (word << 8) | (code < 0x100 ? code : (code & 0x7f) | 0x80)
  }
  return word
}

/** One of these stands in what escapes a secret without a plain run twice or more, or by a name. */
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

/** How writers escape a character; a quote, a backslash or a blank each has its own way. */
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
    ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" })[character] ?? character,
]

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, "0")

export const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** The digit of base64 that says a value. */
export const digitOf = (value: number): string => alphabet.charAt(value)

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text)

/** The ways in which a text is percent-encoded: strictly, in a form, and as `encodeURIComponent` does. */
export function percentForms(text: string): ReadonlySet<string> {
  const usual = encodeURIComponent(toWellFormed(text))
  const strict = usual.replaceAll(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return new Set([strict, strict.replaceAll("%20", "+"), usual])
}

const toWellFormed = (text: string): string =>
  isAscii(text) ? text : new TextDecoder().decode(new TextEncoder().encode(text))

/** A character for each byte of UTF-8. */
export const utf8 = (text: string): string =>
  isAscii(text) ? text : binaryText(new TextEncoder().encode(text))

/** UTF-16, a character for each byte: the lower one stands at the even places, or at the odd ones. */
function utf16(text: string, lower: 0 | 1): string {
  const bytes = new Uint8Array(2 * text.length)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[2 * at + lower] = unit
    bytes[2 * at + 1 - lower] = unit >> 8
  }
  return binaryText(bytes)
}

/** A character for each byte. */
export function binaryText(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return binary
}
