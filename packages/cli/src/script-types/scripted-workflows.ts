// Finds the workflows with scripts.

import type { Project } from "@callsheet/format"

const hasScripts = ({ scriptNames }: Project, workflow: string): boolean =>
  (scriptNames.get(workflow) ?? []).length > 0

/** Returns the workflows with scripts, by default in the whole project. */
export const scriptedWorkflows = (
  project: Project,
  workflows: Iterable<string> = project.workflows.keys(),
): readonly string[] => [...workflows].filter((workflow) => hasScripts(project, workflow))

/** Updates existing script types at the end of a command. */
export async function refreshTypes(project: Project, workflows: Iterable<string>, readAt: number) {
  const scripted = scriptedWorkflows(project, workflows)
  if (scripted.length === 0) return
  const { refreshScriptTypes } = await import("./freshness.ts")
  await refreshScriptTypes(project, scripted, readAt)
}
