// A parsed pattern -> a program for a machine that is in many states at once, and so never goes back.

import { getOrCreate } from "@callsheet/format"
import type { Edge, PatternNode, Repeat } from "./parse-pattern.ts"

type CharacterTest = (code: number) => boolean

/** `next` is where it goes on; of a fork, both. */
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

/** Programs that would be larger are not made: `(a{1,1000}){1,1000}` writes a million out. */
const MAX_INSTRUCTIONS = 20_000

/** Undefined where the pattern needs to go back, or is too large. */
export function compilePattern(pattern: PatternNode, flags: string): Program | undefined {
  const writing: Writing = { instructions: [{ type: "match" }], flags, tests: new Map() }
  const start = write(writing, pattern, 0)
  return start === undefined
    ? undefined
    : { instructions: writing.instructions, start, isAnchored: isAnchored(pattern) }
}

interface Writing {
  readonly instructions: Instruction[]
  readonly flags: string
  readonly tests: Map<string, CharacterTest>
}

function add({ instructions }: Writing, instruction: Instruction): number | undefined {
  return instructions.length < MAX_INSTRUCTIONS ? instructions.push(instruction) - 1 : undefined
}

/** Writes what matches the node and then goes on at `next`; returns where that begins. */
function write(writing: Writing, node: PatternNode, next: number): number | undefined {
  switch (node.type) {
    case "atom":
      return add(writing, {
        type: "character",
        test: getOrCreate(writing.tests, node.source, () => createTest(node.source, writing.flags)),
        next,
      })
    case "edge":
      return add(writing, { type: "edge", edge: node.edge, next })
    case "sequence":
      return node.parts.reduceRight<number | undefined>(
        (at, part) => (at === undefined ? undefined : write(writing, part, at)),
        next,
      )
    case "choice":
      return writeChoice(writing, node.branches, next)
    case "repeat":
      return writeRepeat(writing, node, next)
    case "ahead": {
      const program = compilePattern(node.body, writing.flags)
      return program && add(writing, { type: "ahead", program, isNegated: node.isNegated, next })
    }
    case "beyond":
      return undefined
  }
}

function writeChoice(writing: Writing, branches: readonly PatternNode[], next: number): number | undefined {
  let at: number | undefined
  for (const branch of branches) {
    const start = write(writing, branch, next)
    if (start === undefined) return undefined
    at = at === undefined ? start : add(writing, { type: "fork", next: at, other: start })
    if (at === undefined) return undefined
  }
  return at
}

function writeRepeat(writing: Writing, { body, min, max }: Repeat, next: number): number | undefined {
  let at: number | undefined = next
  if (max === Infinity) at = writeLoop(writing, body, next)
  else {
    for (let time = min; time < max && at !== undefined; time++) {
      const start = write(writing, body, at)
      at = start === undefined ? undefined : add(writing, { type: "fork", next, other: start })
    }
  }
  for (let time = 0; time < min && at !== undefined; time++) {
    const before: number = at
    at = write(writing, body, at)
    // A body of nothing writes nothing, however often.
    if (at === before) break
  }
  return at
}

function writeLoop(writing: Writing, body: PatternNode, next: number): number | undefined {
  const fork = add(writing, { type: "fork", next, other: next })
  if (fork === undefined) return undefined
  const start = write(writing, body, fork)
  if (start === undefined) return undefined
  writing.instructions[fork] = { type: "fork", next, other: start }
  return fork
}

const ASCII = 128

function createTest(source: string, flags: string): CharacterTest {
  const expression = new RegExp(`^${source}$`, flags)
  const textOf = flags === "u" ? String.fromCodePoint : String.fromCharCode
  const ascii = Array.from({ length: ASCII }, (_, code) => expression.test(textOf(code)))
  return (code) => (code < ASCII ? ascii[code] === true : expression.test(textOf(code)))
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
