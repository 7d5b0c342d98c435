// What a user calls a workflow on the command line -> its name.

import { realpathSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { CallsheetError, suggest, type Problem } from "@callsheet/format"
import { listWorkflows, openProject } from "./read-project.ts"

interface WorkflowArgument {
  readonly root: string
  readonly cwd: string
  /** A name (`checkout`) or the path of a workflow's file (`apis/workflow/checkout.json`). */
  readonly argument: string
}

/** The workflow's name; throws `workflow-unknown` with the closest name as its hint, or `workflow-name` where its file is called so. */
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
  throw new CallsheetError("workflow-unknown", `there is no workflow ${JSON.stringify(argument)}`, {
    hint: hintFor(name, names),
  })
}

function throwIf(problem: Problem | undefined): void {
  if (problem !== undefined) throw new CallsheetError(problem.code, problem.message, { problems: [problem] })
}

function isSameFolder(a: string, b: string): boolean {
  try {
    return a === b || realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}

function hintFor(name: string, names: readonly string[]): string {
  if (names.length === 0) return "the project has no workflows: they are the files apis/workflow/<name>.json"
  return (
    suggest(name, names) ??
    `the project has ${names.slice(0, 20).join(", ")}${names.length > 20 ? ", …" : ""}`
  )
}
