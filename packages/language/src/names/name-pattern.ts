// Treats names with placeholders as patterns, to find names that may expand to the same string.

import type { TemplatePart } from "@callsheet/format"

/** Stands for a placeholder in a pattern. Names never contain this character. */
export const HOLE = "\u0000"

export function patternOf(parts: readonly TemplatePart[]): string {
  let pattern = ""
  for (const part of parts) pattern += typeof part === "string" ? part.replaceAll(HOLE, " ") : HOLE
  return pattern
}

/** Returns whether two patterns may expand to the same string. Returns true if unsure. */
export function mayMeet(a: string, b: string): boolean {
  if (!a.includes(HOLE)) return b.includes(HOLE) ? fits(a, b) : a === b
  if (!b.includes(HOLE)) return fits(b, a)
  const [{ head: headA, tail: tailA }, { head: headB, tail: tailB }] = [endsOf(a), endsOf(b)]
  return (
    (headA.startsWith(headB) || headB.startsWith(headA)) && (tailA.endsWith(tailB) || tailB.endsWith(tailA))
  )
}

const endsOf = (pattern: string) => ({
  head: pattern.slice(0, pattern.indexOf(HOLE)),
  tail: pattern.slice(pattern.lastIndexOf(HOLE) + HOLE.length),
})

function fits(text: string, pattern: string): boolean {
  const { head, tail } = endsOf(pattern)
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  let at = head.length
  const end = text.length - tail.length
  for (const piece of pattern.split(HOLE).slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

export function firstNameAsWritten(parts: readonly TemplatePart[]): string {
  let name = ""
  for (const part of parts) {
    if (typeof part === "string") {
      const end = part.search(/[.[]/)
      if (end !== -1) return name + part.slice(0, end)
      name += part
    } else name += `{{${asWritten(part.inner)}}}`
  }
  return name
}

export const asWritten = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `{{${asWritten(part.inner)}}}`)).join("")

/** A name in braces as other tools write it: `${a.b}`, `#{a.b}`, `{a.b}`, `{a.b}}`. */
export const otherBraces = /[$#]\{\s*([^{}\s]+)\s*\}(?!\})|(?<![{$#%\\])\{\s*([^{}\s]+)\s*\}\}?(?!\})/g
