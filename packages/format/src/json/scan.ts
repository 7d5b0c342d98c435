// Scans the tokens of JSON (RFC 8259): strings, numbers and whitespace. Builds no values.

export function skipBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit === 32 || unit === 10 || unit === 13 || unit === 9) at++
    else return at
  }
}

type ScanError =
  | "openString"
  | "openStringInLine"
  | "controlCharacter"
  | "shortEscape"
  | "unknownEscape"
  | "malformedNumber"

export type Scanned = { readonly end: number } | { readonly error: ScanError; readonly at: number }

const simpleEscapes = '"\\/bfnrt'

export function scanString(text: string, from: number): Scanned {
  let at = from + 1
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit === 34) return { end: at + 1 }
    if (unit !== unit) return { error: "openString", at: from }
    if (unit < 32) {
      return unit === 10 || unit === 13
        ? { error: "openStringInLine", at: from }
        : { error: "controlCharacter", at }
    }
    if (unit !== 92) at++
    else if (text[at + 1] === "u") {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))) return { error: "shortEscape", at }
      at += 6
    } else if (at + 1 < text.length && simpleEscapes.includes(text.charAt(at + 1))) at += 2
    else return { error: "unknownEscape", at }
  }
}

const numberGrammar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

export function scanNumber(text: string, from: number): Scanned {
  numberGrammar.lastIndex = from
  const match = numberGrammar.exec(text)
  const end = match === null ? from : from + match[0].length
  if (match === null || /[0-9A-Za-z_.+-]/.test(text[end] ?? "")) return { error: "malformedNumber", at: from }
  return { end }
}

// Limits the digits of a bigint, because converting them takes more than linear time.
const MAX_INTEGER_LENGTH = 100_000

/** Reads a number: a `bigint` if a double would round it. Undefined if no value can represent it (`1e400`, 100,000 digits). */
export function numberValue(text: string): number | bigint | undefined {
  const value = Number(text)
  if (Number.isSafeInteger(value)) return value
  if (/^-?[0-9]+$/.test(text)) return text.length > MAX_INTEGER_LENGTH ? undefined : BigInt(text)
  return Number.isFinite(value) ? value : undefined
}
