// Problems as a report lists them: the first ones, each with its place in the document's files, and how many more there are.

import type { ContractProblem } from "@callsheet/format"
import type { PlaceFinder } from "../../document/place-finder.ts"

/** Problems beyond this are only counted. */
export const MAX_PROBLEMS = 20

export async function listProblems(
  problems: readonly ContractProblem[],
  placeOf: PlaceFinder,
): Promise<readonly ContractProblem[]> {
  const shown: ContractProblem[] = []
  for (const { path, message, schema } of problems.slice(0, MAX_PROBLEMS)) {
    const place = schema === undefined ? undefined : await placeOf(schema)
    shown.push({ path, message, ...place })
  }
  const more = problems.length - MAX_PROBLEMS
  if (more > 0) shown.push({ path: "", message: `and ${more} more ${more === 1 ? "problem" : "problems"}` })
  return shown
}
