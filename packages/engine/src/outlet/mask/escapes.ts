// Reads the character at an index of a string through several layers of escapes.

import { isSeparator } from "./line-breaks.ts"

/** The maximum depth of nested escapes, such as JSON inside a URL inside JSON. */
export const MAX_LAYERS = 3

export const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
const PLUS = 0x2b
const TILDE = 0x7e

/** Returns whether an escape may start with the character. */
export const isLead = (code: number): boolean =>
  code === PERCENT || code === AMPERSAND || code === BACKSLASH || code === PLUS || code === TILDE

/** Matches a character that may start an escape or a separator. */
const special = new RegExp(
  `[${Array.from({ length: 128 }, (_, code) => code)
    .filter((code) => isLead(code) || isSeparator(code))
    .map((code) => `\\x${code.toString(16).padStart(2, "0")}`)
    .join("")}]`,
  "g",
)

export interface Reading {
  /** A UTF-16 code unit, or a code point from an escape. */
  readonly code: number
  readonly end: number
}

/**
 * Limits the comparisons with secrets in a text of this length. Repetitive secrets could otherwise take hours. At the
 * limit, the rest of the text is masked.
 */
const stepsFor = (length: number): number => 1_000_000 + 100 * length

/** The number of cached readings. Neighboring indexes need the same ones. */
const SLOTS = 256

export class EscapedText {
  readonly text: string
  stepsLeft: number
  /** True if the escape that was read last contains another escape. */
  isComposed = false
  /** No `special` character is between `#plainFrom` and `#plainEnd`. */
  #plainFrom = 0
  #plainEnd = -1
  readonly #keys = new Uint32Array(SLOTS)
  readonly #readings: (readonly Reading[])[] = []

  constructor(text: string) {
    this.text = text
    this.stepsLeft = stepsFor(text.length)
  }

  /** Returns every possible reading at an index. Each character of an escape may be an escape itself. */
  readingsAt(at: number, layers = MAX_LAYERS): readonly Reading[] {
    const key = at * (MAX_LAYERS + 1) + layers
    const slot = key % SLOTS
    const known = this.#readings[slot]
    if (known !== undefined && this.#keys[slot] === key) return known
    const readings = this.#read(at, layers)
    this.#keys[slot] = key
    this.#readings[slot] = readings
    return readings
  }

  /** Returns the index after the expected character. Returns -1 if another character is there. */
  endOf(expected: number, at: number): number {
    const code = this.text.charCodeAt(at)
    if (code === expected) return at + 1
    if (!isLead(code)) return -1
    return this.readingsAt(at).find((reading) => reading.code === expected)?.end ?? -1
  }

  /** Counts equal characters of this text and another one, up to the next `special` character. */
  plainLength(at: number, other: string, otherAt: number): number {
    if (at < this.#plainFrom || at > this.#plainEnd) {
      special.lastIndex = this.#plainFrom = at
      this.#plainEnd = special.exec(this.text)?.index ?? this.text.length
    }
    const limit = Math.min(this.#plainEnd - at, other.length - otherAt)
    let length = 0
    for (let block = 64; block > 0;) {
      const next = length + block
      const isSame =
        next <= limit && this.text.startsWith(other.slice(otherAt + length, otherAt + next), at + length)
      if (isSame) length = next
      block = isSame ? block * 2 : block >> 1
    }
    return length
  }

  #read(at: number, layers: number): readonly Reading[] {
    const readings: Reading[] = [{ code: this.text.charCodeAt(at), end: at + 1 }]
    for (let inner = 0; inner < layers; inner++) {
      this.isComposed = false
      // Iterates over a copy: a reading that this layer adds must not be unescaped again in the same layer.
      for (const { code, end } of readings.slice()) {
        if (!isLead(code)) continue
        for (const reading of escapesAfter(code, { from: this, at: end, layers: inner }))
          if (!has(readings, reading)) readings.push(reading)
      }
      // Without a nested escape, another layer would read the same characters.
      if (inner === 0 && !this.isComposed && !readings.some(({ code, end }) => end > at + 1 && isLead(code)))
        break
    }
    return readings
  }
}

function has(readings: readonly Reading[], { code, end }: Reading): boolean {
  for (const known of readings) if (known.code === code && known.end === end) return true
  return false
}

interface Position {
  readonly from: EscapedText
  readonly at: number
  /** The maximum number of layers of escapes at this index. */
  readonly layers: number
}

type Readings = readonly Reading[]

function escapesAfter(lead: number, position: Position): Readings {
  switch (lead) {
    case PERCENT:
      return percentEscapes(position)
    case AMPERSAND:
      return entities(position)
    case BACKSLASH:
      return backslashEscapes(position)
    case PLUS:
      return [{ code: 0x20, end: position.at }]
    default:
      return pointerEscapes(position)
  }
}

/** Reads the escapes `~0` and `~1` of a JSON pointer (RFC 6901 section 3). */
function pointerEscapes(position: Position): Readings {
  const readings: Reading[] = []
  for (const { code, end } of next(position))
    if (code === 0x30 || code === 0x31) readings.push({ code: code === 0x30 ? TILDE : 0x2f, end })
  return readings
}

/** Reads a percent-encoded byte in two ways: as the start of a UTF-8 sequence, and as Latin-1. */
function percentEscapes(position: Position): Readings {
  const lead = digits(position, 16, 2)
  if (lead === undefined) {
    const unicode = skipCharacter(position, LETTER_U)
    const unit = unicode === undefined ? undefined : digits(unicode, 16, 4)
    return unit === undefined ? [] : [unit]
  }
  const more = lead.code < 0xc2 ? 0 : lead.code < 0xe0 ? 1 : lead.code < 0xf0 ? 2 : lead.code < 0xf5 ? 3 : 0
  let code = lead.code & (0x7f >> (more + 1))
  let { end } = lead
  for (let left = more; left > 0; left--) {
    const byte = continuation({ ...position, at: end })
    if (byte === undefined) return [lead]
    code = (code << 6) | (byte.code & 0x3f)
    end = byte.end
  }
  return more === 0 ? [lead] : [{ code, end }, lead]
}

function continuation(position: Position): Reading | undefined {
  for (const { code, end } of next(position)) {
    const byte = code === PERCENT ? digits({ ...position, at: end }, 16, 2) : undefined
    if (byte !== undefined && byte.code >> 6 === 2) return byte
  }
  return undefined
}

const LETTER_U = 0x75

/** Reads the escapes of JSON, JavaScript and Node's `inspect`. Also accepts a backslash before any other symbol. */
function backslashEscapes(position: Position): Readings {
  const readings: Reading[] = []
  for (const { code, end } of next(position)) {
    const inner = { ...position, at: end }
    const letter = code < 0x80 ? String.fromCharCode(code) : ""
    const named = "bfnrtv0".indexOf(letter)
    let escape: Reading | undefined
    if (letter === "u") escape = digits(inner, 16, 4) ?? bracedDigits(inner)
    else if (letter === "x") escape = digits(inner, 16, 2)
    else if (letter !== "" && named !== -1) escape = { code: "\b\f\n\r\t\v\0".charCodeAt(named), end }
    else if (/[!-/:-@[-`{-~]/.test(letter)) escape = { code, end }
    if (escape !== undefined) readings.push(escape)
  }
  return readings
}

function bracedDigits(position: Position): Reading | undefined {
  const open = skipCharacter(position, 0x7b)
  const inner = open && digits(open, 16, 1, 6)
  const close = inner && skipCharacter({ ...position, at: inner.end }, 0x7d)
  return close && { code: inner.code, end: close.at }
}

function entities(position: Position): Readings {
  const hash = skipCharacter(position, 0x23)
  if (hash === undefined) return namedEntity(position)
  const inner = skipCharacter(hash, 0x78) ?? skipCharacter(hash, 0x58)
  const number = inner === undefined ? digits(hash, 10, 1, 9) : digits(inner, 16, 1, 8)
  if (number === undefined || number.code > 0x10ffff) return []
  const end = skipCharacter({ ...position, at: number.end }, SEMICOLON)
  return end === undefined ? [] : [{ code: number.code, end: end.at }]
}

const SEMICOLON = 0x3b
const LONGEST_NAME = 16

function namedEntity(position: Position): Readings {
  let name = ""
  let inner: Position = position
  while (name.length <= LONGEST_NAME) {
    const letter: Reading | undefined = next(inner).find(({ code }) => isLetterOrDigit(code))
    if (letter === undefined) break
    name += String.fromCharCode(letter.code)
    inner = { ...position, at: letter.end }
  }
  const code = entityCodes.get(name)
  const end = code === undefined ? undefined : skipCharacter(inner, SEMICOLON)
  return code === undefined || end === undefined ? [] : [{ code, end: end.at }]
}

const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)

/** HTML entities by name: the symbols of ASCII, and Latin-1 in code order. */
export const entityCodes = new Map(
  `Tab\t NewLine\n excl! quot" QUOT" num# dollar$ percnt% amp& AMP& apos' lpar( rpar) ast* midast* plus+ comma, period.
sol/ colon: semi; lt< LT< equals= gt> GT> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] Hat^ lowbar_ UnderBar_ grave\`
lcub{ lbrace{ verbar| vert| VerticalLine| rcub} rbrace} euro€`
    .split(/(?<=\S)[ \n](?=[A-Za-z])/)
    .map((entry): [string, number] => [entry.slice(0, -1), entry.charCodeAt(entry.length - 1)]),
)
for (const [
  at,
  name,
] of `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2
sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
  .split(/\s/)
  .entries())
  entityCodes.set(name, 0xa0 + at)

function next({ from, at, layers }: Position): Readings {
  const code = from.text.charCodeAt(at)
  if (!isLead(code)) return [{ code, end: at + 1 }]
  if (layers > 0) return from.readingsAt(at, layers)
  from.isComposed = true
  return [{ code, end: at + 1 }]
}

/** Returns the position after the expected character. Undefined if another character is there. */
function skipCharacter(position: Position, expected: number): Position | undefined {
  const code = position.from.text.charCodeAt(position.at)
  if (code === expected && !isLead(code)) return { ...position, at: position.at + 1 }
  if (!isLead(code)) return undefined
  const found = next(position).find(({ code }) => code === expected)
  return found && { ...position, at: found.end }
}

function digits(position: Position, radix: 10 | 16, min: number, max = min): Reading | undefined {
  let code = 0
  let end = position.at
  for (let count = 0; count < max; count++) {
    const raw = position.from.text.charCodeAt(end)
    const found = isLead(raw)
      ? next({ ...position, at: end }).find((reading) => digitOf(reading.code, radix) !== -1)
      : { code: raw, end: end + 1 }
    const digit = found === undefined ? -1 : digitOf(found.code, radix)
    if (found === undefined || digit === -1) {
      if (count < min) return undefined
      break
    }
    code = code * radix + digit
    end = found.end
  }
  return { code, end }
}

function digitOf(code: number, radix: 10 | 16): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = (code | 0x20) - 0x61
  return radix === 16 && letter >= 0 && letter < 6 ? letter + 10 : -1
}
