// Finds the names in the text of a path, with their places.

import { parseTemplateOnce, tokensOf, type LiveString } from "@callsheet/format"
import { bracketAt, pastBlanks } from "./variable-uses.ts"

/** A name in a path as it is written. Offsets are those of the string. */
export interface PathName {
  readonly name: string
  /** The range of the name, without brackets and quotes. */
  readonly from: number
  readonly to: number
}

/** Returns the paths in a string: the string itself if it is a path, and those in its placeholders. */
export function pathsIn({ text, is }: Pick<LiveString, "text" | "is">): readonly (readonly PathName[])[] {
  const template = parseTemplateOnce(text)
  if (!template.ok) return []
  const starts = tokensOf(template.parts).map(({ offset }) => pastBlanks(text, offset + 2))
  const paths = starts.filter((start) => text[start] !== "$").map((start) => namesAt(text, start))
  return is === "path" ? [namesAt(text, 0), ...paths] : paths
}

function namesAt(text: string, start: number): readonly PathName[] {
  const names: PathName[] = []
  for (let at = start; ;) {
    const name = nameAt(text, at)
    if (name === undefined) return names
    names.push(name)
    at = name.end
    if (text[at] === ".") at++
    else if (text[at] !== "[") return names
  }
}

function nameAt(text: string, at: number): (PathName & { readonly end: number }) | undefined {
  const bracket = text[at] === "[" ? bracketAt(text, at) : undefined
  if (bracket?.segment !== undefined)
    return { name: bracket.segment, from: bracket.from, to: bracket.to, end: bracket.outerTo }
  const head = headAt(text, at)
  return head === undefined || head.isQuoted
    ? undefined
    : { name: head.name, from: at, to: head.end, end: head.end }
}

/** Returns the name at the start of a path, as it is written. It may contain placeholders. */
export function headAt(text: string, start: number) {
  if (text[start] === "[") {
    const { segment: name, outerTo: end = start } = bracketAt(text, start) ?? {}
    return name === undefined || text[start + 1] !== '"' ? undefined : { name, end, isQuoted: true }
  }
  const name = text.slice(start, nameEnd(text, start)).trimEnd()
  return name === "" ? undefined : { name, end: start + name.length, isQuoted: false }
}

/**
 * Returns the offset of the next step, or of the end of the placeholder that contains the name. Skips placeholders in
 * the name.
 */
function nameEnd(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const isClosing = text.startsWith("}}", at)
    if (depth === 0 && (isClosing || text[at] === "." || text[at] === "[")) return at
    if (isClosing) depth--
    else if (text.startsWith("{{", at)) depth++
    else continue
    at++
  }
  return depth === 0 ? text.length : start
}
