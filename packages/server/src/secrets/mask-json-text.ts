// A JSON file of the project as text, with secrets masked in its values and names, and the format's own words left as they are.

import { isWordOf } from "./format-words.ts"
import { isPlainWord, literalsOf } from "./json-literals.ts"
import type { Masker } from "./secrets-masker.ts"

/** Every other byte stays, where nothing is masked. The text is well-formed. */
export function maskJsonText(text: string, masker: Masker): string {
  const pieces: string[] = []
  let done = 0
  let key = ""
  for (const { from, to } of literalsOf(text)) {
    const written = text.slice(from, to)
    const value = written.startsWith('"') ? (JSON.parse(written) as string) : written
    const isKey = isColonAt(text, to)
    if (isKey) key = value
    const shown = isKey
      ? masker.name(value)
      : isWordOf(key, value) || isPlainWord(written)
        ? value
        : masker.text(value)
    if (shown === value) continue
    pieces.push(text.slice(done, from), JSON.stringify(shown))
    done = to
  }
  return pieces.join("") + text.slice(done)
}

function isColonAt(text: string, from: number): boolean {
  const colon = /\s*:/y
  colon.lastIndex = from
  return colon.test(text)
}
