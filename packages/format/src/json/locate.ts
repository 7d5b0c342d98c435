// Where in a JSON text a pointer's key and value stand. Made only when there is a problem to point at.

import { scanNumber, scanString, skipBlanks, type Scanned } from "./scan.ts"

/** The way to a value: keys and indices from the root. */
export type JsonPointer = readonly (string | number)[]

/** Offsets in UTF-16 code units. */
interface Member {
  readonly key: number
  readonly value: number
}

type Members = ReadonlyMap<string | number, Member>

/**
 * Answers where the key or the value of a pointer starts in a well-formed text; a pointer to what is not there (a missing
 * field) means its container. Reads the text once, and then only the containers on the way: a file may nest millions.
 */
export function createJsonLocator(text: string): (pointer: JsonPointer, at: "key" | "value") => number {
  const endOfContainer = readContainers(text)
  const read = new Map<number, Members>()
  const membersOf = (container: number): Members => {
    let members = read.get(container)
    if (members === undefined) {
      members = readMembers(text, container, endOfContainer)
      read.set(container, members)
    }
    return members
  }
  const start = skipBlanks(text, 0)
  // One problem is often near the next: what the two ways share is walked once.
  const trail: Member[] = [{ key: start, value: start }]
  let last: JsonPointer = []
  return (pointer, at) => {
    trail.length = Math.min(trail.length, 1 + sharedSteps(last, pointer))
    last = pointer
    let member = trail.at(-1) ?? { key: start, value: start }
    for (const step of pointer.slice(trail.length - 1)) {
      const next = membersOf(member.value).get(step)
      if (next === undefined) return member.value
      member = next
      trail.push(member)
    }
    return at === "key" ? member.key : member.value
  }
}

function sharedSteps(one: JsonPointer, other: JsonPointer): number {
  let shared = 0
  while (shared < one.length && shared < other.length && one[shared] === other[shared]) shared++
  return shared
}

/** From the offset of a container's opening bracket to the offset behind its closing one. */
type ContainerEnd = (open: number) => number

function readContainers(text: string): ContainerEnd {
  const opens: number[] = []
  const ends: number[] = []
  const unclosed: number[] = []
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = endOf(scanString(text, at), text) - 1
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      unclosed.push(opens.length)
      opens.push(at)
      ends.push(text.length)
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      const open = unclosed.pop()
      if (open !== undefined) ends[open] = at + 1
    }
  }
  return (open) => {
    let low = 0
    let high = opens.length
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (opens[middle]! <= open) low = middle
      else high = middle
    }
    return ends[low] ?? text.length
  }
}

/** The direct members of a container; none of a scalar. */
function readMembers(text: string, container: number, endOfContainer: ContainerEnd): Members {
  const members = new Map<string | number, Member>()
  const opening = text[container]
  if (opening !== "{" && opening !== "[") return members
  let at = skipBlanks(text, container + 1)
  while (at < text.length && text[at] !== "}" && text[at] !== "]") {
    if (opening === "[") members.set(members.size, { key: at, value: at })
    else {
      const key = at
      const keyEnd = endOf(scanString(text, key), text)
      at = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
      members.set(JSON.parse(text.slice(key, keyEnd)) as string, { key, value: at })
    }
    at = skipBlanks(text, skipValue(text, at, endOfContainer))
    if (text[at] === ",") at = skipBlanks(text, at + 1)
  }
  return members
}

function skipValue(text: string, at: number, endOfContainer: ContainerEnd): number {
  const char = text[at] ?? ""
  if (char === "{" || char === "[") return endOfContainer(at)
  if (char === '"') return endOf(scanString(text, at), text)
  if (char === "-" || (char >= "0" && char <= "9")) return endOf(scanNumber(text, at), text)
  const word = /[a-z]+/y
  word.lastIndex = at
  return at + (word.exec(text)?.[0].length ?? 1)
}

const endOf = (scanned: Scanned, text: string): number => ("end" in scanned ? scanned.end : text.length)

const QUOTE = 34
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
