// Blocks as text in the clipboard: JSON to paste into any workflow or editor.

import { jsonRangeAt, parseJson, type JsonPointer, type JsonValue } from "@callsheet/format"

/** Returns a single block as its text in the file without the margin. Several blocks become a list. */
export function copyText(text: string, blocks: readonly JsonPointer[]): string {
  const raw = blocks.map((block) => withoutMargin(text, block))
  const [only] = raw
  if (only !== undefined && raw.length === 1) return only
  return `[\n${raw.map((block) => block.replaceAll(/^/gm, "  ")).join(",\n")}\n]`
}

function withoutMargin(text: string, block: JsonPointer): string {
  const range = jsonRangeAt(text, block)
  if (range === undefined) return ""
  const line = Math.max(text.lastIndexOf("\n", range.from - 1), text.lastIndexOf("\r", range.from - 1)) + 1
  const margin = /^[ \t]*/.exec(text.slice(line, range.from))?.[0] ?? ""
  return text
    .slice(range.from, range.to)
    .split(/\r\n|\n|\r/)
    .map((part, at) => (at > 0 && part.startsWith(margin) ? part.slice(margin.length) : part))
    .join("\n")
}

export function parseBlocks(text: string): JsonValue | undefined {
  const parsed = parseJson(text.trim())
  return parsed.ok ? parsed.value : undefined
}
