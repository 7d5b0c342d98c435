// Decides whether one of the reported problems is the mistake that was made.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Problem } from "@callsheet/format"
import { codesOfKind } from "./corpus/codes.ts"
import type { Expected, Mistake } from "./mistake.ts"
import { lineAt, onlyPlaceOf } from "./seed-mistake.ts"

export interface Judgment {
  readonly found: boolean
  /** Problems at other positions, which a reader has to skip. */
  readonly others: readonly Problem[]
}

interface Case {
  readonly mistake: Mistake
  readonly folder: string
  /** The line of the edit. */
  readonly line: number | undefined
}

export function judge(seeded: Case, problems: readonly Problem[]): Judgment {
  const isRight = createTest(seeded)
  const right = problems.find(isRight)
  return { found: right !== undefined, others: problems.filter((problem) => problem !== right) }
}

function createTest({ mistake, folder, line }: Case): (problem: Problem) => boolean {
  const { expected } = mistake
  const codes = expected.codes ?? codesOfKind[mistake.kind]
  const file = expected.file ?? mistake.file
  const isThere = expected.anywhere === true ? () => true : linesOf({ expected, folder, file, line })
  return (problem) =>
    (codes?.includes(problem.code) ?? true) &&
    (expected.severity === undefined || problem.severity === expected.severity) &&
    problem.file === file &&
    isThere(problem.line) &&
    (expected.words ?? []).every((word) => `${problem.message}\n${problem.hint ?? ""}`.includes(word))
}

interface Place {
  readonly expected: Expected
  readonly folder: string
  readonly file: string
  readonly line: number | undefined
}

function linesOf({ expected, folder, file, line }: Place): (line: number | undefined) => boolean {
  const { at, within } = expected
  if (at === undefined && within === undefined) return (found) => found !== undefined && found === line
  const text = readFileSync(join(folder, file), "utf8")
  if (within !== undefined) {
    const first = onlyPlaceOf(text, within[0], file)
    const last = text.indexOf(within[1], first + within[0].length)
    if (last === -1)
      throw new Error(`${file} does not contain ${JSON.stringify(within[1])} after the first text`)
    const [from, to] = [lineAt(text, first), lineAt(text, last)]
    // A missing field is reported at the block's opening brace, on the line before its first field.
    return (found) => found !== undefined && found >= from - 1 && found <= to
  }
  const lines = [at ?? []].flat().map((wanted) => lineAt(text, onlyPlaceOf(text, wanted, file)))
  return (found) => found !== undefined && lines.includes(found)
}
