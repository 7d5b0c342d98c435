// Compiles and runs a pattern on a machine that tracks all possible states at once and never backtracks.

import { getOrCreate } from "@callsheet/format"
import type { Edge, PatternNode, Repeat } from "./parse-pattern.ts"

type CharacterTest = (code: number) => boolean

/** `next` is the index of the following instruction. A fork continues at both `next` and `other`. */
type Instruction =
  | { readonly type: "character"; readonly test: CharacterTest; readonly next: number }
  | { readonly type: "fork"; readonly next: number; readonly other: number }
  | { readonly type: "edge"; readonly edge: Edge; readonly next: number }
  | { readonly type: "ahead"; readonly program: Program; readonly isNegated: boolean; readonly next: number }
  | { readonly type: "match" }

interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
  readonly isAnchored: boolean
}

/** The maximum size of a program. `(a{1,1000}){1,1000}` would have a million instructions. */
const MAX_INSTRUCTIONS = 20_000

/** Compiles a pattern. Returns undefined if it needs backtracking or is too large. */
export function compilePattern(pattern: PatternNode, flags: string): Program | undefined {
  try {
    return compile(pattern, flags)
  } catch (error) {
    if (error instanceof NoProgram) return undefined
    throw error
  }
}

class NoProgram extends Error {}

function compile(pattern: PatternNode, flags: string): Program {
  const writing: Writing = { instructions: [{ type: "match" }], flags, tests: new Map() }
  const start = write(writing, pattern, 0)
  return { instructions: writing.instructions, start, isAnchored: isAnchored(pattern) }
}

interface Writing {
  readonly instructions: Instruction[]
  readonly flags: string
  readonly tests: Map<string, CharacterTest>
}

function add({ instructions }: Writing, instruction: Instruction): number {
  if (instructions.length >= MAX_INSTRUCTIONS) throw new NoProgram()
  return instructions.push(instruction) - 1
}

/** Writes the instructions for a node, followed by `next`. Returns the index of the first one. */
function write(writing: Writing, node: PatternNode, next: number): number {
  const { flags, tests } = writing
  switch (node.type) {
    case "atom": {
      const test = getOrCreate(tests, node.source, () => createTest(node.source, flags))
      return add(writing, { type: "character", test, next })
    }
    case "edge":
      return add(writing, { type: "edge", edge: node.edge, next })
    case "sequence":
      return node.parts.reduceRight((at, part) => write(writing, part, at), next)
    case "choice": {
      const [first = next, ...others] = node.branches.map((branch) => write(writing, branch, next))
      return others.reduce((at, other) => add(writing, { type: "fork", next: at, other }), first)
    }
    case "repeat":
      return writeRepeat(writing, node, next)
    case "ahead": {
      const { body, isNegated } = node
      return add(writing, { type: "ahead", program: compile(body, flags), isNegated, next })
    }
    case "beyond":
      throw new NoProgram()
  }
}

function writeRepeat(writing: Writing, { body, min, max }: Repeat, next: number): number {
  let at = max === Infinity ? writeLoop(writing, body, next) : next
  const optional = max === Infinity ? 0 : max - min
  for (let time = 0; time < optional; time++)
    at = add(writing, { type: "fork", next, other: write(writing, body, at) })
  for (let time = 0; time < min; time++) {
    const before = at
    at = write(writing, body, at)
    // An empty body writes no instructions, so repeating it would never end.
    if (at === before) break
  }
  return at
}

function writeLoop(writing: Writing, body: PatternNode, next: number): number {
  const fork = add(writing, { type: "fork", next, other: next })
  writing.instructions[fork] = { type: "fork", next, other: write(writing, body, fork) }
  return fork
}

const ASCII = 128

function createTest(source: string, flags: string): CharacterTest {
  const expression = new RegExp(`^${source}$`, flags)
  const toText = flags === "u" ? String.fromCodePoint : String.fromCharCode
  const ascii = Array.from({ length: ASCII }, (_, code) => expression.test(toText(code)))
  return (code) => (code < ASCII ? ascii[code] === true : expression.test(toText(code)))
}

export function isAnchored(node: PatternNode): boolean {
  switch (node.type) {
    case "edge":
      return node.edge === "start"
    case "choice":
      return node.branches.every(isAnchored)
    case "sequence":
      return node.parts[0] !== undefined && isAnchored(node.parts[0])
    default:
      return false
  }
}

/** The remaining steps. All patterns of one check share them. */
export interface StepBudget {
  left: number
}

interface Run {
  readonly codes: ArrayLike<number>
  readonly budget: StepBudget
}

/** Returns whether the text matches. Undefined if the budget runs out. */
export function runPattern(
  program: Program,
  running: Run,
  { at = 0, isPinned = program.isAnchored } = {},
): boolean | undefined {
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
      const holds = runPattern(step.program, running, { at, isPinned: true })
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
