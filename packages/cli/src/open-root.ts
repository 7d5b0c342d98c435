// Finds the project of a command. Completes a change that a killed process left unfinished.

import { statSync } from "node:fs"
import * as system from "node:path"
import { CallsheetError, givenPath } from "@callsheet/format"
import {
  requireApi,
  findProjectRoot,
  isProjectRoot,
  listApiNames,
  recoverProject,
  type ProjectFolder,
  type Recovery,
} from "@callsheet/project"
import type { CommandCall } from "./args/command.ts"
import { messages, notices } from "./messages.ts"
import { printProblems } from "./report-error.ts"
import type { Output } from "./screen.ts"
import { printable } from "./text/printable.ts"

/** Returns the absolute path of the project's root. Throws `project-missing` and the errors of `recoverProject`. */
export async function openRoot({ cwd, options, screen }: CommandCall): Promise<string> {
  const root = findRoot(cwd, options.value("project"))
  reportRecovery(await recoverProject(root), screen.err)
  return root
}

/**
 * Returns the directory that the app opens: the project or, without one, the working directory or `--project`, where
 * the app can create one.
 */
export async function openAppRoot(call: CommandCall): Promise<string> {
  const project = call.options.value("project")
  const root =
    project === undefined ? (findProjectRoot(call.cwd) ?? call.cwd) : givenPath(system, call.cwd, project)
  const isFolder = statSync(root, { throwIfNoEntry: false })?.isDirectory() === true
  return isFolder && !isProjectRoot(root) ? root : openRoot(call)
}

export function reportRecovery(recovery: Recovery | undefined, output: Output): void {
  if (recovery === undefined) return
  output.write(`${notices.recovered(printable(recovery.title))}\n`)
  printProblems(recovery.problems, output)
}

/**
 * Returns the absolute path of the project's root: `project` or, without it, the nearest directory with `apis/`, from
 * `cwd` upward. Throws `project-missing`.
 */
export function findRoot(cwd: string, project?: string): string {
  if (project === undefined) {
    const root = findProjectRoot(cwd)
    if (root !== undefined) return root
    throw new CallsheetError(messages["project-missing"].above())
  }
  const root = givenPath(system, cwd, project)
  if (isProjectRoot(root)) return root
  throw new CallsheetError(messages["project-missing"].inside(project))
}

export function knownApi(project: ProjectFolder, api: string): string {
  requireApi(api, listApiNames(project))
  return api
}
