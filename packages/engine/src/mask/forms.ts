// The texts by which a secret of 4 or more characters is looked for. Escapes are undone where they stand.

/** A secret as text, and as its bytes read one by one. */
export function textForms(secret: string): ReadonlySet<string> {
  // XML makes one line break of two, UTF-8 another character of half of one.
  const texts = [secret, secret.replaceAll("\r\n", "\n"), toWellFormed(secret)]
  if (isAscii(secret)) return new Set(texts)
  const wide = utf16(secret)
  return new Set([...texts, ...texts.map(utf8), wide, swapped(wide)])
}

/** The texts by which a secret of many thousand characters is looked for: plain, and by one writer each. */
export function longForms(secret: string): ReadonlySet<string> {
  const markup = secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const json = JSON.stringify(secret).slice(1, -1)
  return new Set([
    secret,
    json,
    JSON.stringify(json).slice(1, -1),
    markup,
    markup.replaceAll('"', "&quot;"),
    markup.replaceAll('"', "&quot;").replaceAll("'", "&apos;"),
    ...percentForms(secret),
    ...base64Digits(utf8(secret)),
  ])
}

/** How a secret begins in bytes, each time with 4 or more of them: as text, and in the forms that base64 may say. */
export function beginnings(secret: string): {
  readonly texts: readonly string[]
  readonly others: readonly string[]
} {
  const start = secret.slice(0, 8)
  const texts = new Set([start])
  // Whatever escapes the others, letters and digits stay.
  const [plain] = /[A-Za-z0-9]{4}/.exec(secret) ?? []
  if (plain !== undefined && !start.startsWith(plain)) texts.add(plain)
  if (plain === undefined) for (const write of escapes) texts.add(start.replaceAll(/[^A-Za-z0-9]/gu, write))
  const all = [...texts].map(utf8)
  // The other order of bytes is, of ASCII, the same text one zero further.
  const wide = [...texts].map(utf16).flatMap((form) => (isAscii(start) ? [form] : [form, swapped(form)]))
  const digits = all.flatMap(base64Digits)
  const url = digits.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"))
  return { texts: all, others: [...new Set([...wide, ...digits, ...url, ...all.map(hexDigits)])] }
}

/** How writers escape a character; a quote, a backslash or a blank each has its own way. */
const escapes: readonly ((character: string) => string)[] = [
  (character) => JSON.stringify(character).slice(1, -1),
  (character) => `\\${character}`,
  (character) => `\\x${hex(character)}`,
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

/** The digits of base64 that a text of bytes decides, for each of the ways in which it can lie on groups of three. */
export const base64Digits = (bytes: string): readonly string[] =>
  [0, 1, 2].map((before) =>
    btoa("\0".repeat(before) + bytes).slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + bytes.length) * 8) / 6),
    ),
  )

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
