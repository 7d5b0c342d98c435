// The results of a run, kept so that a single block can run again. They contain secrets and are never shown.

import { CallsheetError, walkBlocks } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { PlannedPart } from "../plan/part.ts"
import {
  createRunScope,
  enterIteration,
  leaveIteration,
  type BlockResult,
  type Iteration,
  type RunScope,
  type Scope,
} from "@callsheet/language"
import type { RunSecret } from "../ports.ts"

export interface RunResults {
  /** The results at the top level of the workflow, by expanded id. */
  readonly results: ReadonlyMap<string, BlockResult>
  /** The last iteration of each loop, by the loop's id as written. */
  readonly iterations: ReadonlyMap<string, LastIteration>
  readonly secrets: readonly RunSecret[]
}

interface LastIteration extends Iteration {
  readonly results: ReadonlyMap<string, BlockResult>
}

export type IterationRecorder = ReturnType<typeof createIterationRecorder>

export function createIterationRecorder(before: ReadonlyMap<string, LastIteration> = new Map()) {
  const iterations = new Map(before)
  return {
    iterations,
    /** Forgets the last iteration of a loop that starts again. */
    forget: (loop: string): void => void iterations.delete(loop),
    record: ({ loop, iteration, results }: Scope): void => {
      if (loop === undefined || iteration === undefined) return
      const { index } = iteration
      // Parallel iterations can end in any order.
      const known = iterations.get(loop.id)
      if (known === undefined || known.index <= index) iterations.set(loop.id, { ...iteration, results })
    },
  }
}

/** Throws `results-missing` if the earlier run didn't reach the loops around the single block. */
export function requireResults({ isOnly, around }: PlannedPart, before: RunResults | undefined): void {
  if (!isOnly) return
  if (before === undefined) throw new CallsheetError(messages["results-missing"].noRun())
  const missing = around.find(({ id }) => !before.iterations.has(id))
  if (missing !== undefined) throw new CallsheetError(messages["results-missing"].loopNotRun(missing.id))
}

/** Returns the scope at the start of a run: empty or, for a single block, with the results of an earlier run. */
export function scopeOf(part: PlannedPart, run: RunScope, before: RunResults | undefined): Scope {
  const top = createRunScope(run)
  if (!part.isOnly || before === undefined) return top
  const own = new Set([...walkBlocks(part.blocks)].map(({ block }) => block.id))
  copyResults(before.results, top, own)
  let scope = top
  for (const loop of part.around) {
    const last = before.iterations.get(loop.id)
    if (last === undefined) throw new Error("required results were discarded")
    scope = enterIteration(scope, loop, { index: last.index, value: last.value })
    copyResults(last.results, scope, own)
  }
  return scope
}

/** Copies the results except those of the block itself, to restore the state before it ran. */
function copyResults(
  results: ReadonlyMap<string, BlockResult>,
  { results: into }: Scope,
  own: ReadonlySet<string>,
): void {
  for (const [id, result] of results) if (!own.has(result.rawId)) into.set(id, result)
}

/** Passes the results of a single block to the loops around it. Returns the outermost scope. */
export function leaveLoops(scope: Scope, recorder: IterationRecorder): Scope {
  let here = scope
  while (here.outer !== undefined) {
    recorder.record(here)
    leaveIteration(here)
    here = here.outer
  }
  return here
}

/** Estimates the size of the results in bytes. Stops at `limit`. */
export function sizeOfResults({ results, iterations }: RunResults, limit: number): number {
  let bytes = 0
  const seen = new Set<object>()
  const work: unknown[] = [
    ...results.values(),
    ...[...iterations.values()].flatMap((last) => [last.value, ...last.results.values()]),
  ]
  while (work.length > 0 && bytes <= limit) {
    const item = work.pop()
    if (typeof item === "string") bytes += 2 * item.length
    else if (typeof item === "object" && item !== null) {
      if (seen.has(item)) continue
      seen.add(item)
      bytes += 64
      for (const value of Object.values(item)) {
        bytes += 16
        work.push(value)
      }
    }
  }
  return bytes
}
