// Checks `callsheet.json` against the rest of the project.

import type { Problem, Project } from "@callsheet/format"
import { reportTo } from "../names/scripts.ts"
import { resolveSuite } from "../suites/resolve-suite.ts"

/** Reports the problems of the file itself, and of its suites. */
export function checkSettings(
  { settingsFile, workflowNames }: Pick<Project, "settingsFile" | "workflowNames">,
  add: (problem: Problem) => void,
): void {
  settingsFile?.problems.forEach(add)
  if (settingsFile?.settings === undefined) return
  const { settings } = settingsFile
  const report = reportTo(settingsFile, add)
  for (const name of Object.keys(settings.suites ?? {}))
    resolveSuite({ settings, name, workflowNames, report })
}
