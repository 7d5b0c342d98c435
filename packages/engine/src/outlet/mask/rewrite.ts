// Undoes one layer of escapes, or the line breaks in a text, and knows which part of the text each character was.

import { ownOf } from "@callsheet/format"
import { entities } from "./entities.ts"

/** A range in a string. The end is exclusive. */
export type Range = readonly [from: number, to: number]

export interface Rewriting {
  readonly pattern: RegExp
  readonly write: (match: string) => string
}

/** Rewrites a text, and searches it if that changes it. Returns the ranges in the text as it was. */
export function searchRewritten(
  text: string,
  { pattern, write }: Rewriting,
  search: (rewritten: string) => readonly Range[],
): readonly Range[] {
  const rewritten = text.replace(pattern, write)
  if (rewritten === text) return []
  const ranges = search(rewritten)
  if (ranges.length === 0) return []
  // Few texts contain a secret, so only they need the indexes.
  const starts: number[] = []
  const ends: number[] = []
  const add = (count: number, from: number, to: number): void => {
    for (let left = count; left > 0; left--) {
      starts.push(from)
      ends.push(to)
    }
  }
  let at = 0
  for (const { 0: match, index } of text.matchAll(pattern)) {
    for (; at < index; at++) add(1, at, at + 1)
    at += match.length
    add(write(match).length, index, at)
  }
  for (; at < text.length; at++) add(1, at, at + 1)
  return ranges.map(([from, to]) => [starts[from] ?? at, ends[to - 1] ?? at])
}

const kinds = {
  backslash: String.raw`\\(?:u[\da-fA-F]{4}|u\{[\da-fA-F]{1,6}\}|x[\da-fA-F]{2}|[bfnrtv0]|[^\0\dA-Za-z])`,
  percent: String.raw`%(?:u[\da-fA-F]{4}|[\da-fA-F]{2})`,
  entity: String.raw`&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z]\w{1,15});`,
  /** UTF-8 and UTF-16 that were read as one character per byte. */
  bytes: String.raw`\0|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}`,
}

const undo = (...patterns: readonly string[]): Rewriting => ({
  pattern: new RegExp(patterns.join("|"), "g"),
  write: unescape,
})

/** The escapes of a JSON pointer (RFC 6901 section 3). */
const pointers: Rewriting = { pattern: /~[01]/g, write: (escape) => (escape === "~0" ? "~" : "/") }

/** One layer of all escapes but those of JSON pointers. */
export const escapes = undo(...Object.values(kinds))

/** One layer of one kind of escapes. */
export const escapesByKind = [...Object.values(kinds).map((kind) => undo(kind)), pointers]

/** The kinds that leave other escapes as they are, and may separate their characters: `\\/` becomes `\\~1`. */
export const separateEscapes = [undo(kinds.entity), pointers]

function unescape(escape: string): string {
  const [lead = "", next = ""] = escape
  if (lead === "&" && next !== "#") return entities.get(escape.slice(1, -1)) ?? escape
  if (lead === "\\" && next !== "u" && next !== "x") return ownOf(controls, next) ?? next
  if (lead !== "\\" && lead !== "%" && lead !== "&")
    return lead === "\0" ? "" : Buffer.from(escape, "latin1").toString()
  const isDecimal = lead === "&" && !/x/i.test(escape)
  const code = Number.parseInt(escape.replaceAll(/[^\da-fA-F]/g, ""), isDecimal ? 10 : 16)
  return code > 0x10ffff ? escape : String.fromCodePoint(code)
}

const controls = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v", 0: "\0" }

/** The quotes with which Node joins the lines of a string. */
const join = String.raw`["'\x60] [ +]\r?\n[\t +]*["'\x60]`
const breakOrJoin = String.raw`(?:(?:\r+\n?|\n)(?:${join})?|${join})`

/** Line breaks, with the indentation after them. */
export const lineBreaks: Rewriting = {
  pattern: new RegExp(String.raw`${breakOrJoin}[\t ]*`, "g"),
  write: () => "",
}

/** Line breaks in a form, which writes indentation as `+`. */
export const formBreaks: Rewriting = {
  pattern: new RegExp(String.raw`${breakOrJoin}[\t +]*`, "g"),
  write: () => "",
}

/** Blanks and line breaks that mean the same. Blanks after a join belong to the string. */
export const blanks: Rewriting = {
  pattern: new RegExp(String.raw`(?:\r+\n?|\n)(?:${join})?[\t +]*|${join}|\+`, "g"),
  write: (match) => (match === "+" ? " " : /^[\r\n]/.test(match) ? "\n" : ""),
}

/** The separators of bytes in hexadecimal, as in `<Buffer 73 33>`. */
export const byteSeparators: Rewriting = {
  pattern: /[ :+-](?<=\b[\da-fA-F]{2}.)(?=[\da-fA-F]{2}\b)/g,
  write: () => "",
}
