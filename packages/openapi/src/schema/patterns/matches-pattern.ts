// Whether a name matches a pattern of a document, without the time that some patterns take.

import { getOrCreate } from "../../document/memo.ts"
import { createPattern, type Pattern, PatternTooSlow } from "./create-pattern.ts"

/** For one name, in steps of a pattern's machine: about a millisecond. */
const MAX_STEPS = 50_000

const budget = { left: MAX_STEPS }
const machines = new Map<string, Pattern | undefined>()

/** Undefined where that is not known: no pattern, or one that takes too long. */
export function matchesPattern(pattern: string, name: string): boolean | undefined {
  if (machines.size > 1_000) machines.clear()
  budget.left = MAX_STEPS
  try {
    return getOrCreate(machines, pattern, machineOf)?.test(name)
  } catch (error) {
    if (error instanceof PatternTooSlow) return undefined
    throw error
  }
}

function machineOf(pattern: string): Pattern | undefined {
  try {
    return createPattern(pattern, budget)
  } catch {
    return undefined // no pattern at all
  }
}
