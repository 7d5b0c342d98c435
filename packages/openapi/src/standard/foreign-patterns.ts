// Finds parts of a pattern that JavaScript reads in another way than the language for which the author wrote it.

import { attempt, ownOf } from "@callsheet/format"

export interface ForeignPart {
  /** The part of the pattern. */
  readonly part: string
  /** The meaning of the part in JavaScript. Absent if it refuses the part. */
  readonly readAs?: string | undefined
  readonly advice?: string | undefined
}

/** Returns whether JavaScript accepts a pattern, with or without the flag `u`. */
export const isPattern = (pattern: string): boolean => compiles(pattern, "u") || compiles(pattern, "")

const compiles = (pattern: string, flags: string): boolean =>
  attempt(() => new RegExp(pattern, flags)) !== undefined

/** The length of the longest pattern to search, because the search may take quadratic time. */
const MAX_SEARCHED = 2_000

/** Returns the first part of a pattern that belongs to another regular expression engine. */
export function findForeignPart(pattern: string): ForeignPart | undefined {
  if (pattern.length > MAX_SEARCHED) return undefined
  const delimiters = delimitersOf(pattern)
  if (delimiters !== undefined) return delimiters
  const escaped = /(?<!\\)(?:\\\\)(?:([dwsDWS])(?=[+*{?])|(?<=\[\^?\\\\)([dws]))/.exec(pattern)
  if (escaped !== null) {
    const letter = escaped[1] ?? escaped[2]
    return {
      part: `\\\\${letter}`,
      readAs: `a backslash and the letter ${letter}`,
      advice: `one backslash is enough after JSON or YAML is read: "\\${letter}"`,
    }
  }
  // With the flag `u`, JavaScript refuses everything below.
  if (compiles(pattern, "u")) return undefined
  return (
    findClass(pattern) ??
    (isPattern(pattern) ? findEscape(pattern) : (findGroup(pattern) ?? findEscape(pattern)))
  )
}

/** Finds `/…/i`, which is how code writes a pattern, but not how a document does. */
function delimitersOf(pattern: string): ForeignPart | undefined {
  const slashes = /^\/((?:[^/\\]|\\.)+)\/([a-zA-Z]*)$/s.exec(pattern)
  const others = /^([#~!%@])\^.*\$\1([a-zA-Z]*)$/s.exec(pattern)
  const flags = slashes?.[2] ?? others?.[2]
  const isMeant = others !== null || flags !== "" || /^\^|\$$|[\\[(*+]/.test(slashes?.[1] ?? "")
  if (flags === undefined || !isMeant) return undefined
  const delimiter = others?.[1] ?? "/"
  const word = flags.length === 1 ? "flag" : "flags"
  return {
    part: `${delimiter}…${delimiter}${flags}`,
    readAs: "characters that the text must contain",
    advice: flags === "" ? "remove the delimiters" : `remove the delimiters and the ${word} "${flags}"`,
  }
}

/** The characters by the name of a POSIX class. */
const posixClasses: Readonly<Record<string, string>> = {
  alpha: "a-zA-Z",
  alnum: "a-zA-Z0-9",
  digit: "0-9",
  lower: "a-z",
  upper: "A-Z",
  space: "\\s",
  blank: " \\t",
  xdigit: "0-9a-fA-F",
  word: "\\w",
}

function findClass(pattern: string): ForeignPart | undefined {
  const text = pattern.replaceAll(/\\./gs, "__")
  const [posix, name = ""] = /\[:\^?([a-z]+):\]/.exec(text) ?? []
  if (posix !== undefined) {
    const characters = ownOf(posixClasses, name)
    return {
      part: `[${posix}]`,
      readAs: "a class of single characters",
      advice: characters === undefined ? undefined : `write "[${characters}]"`,
    }
  }
  const [range] = /\{,\d+\}/.exec(text) ?? []
  if (range !== undefined)
    return { part: range, readAs: "these characters", advice: `write "${range.replace(",", "0,")}"` }
  const nested = /&&\[[^\]]*\]\]|-\[[^\]]+\]\]/.exec(text)
  if (nested === null) return undefined
  const part = pattern.slice(nested.index, nested.index + nested[0].length - 1)
  return {
    part,
    readAs: "characters of the class",
    advice: 'list the characters, or use "(?!…)" before the class',
  }
}

/** The advice for each escaped letter. */
const escapes: Readonly<Record<string, string>> = {
  A: 'write "^"',
  z: 'write "$"',
  Z: 'write "$"',
  h: 'write "[ \\t]"',
  R: 'write "(?:\\r\\n|\\n|\\r)"',
  Q: "escape each character",
  e: 'write "\\x1b"',
  a: 'write "\\x07"',
  x: 'write "\\u" and four digits',
  u: 'write "\\u" and four digits',
  p: 'name a Unicode property that JavaScript knows, such as "\\p{L}", and remove other needless escapes',
  P: 'name a Unicode property that JavaScript knows, such as "\\P{L}", and remove other needless escapes',
}

/** The letters that mean something after a backslash in JavaScript. */
const ownEscapes = new Set("b B c d D f k n p P r s S t u v w W x".split(" "))

/** Finds an escaped letter without a meaning in JavaScript, which reads it as the letter. */
function findEscape(pattern: string): ForeignPart | undefined {
  for (const [part, letter = ""] of pattern.matchAll(
    /\\(?:([pP]\{\^?\w+(?:=\w+)?\}|[xu]\{[^}]*\}|[a-zA-Z])|.)/gs,
  )) {
    const first = letter.slice(0, 1)
    const isForeign = letter.length > 1 || (first !== "" && !ownEscapes.has(first))
    if (isForeign) return { part, readAs: `the letter ${first}`, advice: ownOf(escapes, first) }
  }
  return undefined
}

const groups: readonly (readonly [RegExp, advice: string])[] = [
  [
    /\(\?(?!R\))[a-zA-Z]*(?:-[a-zA-Z]+)?[:)]/,
    "JavaScript has no flags inside a pattern: list both cases, such as [aA]",
  ],
  [/\(\?P<[^>]*>?|\(\?'[^']*'?/, 'write "(?<name>…)"'],
  [/\(\?P[=>][^)]*\)?/, 'write "\\k<name>"'],
  [/\(\?>/, 'write "(?:…)"'],
  [/[*+?}]\+/, "remove the second plus sign"],
  [/\(\?#[^)]*\)?/, "remove the comment"],
  [/\(\?\(/, "JavaScript has no conditions in patterns"],
  [/\(\?(?:R|&|[+-]?\d)/, "JavaScript has no recursion in patterns"],
]

function findGroup(pattern: string): ForeignPart | undefined {
  const text = pattern
    .replaceAll(/\\./gs, "__")
    .replaceAll(/\[\^?\]?[^\]]*\]/g, (found) => "_".repeat(found.length))
  for (const [group, advice] of groups) {
    const found = group.exec(text)
    if (found !== null && found[0] !== "(?:") return { part: found[0], advice }
  }
  return undefined
}
