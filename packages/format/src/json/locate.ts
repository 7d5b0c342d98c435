// Where in a JSON text a pointer's key and value stand. Made only when there is a problem to point at.

import { scanNumber, scanString, skipBlanks, type Scanned } from "./scan.ts"

/** The way to a value: keys and indices from the root. */
export type JsonPointer = readonly (string | number)[]

interface Node {
  readonly key: number
  readonly value: number
  children?: Map<string | number, Node>
}

/** Reads the positions of a well-formed text once; the answer gives offsets in UTF-16 code units. */
export function createJsonLocator(text: string): (pointer: JsonPointer, at: "key" | "value") => number {
  const root = readPositions(text)
  return (pointer, at) => {
    let node = root
    for (const step of pointer) {
      const next = node.children?.get(step)
      // A pointer to what is not there (a missing field) means its container.
      if (next === undefined) return node.value
      node = next
    }
    return at === "key" ? node.key : node.value
  }
}

function readPositions(text: string): Node {
  const start = skipBlanks(text, 0)
  const root: Node = { key: start, value: start }
  const open: { node: Node; isArray: boolean }[] = []
  let at = start
  let node: Node | undefined = root
  while (at < text.length) {
    if (node !== undefined) {
      const char = text[at]
      if (char === "{" || char === "[") {
        node.children = new Map()
        open.push({ node, isArray: char === "[" })
        at = skipBlanks(text, at + 1)
      } else at = skipScalar(text, at)
      node = undefined
    }
    at = skipBlanks(text, at)
    const top = open.at(-1)
    if (top === undefined) break
    const char = text[at]
    if (char === "]" || char === "}") {
      open.pop()
      at++
    } else {
      if (char === ",") at = skipBlanks(text, at + 1)
      const next = readMember(text, at, top)
      node = next
      at = next.value
    }
  }
  return root
}

function readMember(text: string, at: number, top: { node: Node; isArray: boolean }): Node {
  const siblings = top.node.children!
  if (top.isArray) {
    const item = { key: at, value: at }
    siblings.set(siblings.size, item)
    return item
  }
  const keyEnd = endOf(scanString(text, at), text)
  const colon = skipBlanks(text, keyEnd)
  const member = { key: at, value: skipBlanks(text, colon + 1) }
  siblings.set(JSON.parse(text.slice(at, keyEnd)) as string, member)
  return member
}

function skipScalar(text: string, at: number): number {
  if (text[at] === '"') return endOf(scanString(text, at), text)
  if (/[-0-9]/.test(text[at] ?? "")) return endOf(scanNumber(text, at), text)
  const word = /[a-z]+/y
  word.lastIndex = at
  return at + (word.exec(text)?.[0].length ?? 1)
}

const endOf = (scanned: Scanned, text: string): number => ("end" in scanned ? scanned.end : text.length)
