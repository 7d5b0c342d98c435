// Runs a document's regular expressions. Uses V8 if a pattern is safe for the text, otherwise a machine that never
// backtracks.

import { attempt, getOrCreate, once } from "@callsheet/format"
import { compilePattern, isAnchored, runPattern, type StepBudget } from "./pattern-machine.ts"
import { parsePattern, type PatternNode, type Repeat } from "./parse-pattern.ts"

/** Thrown if neither engine can decide within its budget. */
export class PatternTooSlow extends Error {
  override readonly name = "PatternTooSlow"
  readonly text: string
  schema: object | undefined

  constructor(pattern: string, text: string) {
    super(`the pattern ${pattern} takes too long on a string of ${text.length} characters`)
    this.text = text
  }
}

export interface Pattern {
  /** @throws PatternTooSlow */
  readonly test: (text: string) => boolean
}

/** The maximum number of steps for V8, about a millisecond. */
const MAX_NATIVE_STEPS = 100_000
/** This many steps per character are always safe. */
const MAX_STEPS_PER_CHARACTER = 32

/** Uses the flag `u` if the pattern allows it (`\-` is an error under `u`). Throws a SyntaxError for an invalid pattern. */
export function createPattern(source: string, budget: StepBudget): Pattern {
  const native = attempt(() => new RegExp(source, "u")) ?? new RegExp(source)
  const node = parsePattern(source, native.unicode)
  const isHarmless = lengthJudge(node)
  const compile = once(() => node && compilePattern(node, native.flags))
  return {
    test: (text) => {
      if (isHarmless(text.length)) return native.test(text)
      const program = compile()
      const found = program && runPattern(program, { codes: codesOf(text, native.unicode), budget })
      if (found === undefined) throw new PatternTooSlow(source, text)
      return found
    },
  }
}

/** V8 is safe for text up to this length with any pattern that people write. */
const SHORT = 12

/** Returns a function that decides whether V8 may test text of a given length. Caches the longest safe length. */
function lengthJudge(node: PatternNode | undefined): (length: number) => boolean {
  let harmless = SHORT
  let harmful = node === undefined ? SHORT + 1 : Infinity
  return (length) => {
    if (length <= harmless) return true
    if (length >= harmful || node === undefined) return false
    // An estimate of the steps, up to a constant factor.
    const steps = (isAnchored(node) ? 1 : length) * ways(node, length)
    const isHarmless = steps <= Math.max(MAX_NATIVE_STEPS, MAX_STEPS_PER_CHARACTER * length)
    if (isHarmless) harmless = length
    else harmful = length
    return isHarmless
  }
}

const codesOf = (text: string, isUnicode: boolean): Uint32Array =>
  isUnicode
    ? Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0)
    : Uint32Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))

/** Estimates in how many ways a pattern can match text of `length` characters. */
function ways(node: PatternNode, length: number): number {
  switch (node.type) {
    case "sequence":
      return node.parts.reduce((product, part) => product * ways(part, length), 1)
    case "choice":
      return node.branches.reduce((sum, branch) => sum + ways(branch, length), 0)
    case "ahead":
      return ways(node.body, length)
    case "beyond":
      return node.body === undefined ? 1 : ways(node.body, length)
    case "repeat":
      return waysToRepeat(node, length)
    default:
      return 1
  }
}

function waysToRepeat({ body, min, max }: Repeat, length: number): number {
  const inner = ways(body, length)
  if (max <= 1) return inner + 1 - min
  // With one way to match the body, only the number of repetitions varies. With several, each repetition multiplies the
  // ways.
  return inner > 1 ? inner ** Math.min(max, Math.max(min, length)) : 1 + Math.min(length, max - min)
}

/** The maximum number of steps per name, about a millisecond. */
const MAX_STEPS = 50_000

const budget = { left: MAX_STEPS }
const machines = new Map<string, Pattern | undefined>()

/** Returns whether a name matches a pattern. Undefined if the pattern is invalid or takes too long. */
export function matchesPattern(pattern: string, name: string): boolean | undefined {
  if (machines.size > 1_000) machines.clear()
  budget.left = MAX_STEPS
  try {
    return getOrCreate(machines, pattern, () => attempt(() => createPattern(pattern, budget)))?.test(name)
  } catch (error) {
    if (error instanceof PatternTooSlow) return undefined
    throw error
  }
}
