// The forms in which a secret of 4 or more characters may travel, as sequences of pieces.

import { percentForms } from "./percent.ts"
import { characterUnit, digitUnit, type Unit } from "./unit.ts"

/** Where a secret stands in a text: from, up to and without. */
export type Range = readonly [from: number, to: number]

/** A way of writing: how one piece is written, and what stands between two. */
export interface Writing {
  readonly unitOf: (piece: string) => Unit
  readonly separator: RegExp
  readonly isSeparatorOptional: boolean
  /** Of a text that was cut, so many pieces before the `…` are a part of the secret and no chance. */
  readonly shortestCut: number
}

export interface Form {
  readonly writing: Writing
  /** Characters; each is written as one unit. */
  readonly pieces: string
  /** Where it stands with what belongs to it, where its pieces stand at a place; undefined where it does not after all. */
  readonly widen?: (text: string, range: Range) => Range | undefined
}

/** Lines are broken by mail, by PEM, and by whoever prints in columns. */
const lineBreak = /(?:\r?\n[\t ]*|(?:\\+r)?\\+n[\t ]*)/y

const characters: Writing = {
  unitOf: characterUnit,
  separator: lineBreak,
  isSeparatorOptional: true,
  shortestCut: 4,
}
const digits: Writing = { ...characters, unitOf: digitUnit, shortestCut: 8 }
/** UTF-16 that was read byte by byte, as it is or as JSON and URLs write it. */
const zeroPadded: Writing = {
  ...characters,
  separator: /(?:\x00|\\+u0000|%(?:25)*00)/y,
  isSeparatorOptional: false,
}

/** The ways in which a secret is written that is text in a text. */
export const textForm = (secret: string): Form => ({ writing: characters, pieces: secret })

/** All forms of a secret. */
export function* formsOf(secret: string): Generator<Form> {
  yield textForm(secret)
  const bytes = new TextEncoder().encode(secret)
  const wide = wideBytes(secret)
  yield* base64Forms(bytes)
  yield* base64Forms(wide)
  // As OAuth has it: client and secret are percent-encoded before they are a `Basic` pair.
  if (secret.length <= LONGEST_ENCODED_TWICE)
    for (const text of percentForms(secret))
      if (text !== secret) yield* base64Forms(new TextEncoder().encode(text))
  // Of ASCII the other order of bytes is the same text, one zero further.
  if (bytes.length === secret.length) yield { writing: zeroPadded, pieces: secret }
  else {
    yield* base64Forms(wide.map((_, at) => wide[at ^ 1] ?? 0))
    // UTF-8 in a header, which is read as Latin-1.
    yield textForm(binaryText(bytes))
  }
}

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

/** Keys and passwords; of longer texts the memory would be several times as much. */
const LONGEST_ENCODED_TWICE = 1024

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
    const digits64 = base64(padded).slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
    if (digits64.length < SHORTEST_BASE64) continue
    const isWhole = bits % 6 === 0
    yield {
      writing: digits,
      pieces: digits64,
      widen: (text, [at, end]) => {
        const from = before === 0 ? at : digitBefore(text, at)
        return from === undefined ? undefined : [from, isWhole ? end : endBehind(text, end)]
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
