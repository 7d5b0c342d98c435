// A JSON file of the project as text, with secrets masked in its values and names, and the format's own words left as they are.

import type { Masker } from "@callsheet/engine"

/** What the format itself says: a secret that happens to be such a word is not told by it. */
const words: Readonly<Record<string, readonly string[]>> = {
  version: ["1"],
  type: [
    ...["string", "number", "boolean"],
    ...["request", "assert", "transform", "condition", "loop", "group", "script"],
  ],
  required: ["true", "false"],
  secret: ["true", "false"],
  verify: ["true", "false"],
  validateContracts: ["true", "false"],
  followRedirects: ["true", "false"],
  level: ["production", "staging", "local"],
  onFailure: ["halt", "continue"],
  mode: ["times", "forEach", "until"],
  execution: ["sequential", "parallel"],
  operator: [
    ...["equals", "notEquals", "exists", "notExists", "hasValue", "hasNoValue"],
    ...["greaterThan", "lessThan", "contains"],
  ],
  bodyType: ["json", "form", "multipart", "text", "file"],
  method: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"],
}

const isWord = (key: string, value: string): boolean =>
  Object.hasOwn(words, key) && words[key]?.includes(value) === true

/** True and false tell nothing of a secret; masked they would. */
const isPlainWord = (text: string): boolean => text === "true" || text === "false" || text === "null"

/** Every other byte stays, where nothing is masked. The text is well-formed. */
export function maskJsonText(text: string, masker: Masker): string {
  const literal = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[-+.0-9A-Za-z]+/g
  const pieces: string[] = []
  let done = 0
  let key = ""
  for (const { 0: matched, 1: quoted, 2: colon, index } of text.matchAll(literal)) {
    const value = quoted === undefined ? matched : (JSON.parse(quoted) as string)
    const isKey = colon !== undefined
    if (isKey) key = value
    const shown = isKey
      ? masker.name(value)
      : isWord(key, value) || isPlainWord(matched)
        ? value
        : masker.text(value)
    if (shown === value) continue
    pieces.push(text.slice(done, index), JSON.stringify(shown))
    done = index + (quoted ?? matched).length
  }
  return pieces.join("") + text.slice(done)
}
