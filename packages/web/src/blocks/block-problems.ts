// Assigns the problems of a workflow's text to its blocks. Pure.

import { parseEdited, valueAt, type JsonPointer, type Problem } from "@callsheet/format"
import { locateProblems, type LocatedProblem } from "../files/text/field-problems.ts"
import { keyOf } from "./block-place.ts"

/** Problems by block key. An empty key means the workflow itself. */
export type ProblemsByBlock = ReadonlyMap<string, readonly LocatedProblem[]>

/** Pointers are relative to the block. Those of the workflow itself are relative to the root. */
export function problemsByBlock(text: string, problems: readonly Problem[]): ProblemsByBlock {
  const byBlock = new Map<string, LocatedProblem[]>()
  for (const { pointer, ...found } of locateProblems(text, problems)) {
    const length = blockLength(pointer)
    if (isUnchosenScript(text, pointer, length)) continue
    const key = keyOf(pointer.slice(0, length))
    const located = { ...found, pointer: pointer.slice(length) }
    const known = byBlock.get(key)
    if (known === undefined) byBlock.set(key, [located])
    else known.push(located)
  }
  return byBlock
}

/** Returns whether a block's script isn't chosen yet. Its form says so, so it isn't an error yet. */
function isUnchosenScript(text: string, pointer: JsonPointer, length: number): boolean {
  if (pointer[length] !== "script") return false
  const parsed = parseEdited(text)
  return parsed.ok && valueAt(parsed.value, [...pointer.slice(0, length), "script", "name"]) === ""
}

/** Returns how many steps of the pointer lead to the innermost block. */
export function blockLength(pointer: JsonPointer): number {
  let length = 0
  const isList = (step: string | number | undefined): boolean =>
    step === "blocks" || step === "then" || step === "else"
  while (isList(pointer[length]) && typeof pointer[length + 1] === "number") length += 2
  return length
}

/** Returns the most severe problem of a block and its hidden children. */
export function worstIn(
  problems: ProblemsByBlock,
  key: string,
  isOpen: boolean | undefined,
): Problem["severity"] | undefined {
  let worst: Problem["severity"] | undefined
  const look = (located: readonly LocatedProblem[]): void => {
    for (const { problem } of located) if (worst !== "error") worst = problem.severity
  }
  look(problems.get(key) ?? [])
  if (isOpen === false)
    for (const [other, located] of problems) if (other.startsWith(`${key}/`)) look(located)
  return worst
}
