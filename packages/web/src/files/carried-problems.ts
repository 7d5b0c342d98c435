// Moves known problems along with an edit, until the text is checked again. Pure.

import type { Problem } from "@callsheet/format"
import type { TextChange } from "./text-change.ts"

/** Returns the moved problems. Drops problems on removed lines. */
export function carriedProblems(
  problems: readonly Problem[],
  before: string,
  { at, removed, inserted }: TextChange,
): readonly Problem[] {
  if (problems.length === 0) return problems
  const first = lineEndsIn(before.slice(0, at)) + 1
  const last = first + lineEndsIn(removed)
  const moved = lineEndsIn(inserted) - (last - first)
  // Text inserted at the start of a line moves that line too.
  const kept = at === 0 || before[at - 1] === "\n" ? first - 1 : first
  return problems.flatMap((problem) => {
    const { line, column } = problem
    if (
      line === first &&
      column !== undefined &&
      column > columnOf(before, at) &&
      !hasLineEnd(removed + inserted)
    )
      return [{ ...problem, column: column + inserted.length - removed.length }]
    if (line === undefined || line <= kept) return [problem]
    return line < last ? [] : [{ ...problem, line: line + moved }]
  })
}

const columnOf = (text: string, at: number): number => at - text.lastIndexOf("\n", at - 1)

const hasLineEnd = (text: string): boolean => text.includes("\n")

function lineEndsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}
