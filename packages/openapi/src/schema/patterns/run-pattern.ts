// Runs a program on a text in one pass, in all states at once.

import type { Instruction, Program } from "./compile-pattern.ts"
import type { Edge } from "./parse-pattern.ts"

/** The steps left, shared by all patterns of one check. */
export interface StepBudget {
  left: number
}

/** Returns undefined if the budget ran out. */
export function runPattern(
  program: Program,
  codes: ArrayLike<number>,
  budget: StepBudget,
): boolean | undefined {
  return run({ codes, budget }, program, { at: 0, isPinned: program.isAnchored })
}

interface Run {
  readonly codes: ArrayLike<number>
  readonly budget: StepBudget
}

interface Place {
  readonly at: number
  readonly isPinned: boolean
}

function run(running: Run, program: Program, { at, isPinned }: Place): boolean | undefined {
  const { codes, budget } = running
  budget.left -= program.instructions.length
  const states: States = { program, marks: new Int32Array(program.instructions.length).fill(-1), list: [] }
  let found = enter(running, states, { start: program.start, at })
  for (let here = at; found === false && here < codes.length; here++) {
    const before = states.list
    if (before.length === 0 && isPinned) return false
    states.list = []
    budget.left -= before.length
    for (const { test, next } of before) {
      if (test(codes[here] ?? 0)) found = enter(running, states, { start: next, at: here + 1 })
      if (found !== false) return found
    }
    if (!isPinned) found = enter(running, states, { start: program.start, at: here + 1 })
  }
  return found
}

type CharacterStep = Extract<Instruction, { readonly type: "character" }>

interface States {
  readonly program: Program
  readonly marks: Int32Array
  list: CharacterStep[]
}

/** Follows instructions until one needs a character. Returns true if a match ends here. */
function enter(
  running: Run,
  { program, marks, list }: States,
  { start, at }: { readonly start: number; readonly at: number },
): boolean | undefined {
  const work = [start]
  for (let index = work.pop(); index !== undefined; index = work.pop()) {
    if (marks[index] === at) continue
    marks[index] = at
    if (--running.budget.left < 0) return undefined
    const step = program.instructions[index]
    if (step === undefined || step.type === "match") return true
    if (step.type === "character") list.push(step)
    else if (step.type === "fork") work.push(step.other, step.next)
    else if (step.type === "edge") {
      if (isEdge(running.codes, at, step.edge)) work.push(step.next)
    } else {
      const holds = run(running, step.program, { at, isPinned: true })
      if (holds === undefined) return undefined
      if (holds !== step.isNegated) work.push(step.next)
    }
  }
  return false
}

function isEdge(codes: ArrayLike<number>, at: number, edge: Edge): boolean {
  if (edge === "start") return at === 0
  if (edge === "end") return at === codes.length
  return (isWord(codes[at - 1]) !== isWord(codes[at])) === (edge === "word")
}

const isWord = (code: number | undefined): boolean =>
  code !== undefined &&
  ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95)
