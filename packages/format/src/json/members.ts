// Finds the members of objects and arrays in JSON text, and the value at a pointer, without reading anything else.
// Requires valid JSON. Nothing here recurses.

import type { JsonPointer } from "./pointer.ts"
import { skipBlanks } from "./scan.ts"

export interface Member {
  /** The member's key. Absent for an array item. */
  readonly key?: string
  /** The offset of the key's opening quote or, for an array item, of its value. */
  readonly at: number
  readonly keyEnd: number
  readonly valueAt: number
  readonly end: number
}

export interface Container {
  readonly open: number
  readonly close: number
  readonly isArray: boolean
  readonly members: readonly Member[]
}

export function readContainer(text: string, open: number, endOf = valueEnd): Container | undefined {
  const isArray = text[open] === "["
  if (!isArray && text[open] !== "{") return undefined
  const closer = isArray ? "]" : "}"
  const members: Member[] = []
  let at = skipBlanks(text, open + 1)
  while (text[at] !== closer) {
    if (text[at] === ",") at = skipBlanks(text, at + 1)
    const start = readStart(text, at, isArray)
    const end = endOf(text, start.valueAt)
    members.push({ ...start, end })
    at = skipBlanks(text, end)
  }
  return { open, close: at, isArray, members }
}

export function firstMember(text: string, open: number): MemberStart | undefined {
  const at = skipBlanks(text, open + 1)
  return text[at] === "}" || text[at] === "]" ? undefined : readStart(text, at, text[open] === "[")
}

/** A member whose end has not been searched for. */
export type MemberStart = Omit<Member, "end">

/** Finds a member of the container at `open`. Doesn't read its value or later members, because JSON may nest deep. */
export function findMember(text: string, open: number, step: string | number): MemberStart | undefined {
  const isArray = text[open] === "["
  let at = skipBlanks(text, open + 1)
  for (let index = 0; text[at] !== "}" && text[at] !== "]"; index++) {
    const start = readStart(text, at, isArray)
    if ((isArray ? index : start.key) === step) return start
    at = skipBlanks(text, valueEnd(text, start.valueAt))
    if (text[at] === ",") at = skipBlanks(text, at + 1)
  }
  return undefined
}

function readStart(text: string, at: number, isArray: boolean): MemberStart {
  if (isArray) return { at, keyEnd: at, valueAt: at }
  const keyEnd = stringEnd(text, at)
  const valueAt = skipBlanks(text, skipBlanks(text, keyEnd) + 1)
  return { key: JSON.parse(text.slice(at, keyEnd)) as string, at, keyEnd, valueAt }
}

/**
 * Finds a member, or the position for a missing one, and its container. Undefined if the path leads through a missing
 * container.
 */
export function placeOf(body: string, pointer: JsonPointer) {
  const last = pointer.at(-1)
  if (last === undefined) throw new Error("an edit of a JSON text needs a pointer to a member")
  let open = skipBlanks(body, 0)
  for (const step of pointer.slice(0, -1)) {
    const inner = memberStart(body, open, step)
    if (inner === undefined) return undefined
    open = inner.valueAt
  }
  const container = containerFor(body, open, last)
  const index = typeof last === "number" ? last : container.members.findIndex(({ key }) => key === last)
  return { container, index, member: container.members[index] }
}

/** Finds the start of a member. Throws unless `open` is the start of an object or array that fits the step. */
export function memberStart(body: string, open: number, step: string | number): MemberStart | undefined {
  if (body[open] !== (typeof step === "number" ? "[" : "{")) throw noPlace(step)
  return findMember(body, open, step)
}

export function arrayAt(
  body: string,
  pointer: JsonPointer,
): { container: Container; ownerAt: number | undefined } {
  const owner = pointer.length === 0 ? undefined : placeOf(body, pointer)?.member
  const container = readContainer(body, owner?.valueAt ?? skipBlanks(body, 0))
  if ((pointer.length > 0 && owner === undefined) || container?.isArray !== true) throw noPlace(0)
  return { container, ownerAt: owner?.at }
}

export function containerFor(body: string, open: number, step: string | number): Container {
  const container = readContainer(body, open)
  if (container === undefined || container.isArray !== (typeof step === "number")) throw noPlace(step)
  return container
}

export const noPlace = (step: string | number): Error =>
  new Error(
    typeof step === "string"
      ? `no object for the key ${JSON.stringify(step)}`
      : `no array for the item ${step}`,
  )

export function valueEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return stringEnd(text, start)
  if (first !== "{" && first !== "[") {
    scalar.lastIndex = start
    return start + (scalar.exec(text)?.[0].length ?? 1)
  }
  let depth = 0
  // Loops over code units, which is faster than a pattern: every edit after a long list has to skip the list.
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === QUOTE) at = stringEnd(text, at) - 1
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++
    else if ((unit === CLOSE_BRACE || unit === CLOSE_BRACKET) && --depth === 0) return at + 1
  }
  return text.length
}

const scalar = /[-+.0-9A-Za-z]+/y

export function stringEnd(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((at - before) % 2 === 1) return at + 1
  }
  return text.length
}

const QUOTE = 34
const OPEN_BRACKET = 91
const BACKSLASH = 92
const CLOSE_BRACKET = 93
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
