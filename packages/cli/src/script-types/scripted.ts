// Which workflows have scripts.

import type { Project } from "@callsheet/format"

const hasScripts = ({ scriptNames }: Project, workflow: string): boolean =>
  (scriptNames.get(workflow) ?? []).length > 0

/** Those of the workflows that have scripts; of all that were read unless told. */
export const scriptedWorkflows = (
  project: Project,
  workflows: Iterable<string> = project.workflows.keys(),
): readonly string[] => [...workflows].filter((workflow) => hasScripts(project, workflow))

/** When a command is done: types of scripts that were written once stay those of the files. */
export async function refreshTypes(
  project: Project,
  workflows: Iterable<string>,
  readAt: number,
): Promise<void> {
  const scripted = scriptedWorkflows(project, workflows)
  if (scripted.length === 0) return
  const { refreshScriptTypes } = await import("./freshness.ts")
  await refreshScriptTypes(project, scripted, readAt)
}
