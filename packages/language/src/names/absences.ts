// Finds the paths that a workflow expects not to resolve.

import { assertionsOf, type Blocks, type OperatorName, walkBlocks } from "@callsheet/format"

/** Returns the sources of the workflow's assertions with one of these operators. */
export function collectAbsences(
  blocks: Blocks,
  isAllowed: (operator: OperatorName) => boolean,
): ReadonlySet<string> {
  const absences = new Set<string>()
  for (const { block } of walkBlocks(blocks)) {
    for (const { assertion } of assertionsOf(block))
      if (isAllowed(assertion.operator)) absences.add(assertion.source)
  }
  return absences
}
