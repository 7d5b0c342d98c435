// Skips the text around a line break: indentation, and the quotes of tools that print a string in lines.

import type { EscapedText } from "./escapes.ts"

export const LINE_FEED = 0x0a
const RETURN = 0x0d
const TAB = 0x09
const BLANK = 0x20

export function blanksEnd(text: EscapedText, from: number): number {
  let at = from
  for (let end = at; end !== -1; end = blankEnd(text, at)) at = end
  return at
}

export const blankEnd = (text: EscapedText, at: number): number =>
  Math.max(text.endOf(BLANK, at), text.endOf(TAB, at))

export const isBreak = (code: number): boolean => code === LINE_FEED || code === RETURN

/**
 * Returns whether a secret may continue after the character: a line break, or a NUL of UTF-16 that was read as bytes.
 */
export const isSeparator = (code: number): boolean => isBreak(code) || code === 0

const quotes = [0x27, 0x22, 0x60]

/** Returns the index after `' +`, a line feed and `'`, which `inspect` writes between quoted lines. Otherwise, -1. */
export function joinEnd(text: EscapedText, from: number): number {
  for (const quote of quotes) {
    let at = text.endOf(quote, from)
    for (const code of [BLANK, 0x2b, LINE_FEED]) if (at !== -1) at = text.endOf(code, at)
    if (at === -1) continue
    const line = blanksEnd(text, at)
    for (const opening of quotes) if (text.endOf(opening, line) !== -1) return text.endOf(opening, line)
  }
  return -1
}
