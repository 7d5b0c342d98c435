// Resolves the workflow argument of a command to a name.

import { realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { attempt, CallsheetError, type Problem } from "@callsheet/format"
import { messages } from "../messages.ts"
import { listWorkflows, openProject } from "./read-project.ts"

interface WorkflowArgument {
  readonly root: string
  readonly cwd: string
  /** A name (`checkout`) or the path of a workflow's file (`apis/workflow/checkout.json`). */
  readonly argument: string
}

/** Returns the workflow's name. Throws `workflow-unknown` with the closest name, or `workflow-name` for an invalid name. */
export function resolveWorkflowArgument({ root, cwd, argument }: WorkflowArgument): string {
  const project = openProject(root)
  const problems: Problem[] = []
  const names = [...listWorkflows(project, problems).keys()]
  if (names.includes(argument)) return argument
  throwIf(problems.find(({ file }) => file === "apis/workflow"))
  const path = resolve(cwd, argument)
  const file = basename(path)
  const name = file.replace(/\.json$/, "")
  const isWorkflowFile = file.endsWith(".json") && isSameFolder(dirname(path), join(root, "apis", "workflow"))
  if (isWorkflowFile && names.includes(name)) return name
  throwIf(problems.find(({ file }) => file === `apis/workflow/${isWorkflowFile ? name : argument}.json`))
  throw new CallsheetError(messages["workflow-unknown"].unknown(argument, names, name))
}

function throwIf(problem: Problem | undefined): void {
  if (problem !== undefined) throw new CallsheetError(problem, { problems: [problem] })
}

const isSameFolder = (a: string, b: string): boolean =>
  a === b || attempt(() => realpathSync(a) === realpathSync(b)) === true
