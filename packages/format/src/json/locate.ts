// Converts between JSON pointers and offsets in JSON text.

import { getOrCreate } from "../memo.ts"
import { readContainer, stringEnd, valueEnd, type Member } from "./members.ts"
import type { JsonPointer } from "./pointer.ts"
import { skipBlanks } from "./scan.ts"

type Start = Pick<Member, "at" | "valueAt">

/** Returns a function that finds the start of a key or value or, if that is missing, of its container. Reads the text once. */
export function createJsonLocator(text: string): (pointer: JsonPointer, at: "key" | "value") => number {
  const endOf = createEndFinder(text)
  const read = new Map<number, ReadonlyMap<string | number, Start>>()
  const readMembers = (open: number): ReadonlyMap<string | number, Start> => {
    const all = readContainer(text, open, endOf)?.members ?? []
    return new Map(all.map((member, index) => [member.key ?? index, member]))
  }
  const start = skipBlanks(text, 0)
  const root: Start = { at: start, valueAt: start }
  // Remembers the last path, because consecutive problems are often close together.
  const trail: Start[] = []
  let last: JsonPointer = []
  return (pointer, at) => {
    trail.length = Math.min(trail.length, sharedSteps(last, pointer))
    last = pointer
    let here = trail.at(-1) ?? root
    for (const step of pointer.slice(trail.length)) {
      const next = getOrCreate(read, here.valueAt, readMembers).get(step)
      if (next === undefined) return here.valueAt
      here = next
      trail.push(here)
    }
    return at === "key" ? here.at : here.valueAt
  }
}

function sharedSteps(one: JsonPointer, other: JsonPointer): number {
  let shared = 0
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++
  return shared
}

/** Returns a version of `valueEnd` that reads the text once for all calls. */
function createEndFinder(text: string): typeof valueEnd {
  const ends = new Int32Array(text.length)
  const open: number[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = stringEnd(text, at) - 1
    else if (char === "{" || char === "[") open.push(at)
    else if (char === "}" || char === "]") ends[open.pop() ?? at] = at + 1
  }
  return (_, start) => ends[start] || valueEnd(text, start)
}

/** An open container: the index of the current item, or the offsets of the current member's key. */
type OpenAt = { index: number } | { key: { readonly from: number; readonly to: number } | undefined }

/**
 * Returns, for each offset in valid JSON, the pointer to the value at the offset, or to the value of the key there. An
 * offset between two members belongs to their container.
 */
export function jsonPointersAt(text: string, offsets: readonly number[]): readonly JsonPointer[] {
  const order = [...offsets.keys()].sort((a, b) => (offsets[a] ?? 0) - (offsets[b] ?? 0))
  const found: JsonPointer[] = offsets.map(() => [])
  const open: OpenAt[] = []
  let done = 0
  const settle = (end: number): void => {
    for (let next = order[done]; next !== undefined && (offsets[next] ?? 0) < end; next = order[++done])
      found[next] = open.flatMap((container): JsonPointer => {
        if ("index" in container) return [container.index]
        const { key } = container
        return key === undefined ? [] : [JSON.parse(text.slice(key.from, key.to)) as string]
      })
  }
  const token = /["[\]{},]/g
  for (let match = token.exec(text); match !== null && done < order.length; match = token.exec(text)) {
    const [char] = match
    const top = open.at(-1)
    if (char === '"') {
      const end = stringEnd(text, match.index)
      settle(match.index)
      if (top !== undefined && "key" in top) top.key ??= { from: match.index, to: end }
      settle(end)
      token.lastIndex = end
      continue
    }
    settle(char === "[" || char === "{" ? match.index + 1 : match.index)
    if (char === "[") open.push({ index: 0 })
    else if (char === "{") open.push({ key: undefined })
    else if (char !== ",") open.pop()
    else if (top !== undefined && "index" in top) top.index++
    else if (top !== undefined) top.key = undefined
  }
  return found
}

/**
 * Returns a function that finds the offset of a character of the string whose literal starts at `literal`. Ask for
 * characters in ascending order.
 */
export function createStringOffsets(text: string, literal: number): (unit: number) => number {
  let at = literal + 1
  let unit = 0
  return (wanted) => {
    for (; unit < wanted; unit++) at += text[at] !== "\\" ? 1 : text[at + 1] === "u" ? 6 : 2
    return at
  }
}
