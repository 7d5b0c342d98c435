// Finds the helpers of a project: workflows that run only if something names them.

import {
  isPattern,
  matches,
  suggestOrList,
  withReplacement,
  type Finding,
  type ProjectSettings,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Report } from "../names/scripts.ts"

/** Returns the workflows that `helpers` in `callsheet.json` names. */
export function findHelpers(
  { helpers = [] }: Pick<ProjectSettings, "helpers">,
  workflowNames: readonly string[],
): ReadonlySet<string> {
  if (helpers.length === 0) return new Set()
  return new Set(workflowNames.filter((name) => helpers.some((pattern) => matches(name, pattern))))
}

/** Reports helpers that don't exist, and patterns that match nothing. */
export function checkHelpers(
  { helpers = [] }: Pick<ProjectSettings, "helpers">,
  workflowNames: readonly string[],
  report: Report,
): void {
  for (const [index, pattern] of helpers.entries())
    if (!workflowNames.some((name) => matches(name, pattern)))
      report(["helpers", index], "value", missing(pattern, workflowNames))
}

function missing(pattern: string, names: readonly string[]): Finding {
  const { noMatch, unknown } = messages["workflow-unknown"]
  const hint = suggestOrList(pattern, names, "the project")
  if (isPattern(pattern)) return noMatch(pattern, hint)
  return withReplacement(unknown(pattern, hint), { is: "value", from: pattern, known: names })
}
