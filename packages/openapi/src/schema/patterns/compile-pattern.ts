// Compiles a parsed pattern into a program for a machine that tracks many states at once and never backtracks.

import { getOrCreate } from "@callsheet/format"
import type { Edge, PatternNode, Repeat } from "./parse-pattern.ts"

type CharacterTest = (code: number) => boolean

/** `next` is the following instruction; a fork continues at both. */
export type Instruction =
  | { readonly type: "character"; readonly test: CharacterTest; readonly next: number }
  | { readonly type: "fork"; readonly next: number; readonly other: number }
  | { readonly type: "edge"; readonly edge: Edge; readonly next: number }
  | { readonly type: "ahead"; readonly program: Program; readonly isNegated: boolean; readonly next: number }
  | { readonly type: "match" }

export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
  readonly isAnchored: boolean
}

/** Rejects patterns that expand too far: `(a{1,1000}){1,1000}` would have a million instructions. */
const MAX_INSTRUCTIONS = 20_000

/** Returns undefined if the pattern requires backtracking or is too large. */
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

/** Writes the instructions that match the node and continue at `next`. Returns the index of the first one. */
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
    // An empty body writes nothing, however often it repeats.
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
