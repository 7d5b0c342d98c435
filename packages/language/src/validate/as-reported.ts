// Problems as `validate` tells them: each once, and in an order that does not depend on how they were found.

import type { Problem, ProblemCode } from "@callsheet/format"

/** By file and by place in the file. */
export const asReported = (problems: Iterable<Problem>): Problem[] =>
  distinct([...problems].map(raise)).sort(byPlace)

/** What a run only warns of. */
const raised: ReadonlySet<ProblemCode> = new Set(["secret-committed"])

const raise = (problem: Problem): Problem =>
  raised.has(problem.code) ? { ...problem, severity: "error" } : problem

/** What several blocks find wrong with one saved request in the same words is said once. */
const distinct = (problems: readonly Problem[]): Problem[] => [
  ...new Map(
    problems.map((problem) => [
      [problem.file, problem.line, problem.column, problem.code, problem.message].join("\n"),
      problem,
    ]),
  ).values(),
]

const byPlace = (a: Problem, b: Problem): number =>
  compare(a.file ?? "", b.file ?? "") ||
  (a.line ?? 0) - (b.line ?? 0) ||
  (a.column ?? 0) - (b.column ?? 0) ||
  compare(a.message, b.message)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
