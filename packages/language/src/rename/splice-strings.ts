// Changes parts of strings in a JSON text, and leaves every other byte: how other characters are escaped too.

import { createJsonLocator, type JsonPointer } from "@callsheet/format"
import { listOf } from "../names/list-of.ts"

export interface StringSplice {
  readonly pointer: JsonPointer
  /** In the string that stands there, as it reads. */
  readonly from: number
  readonly to: number
  /** Without characters that JSON escapes. */
  readonly by: string
}

/** The text with all splices done; those of one string do not overlap. */
export function spliceStrings(text: string, splices: readonly StringSplice[]): string {
  const places = literalsOf(text, splices).flatMap(([literal, list]) => placesIn(text, literal, list))
  const pieces: string[] = []
  let done = 0
  for (const { start, end, by } of places.sort((a, b) => a.start - b.start)) {
    pieces.push(text.slice(done, start), by)
    done = end
  }
  return pieces.join("") + text.slice(done)
}

/** The splices by the literal that they change. */
function literalsOf(text: string, splices: readonly StringSplice[]): readonly [number, StringSplice[]][] {
  const locate = createJsonLocator(text)
  const literals = new Map<number, StringSplice[]>()
  for (const splice of splices) {
    listOf(literals, locate(splice.pointer, "value")).push(splice)
  }
  return [...literals]
}

interface Place {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** Where splices of the string whose literal is at `literal` stand in the text. */
function placesIn(text: string, literal: number, splices: readonly StringSplice[]): readonly Place[] {
  let at = literal + 1
  let unit = 0
  const offsetOf = (wanted: number): number => {
    for (; unit < wanted; unit++) at += text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2
    return at
  }
  return splices
    .toSorted((a, b) => a.from - b.from)
    .map(({ from, to, by }) => ({ start: offsetOf(from), end: offsetOf(to), by }))
}
