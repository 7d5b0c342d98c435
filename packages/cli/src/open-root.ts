// The project of a command: found, and with what a killed process has left half done put right.

import { resolve } from "node:path"
import { CallsheetError, suggest } from "@callsheet/format"
import {
  findProjectRoot,
  isProjectRoot,
  listApiNames,
  recoverProject,
  type ProjectFolder,
  type Recovery,
} from "@callsheet/project"
import type { CommandCall } from "./command.ts"
import { printProblems } from "./report-error.ts"
import type { Output } from "./screen.ts"
import { printable } from "./text/printable.ts"

/** The absolute path of the project's root. Throws `project-missing`, and what `recoverProject` throws. */
export async function openRoot({ cwd, options, screen }: CommandCall): Promise<string> {
  const root = findRoot(cwd, options.value("project"))
  tellRecovery(await recoverProject(root), screen.err)
  return root
}

export function tellRecovery(recovery: Recovery | undefined, output: Output): void {
  if (recovery === undefined) return
  output.write(`finished what an earlier command had left half done: ${printable(recovery.title)}\n`)
  printProblems(recovery.problems, output)
}

/** The absolute path of the project's root: `project`, or the nearest folder with `apis/` from `cwd` upwards. Throws `project-missing`. */
export function findRoot(cwd: string, project?: string): string {
  if (project === undefined) {
    const root = findProjectRoot(cwd)
    if (root !== undefined) return root
    throw new CallsheetError("project-missing", "there is no folder apis/ here or above", {
      hint: "change to a project's folder, or name it with --project <folder>",
    })
  }
  const root = resolve(cwd, project)
  if (isProjectRoot(root)) return root
  throw new CallsheetError("project-missing", `there is no folder apis/ in ${JSON.stringify(project)}`)
}

export function knownApi(project: ProjectFolder, api: string): string {
  const names = listApiNames(project)
  if (names.includes(api)) return api
  throw new CallsheetError("api-unknown", `there is no API ${JSON.stringify(api)}`, {
    hint:
      suggest(api, names) ??
      (names.length === 0 ? "the project has none" : `the project has ${names.join(", ")}`),
  })
}
