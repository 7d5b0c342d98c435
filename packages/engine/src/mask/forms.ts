// The forms in which a secret of 4 or more characters may travel, as sequences of units.

import { characterUnit, digitUnit, type Unit } from "./unit.ts"

/** Where a secret stands in a text: from, up to and without. */
export type Range = readonly [from: number, to: number]

export interface Form {
  /** Its first two units: where they do not stand it does not. */
  readonly head: readonly Unit[]
  /** Where it stands, if it begins at `at`. */
  readonly match: (text: string, at: number) => Range | undefined
}

/** All forms of a secret. */
export function* formsOf(secret: string): Generator<Form> {
  yield createForm(secret, characterUnit, lineBreak)
  const bytes = new TextEncoder().encode(secret)
  const wide = wideBytes(secret)
  yield* base64Forms(bytes)
  yield* base64Forms(wide)
  // Of ASCII the other order of bytes is the same text, one zero further.
  if (bytes.length === secret.length) yield createForm(secret, characterUnit, zero)
  else {
    yield* base64Forms(wide.map((_, at) => wide[at ^ 1] ?? 0))
    // UTF-8 in a header, which is read as Latin-1.
    yield createForm(binaryText(bytes), characterUnit, lineBreak)
  }
}

/** What may or must stand between two units. */
interface Separator {
  readonly pattern: string
  readonly isOptional: boolean
}

/** Lines are broken by mail, by PEM, and by whoever prints in columns. */
const lineBreak: Separator = {
  pattern: String.raw`(?:\r?\n[\t ]*|(?:\\+r)?\\+n[\t ]*)`,
  isOptional: true,
}
/** UTF-16 that was read byte by byte, as it is or as JSON and URLs write it. */
const zero: Separator = { pattern: String.raw`(?:\x00|\\+u0000|%(?:25)*00)`, isOptional: false }

function createForm(pieces: string, unitOf: (piece: string) => Unit, separator: Separator): Form {
  const between = new RegExp(separator.pattern, "y")
  const { isOptional } = separator
  return {
    head: Array.from(pieces.slice(0, 4)).slice(0, 2).map(unitOf),
    match: (text, at) => {
      let places: readonly number[] = [at]
      let isFirst = true
      for (const piece of pieces) {
        const unit = unitOf(piece)
        const ends: number[] = []
        for (const place of places) {
          if (isOptional || isFirst) unit.addEnds(text, place, ends)
          if (isFirst || !startsSeparator(text.charCodeAt(place))) continue
          between.lastIndex = place
          if (between.test(text)) unit.addEnds(text, between.lastIndex, ends)
        }
        if (ends.length === 0) return undefined
        places = ends
        isFirst = false
      }
      return [at, Math.max(...places)]
    },
  }
}

/** `\0`, line breaks, `%` and `\`. */
const startsSeparator = (code: number): boolean =>
  code === 0 || code === 0x0a || code === 0x0d || code === 0x25 || code === 0x5c

/** UTF-16 with the lower byte first. */
function wideBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2)
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    bytes[at * 2] = unit & 0xff
    bytes[at * 2 + 1] = unit >> 8
  }
  return bytes
}

/** Shorter base64 stands in any text by chance. */
const SHORTEST_BASE64 = 4

/**
 * Base64 text for each of the three ways in which bytes can lie on the 3-byte groups of RFC 4648; that also finds them
 * inside a `Basic` pair. Characters at both ends that the secret decides in part alone are masked too.
 */
function* base64Forms(bytes: Uint8Array): Generator<Form> {
  for (let before = 0; before < 3; before++) {
    const padded = new Uint8Array(before + bytes.length)
    padded.set(bytes, before)
    const bits = padded.length * 8
    const digits = base64(padded).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
    if (digits.length < SHORTEST_BASE64) continue
    const { head, match } = createForm(digits, digitUnit, lineBreak)
    yield {
      head,
      match: (text, at) => {
        const core = match(text, at)
        const from = before === 0 ? at : digitBefore(text, at)
        if (core === undefined || from === undefined) return undefined
        return [from, bits % 6 === 0 ? core[1] : endBehind(text, core[1])]
      },
    }
  }
}

/** Where the digit before a place stands, that a line break may part from it. */
function digitBefore(text: string, at: number): number | undefined {
  let before = at - 1
  while (before >= 0 && /[\t\n\r ]/.test(text.charAt(before))) before--
  return /[A-Za-z0-9+/_-]/.test(text.charAt(before)) ? before : undefined
}

const rest = /(?:\r?\n[\t ]*)?[A-Za-z0-9+/_-]?(?:=|%3[dD]){0,2}/y

function endBehind(text: string, at: number): number {
  rest.lastIndex = at
  rest.test(text)
  return rest.lastIndex
}

export const base64 = (bytes: Uint8Array): string => btoa(binaryText(bytes))

/** A character for each byte. */
function binaryText(bytes: Uint8Array): string {
  let binary = ""
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return binary
}
