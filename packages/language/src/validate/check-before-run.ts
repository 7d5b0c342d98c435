// Finds the errors of a workflow that don't keep it from running, such as a comparison that always fails. A run warns
// about them before its first request.

import type { Problem } from "@callsheet/format"
import { checkWorkflowFile } from "./check-workflow-file.ts"

type WorkflowCheck = Parameters<typeof checkWorkflowFile>[0]

/** The maximum number of errors. More would repeat the same mistake. */
const MAX_ERRORS = 100

/** Returns the errors that `validate` reports about a workflow whose names and targets exist. */
export function errorsBeforeRun(check: Omit<WorkflowCheck, "reported" | "add">): readonly Problem[] {
  const errors: Problem[] = []
  checkWorkflowFile({
    ...check,
    reported: new Set(),
    add: (problem) => {
      // A name in the braces of another tool is sent as it is written.
      const counts = problem.severity === "error" || problem.code === "token-malformed"
      if (counts && errors.length < MAX_ERRORS) errors.push(problem)
    },
  })
  return errors
}

/** Makes secrets in a repository an error. For a run that isn't strict, they are only a warning. */
export const asError = (problem: Problem): Problem =>
  problem.code === "secret-committed" || problem.code === "secrets-tracked"
    ? { ...problem, severity: "error" }
    : problem
