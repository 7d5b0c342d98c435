// Resolves the workflow argument of a command to a name.

import { realpathSync, statSync } from "node:fs"
import * as system from "node:path"
import { basename, dirname, join, resolve } from "node:path"
import { attempt, CallsheetError, wayBetween, type Problem } from "@callsheet/format"
import { messages } from "../messages.ts"
import { findStrays } from "./find-strays.ts"
import type { ProjectFolder } from "./project-folder.ts"
import { listWorkflows, openProject, readProject } from "./read-project.ts"

interface WorkflowArgument {
  readonly root: string
  readonly cwd: string
  /** A name (`checkout`) or the path of a workflow's file (`apis/workflow/checkout.json`). */
  readonly argument: string
}

/**
 * Returns the workflow's name. Throws `workflow-name` for an invalid name, and `workflow-unknown` with the closest name
 * or the reason why a file isn't a workflow.
 */
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
  const says = messages["workflow-unknown"]
  const stray = findStray(project, wayBetween(system, root, path), name)
  if (stray !== undefined) throw new CallsheetError(says.otherFile(stray.file ?? argument, stray))
  if (isSuite(root, argument)) throw new CallsheetError(says.isSuite(argument))
  throw new CallsheetError(
    attempt(() => statSync(path).isFile()) === true
      ? says.otherFile(argument, undefined)
      : says.unknown(argument, names, name),
  )
}

/** Returns the warning about a file, its directory, or a misplaced workflow of this name. */
const findStray = (project: ProjectFolder, path: string, name: string): Problem | undefined =>
  findStrays(project).find(
    ({ file = "", hint }) =>
      `${path}/`.startsWith(`${file}/`) || hint?.endsWith(` apis/workflow/${name}.json`) === true,
  )

const isSuite = (root: string, name: string): boolean =>
  Object.hasOwn(readProject(root, { workflows: [], apis: [] }).settingsFile?.settings?.suites ?? {}, name)

function throwIf(problem: Problem | undefined): void {
  if (problem !== undefined) throw new CallsheetError(problem, { problems: [problem] })
}

const isSameFolder = (a: string, b: string): boolean =>
  a === b || attempt(() => realpathSync.native(a) === realpathSync.native(b)) === true
