// Which field a problem belongs to: from its line and column in the text to the pointer of a value. Pure.

import {
  createJsonLocator,
  createLineFinder,
  isJsonArray,
  isJsonObject,
  type JsonPointer,
  type JsonValue,
  type Problem,
} from "@callsheet/format"

/** A problem with the way to what it is about, from the value that a form edits. */
export interface LocatedProblem {
  readonly pointer: JsonPointer
  readonly problem: Problem
}

export interface FormText {
  readonly text: string
  /** The way to what the form edits. */
  readonly base: JsonPointer
  readonly value: JsonValue
}

const lists: readonly (string | number)[] = ["then", "else", "blocks"]

/** More values than a form shows. */
const MOST_VALUES = 20_000

/** A problem whose place is not found belongs to the whole. */
export function locateProblems(
  { text, base, value }: FormText,
  problems: readonly Problem[],
): readonly LocatedProblem[] {
  if (problems.length === 0) return []
  const body = text.startsWith("\ufeff") ? text.slice(1) : text
  const locate = createJsonLocator(body)
  const lineColumn = createLineFinder(body)
  const places = new Map<string, JsonPointer>()
  const note = (pointer: JsonPointer, at: "key" | "value"): void => {
    const { line, column } = lineColumn(locate([...base, ...pointer], at))
    places.set(`${line}:${column}`, pointer)
  }
  for (const pointer of pointersOf(value)) {
    note(pointer, "value")
    if (typeof pointer.at(-1) === "string") note(pointer, "key")
  }
  return problems.map((problem) => ({
    problem,
    pointer: places.get(`${problem.line}:${problem.column}`) ?? [],
  }))
}

function pointersOf(value: JsonValue): readonly JsonPointer[] {
  const found: { readonly pointer: JsonPointer; readonly value: JsonValue }[] = [{ pointer: [], value }]
  for (const { pointer, value: here } of found) {
    if (found.length > MOST_VALUES) break
    for (const [key, inner] of membersOf(here)) {
      // Blocks in it have forms of their own.
      if (pointer.length === 0 && lists.includes(key)) continue
      found.push({ pointer: [...pointer, key], value: inner })
    }
  }
  return found.map(({ pointer }) => pointer)
}

function membersOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (isJsonArray(value)) return value.map((item, index) => [index, item] as const)
  return isJsonObject(value) ? Object.entries(value) : []
}

export const pointerKey = (pointer: JsonPointer): string => JSON.stringify(pointer)

/** Each problem goes to the closest field around it that is shown; without one it is the form's own. */
export function assignProblems(
  located: readonly LocatedProblem[],
  shown: ReadonlySet<string>,
): ReadonlyMap<string, readonly Problem[]> {
  const assigned = new Map<string, Problem[]>()
  for (const { pointer, problem } of located) {
    const key = closest(pointer, shown)
    assigned.set(key, [...(assigned.get(key) ?? []), problem])
  }
  return assigned
}

function closest(pointer: JsonPointer, shown: ReadonlySet<string>): string {
  for (let length = pointer.length; length > 0; length--) {
    const key = pointerKey(pointer.slice(0, length))
    if (shown.has(key)) return key
  }
  return pointerKey([])
}
