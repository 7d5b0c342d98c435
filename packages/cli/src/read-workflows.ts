// The workflows that a run was asked for, and as much of their project as they need.

import { CallsheetError } from "@callsheet/format"
import { readProject, resolveWorkflowArgument } from "@callsheet/project"

interface WorkflowsWish {
  readonly root: string
  readonly cwd: string
  readonly wanted: readonly string[] | "all"
  /** APIs that the call names beside: they are read too, so that what is said of them can be checked. */
  readonly named: readonly string[]
}

export function readWorkflows({ root, cwd, wanted, named }: WorkflowsWish) {
  if (wanted === "all") {
    const project = readProject(root, { workflows: "all", apis: "touched", named })
    const workflows = [...project.workflows.keys()]
    if (workflows.length > 0) return { project, workflows }
    const [problem] = project.problems
    if (problem !== undefined) {
      throw new CallsheetError(problem.code, problem.message, { problems: project.problems })
    }
    throw new CallsheetError("workflow-unknown", "the project has no workflows", {
      hint: "they are the files apis/workflow/<name>.json",
    })
  }
  const names = wanted.map((argument) => resolveWorkflowArgument({ root, cwd, argument }))
  const workflows = [...new Set(names)]
  return { project: readProject(root, { workflows, apis: "touched", named }), workflows }
}
