// All that a project holds, and what stands in it unread.

import type { Project } from "@callsheet/format"
import { findStrays } from "./find-strays.ts"
import { openProject, readProject } from "./read-project.ts"

/** What `callsheet validate` checks where no workflow is named: every workflow and API, used or not. Throws as `readProject`. */
export function readWholeProject(root: string, previous?: Project): Project {
  const project = readProject(root, { workflows: "all", apis: "all", previous })
  return { ...project, problems: [...project.problems, ...findStrays(openProject(root))] }
}
