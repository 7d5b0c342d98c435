// The id of a block in a report, with the tokens of its loops filled in -> the id that the file has.

import { parseTemplate } from "@callsheet/format"

/** Undefined where the workflow has no such block any more, or several that it may be. */
export function writtenId(shown: string, written: readonly string[]): string | undefined {
  if (written.includes(shown)) return shown
  const fitting = written.filter((id) => id.includes("{{") && mayBecome(id, shown))
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Each text of the id stands in what is shown, in order, from its beginning to its end. */
function mayBecome(id: string, shown: string): boolean {
  const template = parseTemplate(id)
  if (!template.ok) return false
  const texts = template.parts.map((part) => (typeof part === "string" ? part : undefined))
  let from = 0
  for (const [index, text] of texts.entries()) {
    if (text === undefined) continue
    const isLast = index === texts.length - 1
    const at = isLast && index > 0 ? shown.length - text.length : shown.indexOf(text, from)
    if (at < from || (index === 0 && at !== 0) || !shown.startsWith(text, at)) return false
    from = at + text.length
  }
  return texts.at(-1) === undefined ? from < shown.length : from === shown.length
}
