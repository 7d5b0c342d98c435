// Whether a block has run, and so has a result, when another one reads it.

import type { JsonPointer, LoopBlock, LoopChain, Visit } from "@callsheet/format"

/**
 * `earlier`: it has run. `perhaps`: it may have been skipped, or only an earlier iteration has run it. `later` and
 * `other-branch`: it has never run.
 */
export type Reach = "earlier" | "perhaps" | "later" | "other-branch"

export interface Reader {
  readonly visit: Visit
  /** Whether it reads when the blocks nested in it have run: the check of a polling loop. */
  readonly isAfterNested?: boolean
}

/** What a reader may count on of a block that leaves a result. */
export function reachOf(writer: Visit, { visit: reader, isAfterNested = false }: Reader): Reach {
  const [from, to] = [writer.pointer(), reader.pointer()]
  let at = 0
  while (at < from.length && at < to.length && from[at] === to[at]) at++
  if (at === to.length) {
    if (isAfterNested && at < from.length) return behindBranch(from, at)
    return inAnEarlierIteration(writer, reader) ? "earlier" : "later"
  }
  const [own, other] = [from[at], to[at]]
  if (typeof own !== "number" || typeof other !== "number")
    return inAnEarlierIteration(writer, reader) ? "perhaps" : "other-branch"
  if (own < other) return behindBranch(from, at + 1)
  return inAnEarlierIteration(writer, reader) ? "earlier" : "later"
}

/** What is nested in a branch that the reader is not in may have been skipped. */
const behindBranch = (pointer: JsonPointer, from: number): Reach =>
  pointer.slice(from).some((step) => step === "then" || step === "else") ? "perhaps" : "earlier"

/** Inside a loop every block of its body counts as earlier, but for iterations that run side by side. */
function inAnEarlierIteration(writer: Visit, reader: Visit): boolean {
  const around = loopsAround(writer)
  for (let chain: LoopChain | undefined = reader.loops; chain !== undefined; chain = chain.outer) {
    if (around.has(chain.loop)) return chain.loop.execution !== "parallel"
  }
  return false
}

function loopsAround({ loops }: Visit): ReadonlySet<LoopBlock> {
  const around = new Set<LoopBlock>()
  for (let chain = loops; chain !== undefined; chain = chain.outer) around.add(chain.loop)
  return around
}
