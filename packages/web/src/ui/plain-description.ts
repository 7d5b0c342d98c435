// The first paragraph of a description as plain text, for titles, accessible names and suggestions. Pure.

import { visibleText } from "./visible-text.ts"

/** More characters than any row can show. */
const MAX_LENGTH = 1000

/** Removes the marks of code and of strong text, which are the most frequent ones. */
export function plainDescription(text: string): string {
  const [paragraph = ""] = text
    .slice(0, MAX_LENGTH)
    .trim()
    .split(/\r?\n[ \t]*\r?\n/)
  return visibleText(paragraph.replaceAll(/`+|\*\*/g, "").replaceAll(/\s+/g, " "))
}
