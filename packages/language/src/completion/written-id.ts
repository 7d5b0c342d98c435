// Finds the id in the file for a block id in a report, whose placeholders are expanded.

import { parseTemplate, rawBlocks, type JsonValue } from "@callsheet/format"

/** Returns undefined if no block of the workflow matches, or several. */
export function writtenId(shown: string, written: readonly string[]): string | undefined {
  if (written.includes(shown)) return shown
  const fitting = written.filter((id) => id.includes("{{") && mayBecome(id, shown))
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Returns whether every literal part of the id occurs in the shown id, in order. */
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

/** Returns the ids in file order. */
export function blockIds(file: JsonValue | undefined): readonly string[] {
  const ids: string[] = []
  for (const { block } of file === undefined ? [] : rawBlocks(file))
    if (typeof block["id"] === "string" && typeof block["type"] === "string") ids.push(block["id"])
  return ids
}
