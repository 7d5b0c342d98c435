// Finds the field of a problem: converts its line and column to the pointer of a value.

import { useMemo } from "react"
import {
  attempt,
  createOffsetFinder,
  jsonPointersAt,
  type JsonPointer,
  type Problem,
} from "@callsheet/format"
import { tokensIn } from "@callsheet/language"

/** A problem with the pointer of its value. The pointer is relative to the value that a form edits. */
export interface LocatedProblem {
  readonly pointer: JsonPointer
  readonly problem: Problem
  /** The path in the placeholder that has the problem. */
  readonly token?: string | undefined
}

/** Returns the pointer of each problem. If the position is unknown, returns the root. */
export function locateProblems(text: string, problems: readonly Problem[]): readonly LocatedProblem[] {
  if (problems.length === 0) return []
  const body = text.startsWith("\ufeff") ? text.slice(1) : text
  const offsetOf = createOffsetFinder(body)
  const offsets = problems.map(({ line, column }) => offsetOf({ line: line ?? 1, column: column ?? 1 }))
  const pointers = jsonPointersAt(body, offsets)
  return problems.map((problem, index) => ({
    problem,
    pointer: pointers[index] ?? [],
    token: placeholderAt(body, offsets[index] ?? 0),
  }))
}

/** Returns the path in the placeholder at an offset in JSON text. */
function placeholderAt(text: string, offset: number): string | undefined {
  if (!text.startsWith("{{", offset)) return undefined
  restOfString.lastIndex = offset
  const [rest = ""] = restOfString.exec(text) ?? []
  const written = attempt(() => JSON.parse(`"${rest}"`) as string)
  return tokensIn(written ?? "", "text").tokens.find(({ from }) => from === 0)?.path
}

const restOfString = /(?:[^"\\]|\\.)*/y

export const pointerKey = (pointer: JsonPointer): string => JSON.stringify(pointer)

/** Assigns each problem to the innermost visible field that contains it. Without one, assigns it to the form. */
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

export const useLocatedProblems = (text: string, problems: readonly Problem[]): readonly LocatedProblem[] =>
  useMemo(() => locateProblems(text, problems), [text, problems])
