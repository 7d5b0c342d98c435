// One character of a secret, or one digit of its base64, in all the ways in which it may be written.

/** A piece of a form that is always written as a whole. */
export interface Unit {
  /** What it may begin with, as `firstAt` tells it. */
  readonly firsts: readonly number[]
  /** Adds each place where a spelling of it ends that begins at `at`. */
  readonly addEnds: (text: string, at: number, ends: number[]) => void
}

const characters = new Map<string, Unit>()
const digits = new Map<string, Unit>()
/** Of all characters that there are, only so many are remembered. */
const MOST_REMEMBERED = 10_000

/**
 * A character as it is, percent-encoded, or escaped by JSON or HTML, also twice. Writers choose differently what they
 * escape, so each character has its own choice.
 */
export const characterUnit = (character: string): Unit =>
  characters.get(character) ??
  remember(characters, character, createUnit(character, [...escapesOf(character)]))

/** A digit of base64 or of base64url. */
export const digitUnit = (digit: string): Unit =>
  digits.get(digit) ?? remember(digits, digit, createDigit(digit))

function createDigit(digit: string): Unit {
  if (digit === "+") return createUnit("+", ["-", "%(?:25)*2[bB]"], "-")
  if (digit === "/") return createUnit("/", ["_", String.raw`\\+/`, "%(?:25)*2[fF]"], "_")
  return createUnit(digit, [])
}

function remember(known: Map<string, Unit>, text: string, unit: Unit): Unit {
  if (known.size > MOST_REMEMBERED) known.clear()
  known.set(text, unit)
  return unit
}

function createUnit(raw: string, escapes: readonly string[], others = ""): Unit {
  const spellings = escapes.map((pattern) => new RegExp(pattern, "y"))
  const lead = new TextEncoder().encode(raw)[0] ?? 0
  const firsts = [raw.charCodeAt(0), ...(lead < 0x80 ? [] : [lead + LEAD_BYTE])]
  return {
    firsts: [...firsts, ...others.split("").map((other) => other.charCodeAt(0))],
    addEnds: (text, at, ends) => {
      if (text.startsWith(raw, at)) addOnce(ends, at + raw.length)
      if (!isEscape(text.charCodeAt(at))) return
      for (const spelling of spellings) {
        spelling.lastIndex = at
        if (spelling.test(text)) addOnce(ends, spelling.lastIndex)
      }
    },
  }
}

const PERCENT = 0x25
const AMPERSAND = 0x26
const BACKSLASH = 0x5c
/** Beyond all UTF-16. */
const LEAD_BYTE = 0x10000

/** Whether a spelling other than a character itself may begin so: `%\\&+-_`. */
const isEscape = (code: number): boolean =>
  code === PERCENT ||
  code === AMPERSAND ||
  code === BACKSLASH ||
  code === 0x2b ||
  code === 0x2d ||
  code === 0x5f

const percent = /%(?:25)*([0-9a-fA-F]{2})/y
const markup = /&(?:amp;)*(?:#([0-9]{1,9})|#[xX]([0-9a-fA-F]{1,9})|(amp|lt|gt|quot|apos));/y
const json = /\\+(?:u([0-9a-fA-F]{4})|(["/bfnrt]))/y

/** The code unit, or the first byte of UTF-8 that an escape at a place stands for; -1 where there is none. */
export function escapedAt(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case PERCENT: {
      const byte = Number.parseInt(matchAt(percent, text, at)?.[1] ?? "", 16)
      return byte < 0x80 ? byte : byte + LEAD_BYTE || -1
    }
    case AMPERSAND: {
      const [, decimal, hexadecimal, name] = matchAt(markup, text, at) ?? []
      if (name !== undefined) return codeOfName[name] ?? -1
      const code = Number.parseInt(decimal ?? hexadecimal ?? "", decimal === undefined ? 16 : 10)
      return code <= 0x10ffff ? String.fromCodePoint(code).charCodeAt(0) : -1
    }
    case BACKSLASH: {
      const [, hexadecimal, letter] = matchAt(json, text, at) ?? []
      if (hexadecimal !== undefined) return Number.parseInt(hexadecimal, 16)
      return letter === undefined ? -1 : (codeOfLetter[letter] ?? -1)
    }
    case 0x2b:
      return 0x20
    default:
      return -1
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at
  return pattern.exec(text) ?? undefined
}

export function addOnce(ends: number[], end: number): void {
  if (!ends.includes(end)) ends.push(end)
}

/** Patterns that end at one place each: where two ends are possible there are two. */
function* escapesOf(character: string): Generator<string> {
  const percents = [...new TextEncoder().encode(character)].map((byte) => anyCase(hex(byte, 2)))
  const units = character.split("").map((unit) => anyCase(hex(unit.charCodeAt(0), 4)))
  yield units.map((unit) => String.raw`\\+u${unit}`).join("")
  if (character === "%") yield* ["%25", "%2525", "%252525"]
  else yield percents.map((percent) => `%(?:25)*${percent}`).join("")
  const code = anyCase(hex(character.codePointAt(0) ?? 0, 1))
  yield `&(?:amp;)*(?:#0*${character.codePointAt(0)}|#[xX]0*${code});`
  if (character === "&") yield* ["&amp;", "&amp;amp;"]
  const name = named(htmlNames, character)
  if (name !== undefined) yield `&(?:amp;)*${name};`
  if (character === "\\") yield* [String.raw`\\\\`, String.raw`\\\\\\\\`]
  const short = named(jsonEscapes, character)
  if (short !== undefined) yield String.raw`\\+${short}`
  if (character === " ") yield String.raw`\+`
}

const jsonEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "/": "/",
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
}

const htmlNames: Readonly<Record<string, string>> = {
  "<": "lt",
  ">": "gt",
  '"': "quot",
  "'": "apos",
}

const named = (texts: Readonly<Record<string, string>>, character: string): string | undefined =>
  Object.hasOwn(texts, character) ? texts[character] : undefined

const codesOf = (texts: Readonly<Record<string, string>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(texts).map(([character, name]) => [name, character.charCodeAt(0)]))
const codeOfName: Readonly<Record<string, number>> = { ...codesOf(htmlNames), amp: AMPERSAND }
const codeOfLetter = codesOf(jsonEscapes)

const hex = (code: number, length: number): string => code.toString(16).padStart(length, "0")

const anyCase = (digits: string): string =>
  digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
