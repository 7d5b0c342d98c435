// Reduces the violations of a response to those that differ in more than the index of an array, for the baseline.

import { generalizePath, type ContractProblem, type JsonObject } from "@callsheet/format"
import type { PlaceFinder } from "../document/place-finder.ts"
import { moreProblems, placeProblem } from "../schema/validate/contract-problems.ts"
import type { CheckedResponse } from "./check-response.ts"

/** The violations of a response, each once: those that differ only in the index of an array are one. */
export interface DistinctViolations {
  readonly violations: readonly DistinctViolation[]
  /** The number of all violations. */
  readonly count: number
  /** True if there are more distinct violations. */
  readonly isCut: boolean
  /** Returns what stands for this many violations that a list leaves out. */
  readonly rest: (count: number) => ContractProblem
}

interface DistinctViolation {
  /** The pointer into the response, with `*` for indexes. */
  readonly path: string
  /** The first of the violations that are alike. */
  readonly problem: ContractProblem
}

/** The maximum number of violations of a response that a baseline keeps. A server may send any number of unknown names. */
const MAX_DISTINCT = 1000

export async function distinctViolations(
  problems: readonly ContractProblem[],
  { headers, body = null }: Pick<CheckedResponse, "headers" | "body">,
  placeOf: PlaceFinder,
): Promise<DistinctViolations> {
  const response = { headers, body } as JsonObject
  const first = new Map<string, DistinctViolation>()
  let isCut = false
  for (const problem of problems) {
    const path = generalizePath(problem.path, response)
    const key = `${path} ${problem.schema ?? ""}`
    if (first.has(key)) continue
    isCut ||= first.size === MAX_DISTINCT
    if (first.size < MAX_DISTINCT) first.set(key, { path, problem })
  }
  const violations = []
  for (const { path, problem } of first.values())
    violations.push({ path, problem: await placeProblem(problem, placeOf) })
  return { violations, count: problems.length, isCut, rest: moreProblems }
}
