// Makes texts for a string: by format, pattern and name, within the documented lengths.

import type { Part } from "../document/part.ts"
import { limitsOf } from "./limits.ts"
import { makePatternText } from "./make-pattern-text.ts"
import { plainText, textOfFormat, textOfName } from "./text-formats.ts"

export interface TextWanted {
  readonly parts: readonly Part[]
  /** The name of the property or parameter. */
  readonly name: string
  /** The number of the sample, from 0. */
  readonly n: number
}

/** The longest text that is made. */
const MAX_LENGTH = 10_000

/** How many variations of a pattern to try: a lookahead may refuse the first ones. */
const PATTERN_TRIES = 4

/** Texts for rules that are written with a lookahead, such as those of passwords. */
const mixedTexts = ["Example1!", "aB3$aB3$aB3$", "Example1", "a1b2c3d4"]

/** Yields texts that the schemas may allow, the best first. */
export function* textsFor({ parts, name, n }: TextWanted): Generator<string> {
  const { min: minLength = 0, max: maxLength = Infinity } = limitsOf(parts, "Length")
  if (minLength > MAX_LENGTH || minLength > maxLength) return
  const fit = (text: string): string => {
    const filled = text + text.padEnd(minLength, "x").slice(text.length)
    const end = n === 0 ? "" : String(n + 1)
    return filled.length <= maxLength ? filled : filled.slice(0, Math.max(0, maxLength - end.length)) + end
  }
  const formats = parts.flatMap((part) => part.text("format") ?? [])
  for (const format of formats) {
    const text = textOfFormat(format, n)
    if (text !== undefined) yield text
  }
  for (const pattern of parts.flatMap((part) => part.text("pattern") ?? []))
    for (let extra = 0; extra < PATTERN_TRIES; extra++) {
      const text = makePatternText({ pattern, minLength, n: n + extra })
      if (text === undefined) continue
      yield text
      yield fit(text)
    }
  const named = textOfName(name, n)
  if (named !== undefined) yield named
  yield fit(plainText(name, n))
  for (const text of mixedTexts) yield fit(text)
}
