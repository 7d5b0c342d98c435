// A JSON file of the project as text, with secrets masked in its values and names, and the format's own words left as they are.

import type { Masker } from "@callsheet/engine"
import { blockKinds, operators } from "@callsheet/format"

/** What the format itself says: a secret that happens to be such a word is not told by it. */
const words: Readonly<Record<string, readonly string[]>> = {
  version: ["1"],
  type: ["string", "number", "boolean", ...blockKinds],
  level: ["production", "staging", "local"],
  onFailure: ["halt", "continue"],
  mode: ["times", "forEach", "until"],
  execution: ["sequential", "parallel"],
  operator: Object.keys(operators),
  bodyType: ["json", "form", "multipart", "text", "file"],
  method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"],
}

const isWord = (key: string, value: string): boolean =>
  Object.hasOwn(words, key) && words[key]?.includes(value) === true

/** True and false tell nothing of a secret; masked they would. */
const isPlainWord = (text: string): boolean => text === "true" || text === "false" || text === "null"

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
      : isWord(key, value) || isPlainWord(written)
        ? value
        : masker.text(value)
    if (shown === value) continue
    pieces.push(text.slice(done, from), JSON.stringify(shown))
    done = to
  }
  return pieces.join("") + text.slice(done)
}

interface Literal {
  readonly from: number
  readonly to: number
}

/** Strings, numbers and words. Not by one expression: that would need a stack as deep as a string is long. */
function* literalsOf(text: string): Generator<Literal, void, undefined> {
  const start = /"|[-+.0-9A-Za-z]+/g
  for (let found = start.exec(text); found !== null; found = start.exec(text)) {
    const from = found.index
    const to = found[0] === '"' ? stringEnd(text, from) : start.lastIndex
    yield { from, to }
    start.lastIndex = to
  }
}

function stringEnd(text: string, open: number): number {
  const stop = /["\\]/g
  stop.lastIndex = open + 1
  for (let found = stop.exec(text); found !== null; found = stop.exec(text)) {
    if (found[0] === '"') return stop.lastIndex
    stop.lastIndex++
  }
  return text.length
}

function isColonAt(text: string, from: number): boolean {
  const colon = /\s*:/y
  colon.lastIndex = from
  return colon.test(text)
}
