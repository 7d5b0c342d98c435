// Converts between JSON pointers and offsets in JSON text.

import { getOrCreate } from "../memo.ts"
import {
  ARRAY,
  beginOf,
  childrenOf,
  field,
  type JsonTree,
  KEY_FROM,
  keyOfRow,
  KIND,
  readJsonTree,
  START,
} from "./json-tree.ts"
import { stringEnd } from "./members.ts"
import type { JsonPointer } from "./pointer.ts"
import { skipBlanks } from "./scan.ts"

/**
 * Returns a function that finds the start of a key or value or, if that is missing, of its container. Reads the text
 * once, which may be broken.
 */
export function createJsonLocator(text: string): (pointer: JsonPointer, at: "key" | "value") => number {
  const tree = readJsonTree(text)
  if (tree.count === 0) return () => skipBlanks(text, 0)
  const read = new Map<number, ReadonlyMap<string | number, number>>()
  // Remembers the last path, because consecutive problems are often close together.
  const trail: number[] = []
  let last: JsonPointer = []
  return (pointer, at) => {
    trail.length = Math.min(trail.length, sharedSteps(last, pointer))
    last = pointer
    let here = trail.at(-1) ?? 0
    for (const step of pointer.slice(trail.length)) {
      const next = getOrCreate(read, here, (row) => membersOf(tree, row)).get(step)
      if (next === undefined) return field(tree, here, START)
      here = next
      trail.push(here)
    }
    return at === "key" ? beginOf(tree, here) : field(tree, here, START)
  }
}

/** Returns the rows of a container's members by key or index. */
function membersOf(tree: JsonTree, container: number): ReadonlyMap<string | number, number> {
  const members = new Map<string | number, number>()
  const isArray = field(tree, container, KIND) === ARRAY
  for (const row of childrenOf(tree, container))
    if (isArray) members.set(members.size, row)
    else if (field(tree, row, KEY_FROM) !== -1) members.set(keyOfRow(tree, row), row)
  return members
}

function sharedSteps(one: JsonPointer, other: JsonPointer): number {
  let shared = 0
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++
  return shared
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
