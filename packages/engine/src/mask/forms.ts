// The texts by which a secret of 4 or more characters is looked for. Escapes are undone where they stand.

import { entityCodes } from "./escapes.ts"

/** A secret as text, and as its bytes read one by one. */
export function textForms(secret: string): ReadonlySet<string> {
  // XML makes one line break of two, UTF-8 another character of half of one.
  const texts = [secret, secret.replaceAll("\r\n", "\n"), toWellFormed(secret)]
  if (isAscii(secret)) return new Set(texts)
  const wide = utf16(secret)
  return new Set([...texts, ...texts.map(utf8), wide, swapped(wide)])
}

/** Four letters or digits in a row, which every escape leaves as they are. */
const plainRun = /[A-Za-z0-9]{4}/

export const hasPlainRun = (secret: string): boolean => plainRun.test(secret)

/** Four bytes, a character for each, by which a secret is told: as text, and in the forms that base64 may say. */
export function beginnings(secret: string): {
  readonly texts: readonly string[]
  readonly others: readonly string[]
} {
  const start = secret.slice(0, 8)
  const texts = [start]
  const plain = plainRun.exec(secret)?.[0]
  if (plain === undefined) for (const write of escapes) texts.push(start.replaceAll(/[^A-Za-z0-9]/gu, write))
  else if (!start.startsWith(plain)) texts.push(plain)
  const bytes = texts.map((text) => utf8(text).slice(0, 4))
  const others: string[] = []
  for (const text of texts) {
    const wide = utf16(text.slice(0, 2))
    others.push(wide)
    // The other order of bytes is, of ASCII, the same text one zero further.
    if (!isAscii(start)) others.push(swapped(wide))
  }
  for (const four of bytes) {
    others.push(hexDigits(four.slice(0, 2)))
    for (const digits of base64Digits(four)) {
      others.push(digits)
      if (/[+/]/.test(digits)) others.push(digits.replaceAll("+", "-").replaceAll("/", "_"))
    }
  }
  return { texts: bytes, others }
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

export const hexDigits = (bytes: string): string => Array.from(bytes, hex).join("")

/** The first four digits of base64 that four bytes decide, for each of the ways in which they can lie on groups of three. */
export function base64Digits(bytes: string): readonly string[] {
  let word = 0
  for (let at = 0; at < 4; at++) word = (word << 8) | bytes.charCodeAt(at)
  return [0, 4, 2].map((before) => {
    const digits = (word << before) >>> 8
    return (
      digitOf(digits >> 18) +
      digitOf((digits >> 12) & 63) +
      digitOf((digits >> 6) & 63) +
      digitOf(digits & 63)
    )
  })
}

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

const toWellFormed = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

/** A character for each byte of UTF-8. */
export const utf8 = (text: string): string =>
  isAscii(text) ? text : binaryText(new TextEncoder().encode(text))

/** UTF-16 with the lower byte first, a character for each byte. */
const utf16 = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => String.fromCharCode(unit.charCodeAt(0) & 0xff, unit.charCodeAt(0) >> 8))

const swapped = (text: string): string => text.replaceAll(/([^])([^])/g, "$2$1")

/** A character for each byte. */
export function binaryText(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return binary
}
