// Reads a whole project, and finds the files in it that callsheet doesn't read.

import type { Project } from "@callsheet/format"
import { findStrays } from "./find-strays.ts"
import { openProject, readProject } from "./read-project.ts"

/** Reads all workflows and APIs, used or not, as `callsheet validate` does by default. Throws like `readProject`. */
export function readWholeProject(root: string, previous?: Project): Project {
  const project = readProject(root, { workflows: "all", apis: "all", previous })
  return { ...project, problems: [...project.problems, ...findStrays(openProject(root))] }
}
