// Reads the requested workflows, and the part of the project that they need.

import { CallsheetError } from "@callsheet/format"
import { readProject, resolveWorkflowArgument } from "@callsheet/project"
import { messages } from "./messages.ts"

interface WorkflowSelection {
  readonly root: string
  readonly cwd: string
  readonly wanted: readonly string[] | "all"
  /** Other APIs that the call names. They are read so that its options can be checked. */
  readonly named: readonly string[]
}

export function readWorkflows({ root, cwd, wanted, named }: WorkflowSelection) {
  if (wanted === "all") {
    const project = readProject(root, { workflows: "all", apis: "touched", named })
    const workflows = [...project.workflows.keys()]
    if (workflows.length > 0) return { project, workflows }
    const { problems } = project
    throw new CallsheetError(problems[0] ?? messages["workflow-unknown"].none(), { problems })
  }
  const names = wanted.map((argument) => resolveWorkflowArgument({ root, cwd, argument }))
  const workflows = [...new Set(names)]
  return { project: readProject(root, { workflows, apis: "touched", named }), workflows }
}
