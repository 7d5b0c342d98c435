// Which project a call is about.

import { resolve } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { findProjectRoot, isProjectRoot } from "@callsheet/project"

interface RootWish {
  /** Relative to `cwd`; the project itself, not a folder in it. */
  readonly project?: string | undefined
  readonly cwd: string
}

/** The absolute path of the project's root: `project`, or the nearest folder with `apis/` from `cwd` upwards. Throws `project-missing`. */
export function findRoot({ project, cwd }: RootWish): string {
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
