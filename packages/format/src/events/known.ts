// What a block and a session say about the baseline, for reporters, counts and the page.

import { messages } from "../messages.ts"
import { toProblem, type Problem } from "../problems.ts"
import type { BlockReport, ContractProblem, StaleViolation } from "./types.ts"

/** Returns the violations of a response that the baseline lists. */
export const knownProblems = ({ contract }: Pick<BlockReport, "contract">): readonly ContractProblem[] =>
  contract === undefined || contract.problems.length === 0
    ? nothing
    : contract.problems.filter(({ known }) => known === true)

/** Returns the violations of a response that the baseline doesn't list, or no longer. */
export const newProblems = ({ contract }: Pick<BlockReport, "contract">): readonly ContractProblem[] =>
  contract === undefined || contract.problems.length === 0
    ? nothing
    : contract.problems.filter(({ known }) => known !== true)

const nothing: readonly ContractProblem[] = []

const MAX_STALE = 20

/** Returns a warning for each entry, up to a limit, because a fixed API can make thousands stale at once. */
export function staleProblems(stale: readonly StaleViolation[]): readonly Problem[] {
  const texts = messages["baseline-stale"]
  const findings = stale
    .slice(0, MAX_STALE)
    .map(({ operation, status, path }) => texts.gone(operation, status, path))
  const more = stale.length - MAX_STALE
  if (more > 0) findings.push(texts.more(more))
  return findings.map((finding) => toProblem(finding, "callsheet.baseline.json"))
}
