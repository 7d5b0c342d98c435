// What to run of an import to see how its requests are answered, for the command and the app.

import type { ImportChangeSet } from "./make-import.ts"

export interface FirstRun {
  /** The workflows that run by themselves, in source order. */
  readonly workflows: readonly string[]
  /** The suites of the split workflows. Their entries pass the values, so the parts don't run without them. */
  readonly suites: readonly string[]
  /** True if a document describes responses, which the workflows don't check by themselves. */
  readonly validatesContracts: boolean
}

export function firstRunOf({
  workflows,
  suites,
  operations,
}: Pick<ImportChangeSet, "workflows" | "suites" | "operations">): FirstRun {
  const parts = new Set([...suites.values()].flat())
  return {
    workflows: workflows.filter((name) => !parts.has(name)),
    suites: [...suites.keys()],
    validatesContracts: operations > 0,
  }
}
