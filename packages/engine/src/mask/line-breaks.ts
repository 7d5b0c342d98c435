// What may stand where a text was broken into lines: indentation, and the quotes of whoever shows a text line by line.

import type { EscapedText } from "./escapes.ts"

export const LINE_FEED = 0x0a
export const RETURN = 0x0d
const TAB = 0x09
const BLANK = 0x20

/** Behind the indentation of a line. */
export function blanksEnd(text: EscapedText, from: number): number {
  let at = from
  for (let end = at; end !== -1; end = blankEnd(text, at)) at = end
  return at
}

export const blankEnd = (text: EscapedText, at: number): number =>
  Math.max(text.endOf(BLANK, at), text.endOf(TAB, at))

/** Behind the `' +`, line feed and `'` by which `inspect` joins the lines of a text; -1 where it does not. */
export function joinEnd(text: EscapedText, from: number): number {
  for (const quote of [0x27, 0x22, 0x60]) {
    let at = text.endOf(quote, from)
    for (const code of [BLANK, 0x2b, LINE_FEED]) if (at !== -1) at = text.endOf(code, at)
    if (at !== -1) at = text.endOf(quote, blanksEnd(text, at))
    if (at !== -1) return at
  }
  return -1
}
