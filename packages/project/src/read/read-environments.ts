// The environment files of one API.

import {
  checkEnvironmentFiles,
  type EnvironmentFiles,
  type Problem,
  type SourceFile,
} from "@callsheet/format"
import { listFolder, readText, type ProjectFolder } from "./project-folder.ts"

/** Reads and checks everything in `apis/<api>/environments/`. `api` must be a name of `apiNames`. */
export function readEnvironments(project: ProjectFolder, api: string): EnvironmentFiles {
  const { entries, problem } = listFolder(project, `apis/${api}/environments`)
  const files: SourceFile[] = []
  const unreadable: Problem[] = problem === undefined ? [] : [problem]
  for (const entry of entries) {
    if (!entry.name.endsWith(".json") && !entry.name.endsWith(".secrets.env")) continue
    const read = readText(entry)
    if (read.ok) files.push(read.value)
    else unreadable.push(read.problem)
  }
  return checkEnvironmentFiles({ api, files, unreadable })
}
