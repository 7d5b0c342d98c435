// Reads the requested workflows, and the parts of the project that they need.

import type { SessionOptions } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { listWorkflows, openProject, readProject, resolveWorkflowArgument } from "@callsheet/project"
import { messages } from "./messages.ts"

interface WorkflowSelection {
  readonly root: string
  readonly cwd: string
  readonly wanted: readonly string[] | "all"
  /** Selects the workflows whose names contain this text, in any case. */
  readonly grep?: string | undefined
  /** Other APIs that options name. They are read to check these options. */
  readonly named: readonly string[]
}

interface RunSelection extends WorkflowSelection {
  readonly suite?: string | undefined
  readonly data?: SessionOptions["data"]
}

/** Reads the files of a run. `schedule` is set for a suite. */
export async function readRun({ suite, data, ...selection }: RunSelection) {
  const read =
    suite === undefined
      ? { ...readWorkflows(selection), schedule: undefined }
      : (await import("./read-settings.ts")).readSuite(suite, selection)
  const { length } = read.workflows
  if (data !== undefined && length !== 1) throw new CallsheetError(messages.usage.dataWorkflows(length))
  return read
}

export function readWorkflows({ root, cwd, wanted, grep, named }: WorkflowSelection) {
  if (grep !== undefined) {
    const known = [...listWorkflows(openProject(root)).keys()]
    const workflows = known.filter((name) => name.toLowerCase().includes(grep.toLowerCase()))
    if (workflows.length === 0) throw new CallsheetError(messages["workflow-unknown"].noMatch(grep))
    return { project: readProject(root, { workflows, apis: "touched", named }), workflows }
  }
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
