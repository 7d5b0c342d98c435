// Detects and applies the layout of JSON text: line ends, indentation, spaces.

import { firstMember, type MemberStart } from "./members.ts"
import { skipBlanks } from "./scan.ts"

export interface Layout {
  readonly eol: string
  /** The indentation of one level, or undefined if everything is on one line. */
  readonly indent: string | undefined
  readonly colon: string
}

export interface Style extends Layout {
  readonly margin: string
}

export function layoutOf(text: string): Layout {
  const open = skipBlanks(text, 0)
  const first = firstMember(text, open)
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  // A new file starts as `{}` and gets several lines with its first key.
  if (first === undefined) return { eol, indent: "  ", colon: ": " }
  const colon = first.key === undefined ? anyColon(text) : colonOf(text, first)
  const margin = marginAt(text, first.at)
  if (margin === undefined) return { eol, indent: undefined, colon }
  const outer = lineMargin(text, open)
  return { eol, indent: margin.startsWith(outer) ? margin.slice(outer.length) : margin, colon }
}

/**
 * Guesses the space after colons from the first colon or comma, for a file whose root is an array. A colon in a string
 * counts too, because a wrong guess affects only the style.
 */
const anyColon = (text: string): string => `:${/":( ?)/.exec(text)?.[1] ?? /,( ?)/.exec(text)?.[1] ?? " "}`

export function colonOf(text: string, member: MemberStart): string {
  const colon = text.slice(member.keyEnd, member.valueAt)
  return /[\r\n]/.test(colon) ? ": " : colon
}

/** Returns the whitespace before `at` if nothing else precedes it on its line, otherwise undefined. */
export function marginAt(text: string, at: number): string | undefined {
  const line = lineStart(text, at)
  const margin = text.slice(line, at)
  return line > 0 && /^[ \t]*$/.test(margin) ? margin : undefined
}

export const lineMargin = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? ""

export function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1
}

/** Changes the margin of a value's lines. Lines that are indented by less than the old margin don't change. */
export function withMargin(raw: string, from: string, to: string): string {
  if (from === to || !/[\r\n]/.test(raw)) return raw
  // A JSON string cannot contain a line end, so every line end is layout.
  return raw.replace(/(\r\n|\n|\r)([ \t]*)/g, (line, eol: string, margin: string) =>
    margin.startsWith(from) ? eol + to + margin.slice(from.length) : line,
  )
}
