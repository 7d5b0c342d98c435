// Writes text that a regular expression matches. Ignores each lookahead, so callers check the result.

import { attempt } from "@callsheet/format"
import { parsePattern, type PatternNode } from "../schema/patterns/parse-pattern.ts"

export interface PatternText {
  readonly pattern: string
  readonly minLength: number
  /** The number of the sample. Another number starts with other characters and branches. */
  readonly n: number
}

/** Returns undefined for a pattern with backreferences or of unknown syntax. */
export function makePatternText({ pattern, minLength, n }: PatternText): string | undefined {
  const expression = attempt(() => new RegExp(pattern, "u")) ?? attempt(() => new RegExp(pattern))
  const node = expression && parsePattern(pattern, expression.unicode)
  if (expression === undefined || node === undefined) return undefined
  const write = (missing: number): Writing => {
    const writing = { flags: expression.unicode ? "u" : "", n, text: "", missing, isPossible: true }
    writeNode(writing, node)
    return writing
  }
  const short = write(0)
  if (!short.isPossible) return undefined
  if (short.text.length >= minLength) return short.text
  const long = write(minLength - short.text.length)
  return long.isPossible ? long.text : undefined
}

interface Writing {
  readonly flags: string
  readonly n: number
  text: string
  /** The number of characters to add by more repetitions than necessary. */
  missing: number
  isPossible: boolean
}

/** The maximum length of a text. `(a{1000}){1000}` would have a million characters. */
const MAX_TEXT = 10_000

function writeNode(writing: Writing, node: PatternNode): void {
  if (!writing.isPossible) return
  switch (node.type) {
    case "atom": {
      const characters = charactersOf(node.source, writing.flags)
      const character = characters[(writing.n + writing.text.length) % characters.length]
      if (character === undefined || writing.text.length >= MAX_TEXT) writing.isPossible = false
      else writing.text += character
      return
    }
    case "sequence":
      for (const part of node.parts) writeNode(writing, part)
      return
    case "choice": {
      const branch = node.branches[writing.n % node.branches.length]
      if (branch !== undefined) writeNode(writing, branch)
      return
    }
    case "repeat":
      writeRepeat(writing, node)
      return
    case "beyond":
      writing.isPossible = false
      return
    case "edge":
    case "ahead":
      return
  }
}

function writeRepeat(
  writing: Writing,
  { body, min, max }: Extract<PatternNode, { readonly type: "repeat" }>,
): void {
  for (let count = 0; count < max && writing.isPossible; count++) {
    const isExtra = count >= min
    if (isExtra && writing.missing <= 0) return
    const before = writing.text.length
    writeNode(writing, body)
    const added = writing.text.length - before
    if (isExtra) writing.missing -= added
    // A body that matches nothing would repeat without end.
    if (added === 0) return
  }
}

/** The characters to try, the most readable ones first. */
const alphabet = [
  "abcdefghijklmnopqrstuvwxyz",
  "1234567890",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  " -_.:/@+#,;=!?$%&*()[]{}<>|~^'\"\\`",
  "\n\t\u00e9\u00df\u00f1\u00fc\u00f8\u0142\u017e\u0430\u0431\u0432\u03b1\u03b2\u03b3\u6f22\u5b57\ud55c\uae00\u0639\u0631\u0628\u05d0\u20ac\u{1f600}",
].flatMap((group) => Array.from(group))

/** Returns the characters of the first readable group that an atom matches. */
function charactersOf(source: string, flags: string): readonly string[] {
  const expression = attempt(() => new RegExp(`^${source}$`, flags))
  if (expression === undefined) return []
  const found = alphabet.filter((character) => expression.test(character))
  const [first] = found
  return first === undefined ? [] : found.filter((character) => groupOf(character) === groupOf(first))
}

const groupOf = (character: string): string =>
  /[a-z]/.test(character) ? "a" : /\d/.test(character) ? "1" : /[A-Z]/.test(character) ? "A" : "other"
