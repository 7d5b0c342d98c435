// Reads JSON and YAML as pages show it: whole files, pieces of files, and `…` for omitted parts.

import { load } from "js-yaml"

/**
 * A whole value, or items with commas between them, or properties without their braces. Throws if it is none of these.
 */
export function parsePiece(text: string, language: string): readonly unknown[] {
  const isYaml = language === "yaml" || language === "yml"
  const parse = (source: string): unknown => (isYaml ? load(source) : JSON.parse(source))
  // No marker is both a valid item and a valid property, so the bracket distinguishes the two.
  const marked = text
    .replaceAll(/([[,]\s*)(?:…|\.\.\.)(?=\s*\])/g, '$1"…"')
    .replaceAll(/([{,]\s*)(?:…|\.\.\.)(?=\s*\})/g, '$1"…": 0')
  const shapes = isYaml ? [marked] : [marked, `{${marked}}`, `[${marked}]`]
  for (const [index, source] of shapes.entries()) {
    try {
      const value = parse(source)
      return index === 2 ? (value as unknown[]) : [value]
    } catch (error) {
      if (index === shapes.length - 1) throw isYaml ? error : parseError(marked)
    }
  }
  return []
}

function parseError(text: string): Error {
  try {
    JSON.parse(text)
    return new Error("unreachable")
  } catch (error) {
    return error as Error
  }
}

/** `piece` is a part of `whole`, at any depth, and may omit items and properties. */
export function isPartOf(piece: unknown, whole: unknown): boolean {
  if (matches(piece, whole)) return true
  if (typeof whole !== "object" || whole === null) return false
  return Object.values(whole).some((child) => isPartOf(piece, child))
}

function matches(piece: unknown, whole: unknown): boolean {
  if (Array.isArray(piece)) {
    if (!Array.isArray(whole)) return false
    let at = 0
    return piece.every((item) => {
      if (item === "…") return true
      const found = whole.findIndex((candidate, index) => index >= at && matches(item, candidate))
      at = found + 1
      return found !== -1
    })
  }
  if (typeof piece !== "object" || piece === null) return piece === whole
  if (typeof whole !== "object" || whole === null) return false
  const of = whole as Readonly<Record<string, unknown>>
  return Object.entries(piece).every(([key, value]) => key === "…" || matches(value, of[key]))
}
