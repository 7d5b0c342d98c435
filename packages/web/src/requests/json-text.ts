// Takes a value out of JSON text without its indentation, and puts it back. Pure.

import { jsonRangeAt, parseJson, type JsonPointer } from "@callsheet/format"

/** Returns the text of the value. Undefined if the file doesn't have it. */
export function innerText(text: string, pointer: JsonPointer): string | undefined {
  const range = jsonRangeAt(text, pointer)
  if (range === undefined) return undefined
  return withoutMargin(text.slice(range.from, range.to), marginAt(text, range.from))
}

/** Replaces the text of the value, and no other byte. Undefined if the new text isn't JSON. */
export function withInnerText(text: string, pointer: JsonPointer, inner: string): string | undefined {
  const range = jsonRangeAt(text, pointer)
  if (range === undefined || !parseJson(inner).ok) return undefined
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n"
  const margin = marginAt(text, range.from)
  const written = inner
    .trim()
    .split(/\r\n|\n|\r/)
    .join(eol + margin)
  return text.slice(0, range.from) + written + text.slice(range.to)
}

/** JSON strings can't contain line breaks, so every line break is between values. */
const withoutMargin = (value: string, margin: string): string =>
  value
    .split(/\r\n|\n|\r/)
    .map((line, index) => (index > 0 && line.startsWith(margin) ? line.slice(margin.length) : line))
    .join("\n")

/** Returns the whitespace at the start of the line that contains `at`. */
function marginAt(text: string, at: number): string {
  const start = Math.max(text.lastIndexOf("\n", at - 1), text.lastIndexOf("\r", at - 1)) + 1
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? ""
}
