// Names that hold tokens, as patterns: which names may come to be the same text.

import type { TemplatePart } from "@callsheet/format"

/** Stands for what a token gives; no name holds it. */
export const HOLE = "\u0000"

/** The text of a template with a hole for each token. */
export function patternOf(parts: readonly TemplatePart[]): string {
  let pattern = ""
  for (const part of parts) pattern += typeof part === "string" ? withoutHoles(part) : HOLE
  return pattern
}

const withoutHoles = (text: string): string => (text.includes(HOLE) ? text.replaceAll(HOLE, " ") : text)

/** Whether two patterns may come to be the same text; in doubt they may. */
export function mayMeet(a: string, b: string): boolean {
  const [left, right] = [a.split(HOLE), b.split(HOLE)]
  if (left.length === 1) return right.length === 1 ? a === b : fits(a, right)
  if (right.length === 1) return fits(b, left)
  const [headA, headB] = [left[0]!, right[0]!]
  const [tailA, tailB] = [left.at(-1)!, right.at(-1)!]
  return (
    (headA.startsWith(headB) || headB.startsWith(headA)) && (tailA.endsWith(tailB) || tailB.endsWith(tailA))
  )
}

/** Whether a text has the pieces of a pattern in their order. */
function fits(text: string, pieces: readonly string[]): boolean {
  const [head, tail] = [pieces[0]!, pieces.at(-1)!]
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  let at = head.length
  const end = text.length - tail.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

/** A first name as written, blanks in tokens aside. */
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

/** The text of a template again, blanks in tokens aside. */
export const asWritten = (parts: readonly TemplatePart[]): string =>
  parts.map((part) => (typeof part === "string" ? part : `{{${asWritten(part.inner)}}}`)).join("")
