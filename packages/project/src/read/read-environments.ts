// The environment files of one API.

import {
  checkEnvironmentFiles,
  type EnvironmentFiles,
  type Problem,
  type SourceFile,
} from "@callsheet/format"
import { listFolder, readText, type ProjectFolder } from "./project-folder.ts"

/**
 * Reads and checks everything in `apis/<api>/environments/`. `api` must be a name of `apiNames`. A text that is given stands
 * for what its file holds.
 */
export function readEnvironments(project: ProjectFolder, api: string, text?: SourceFile): EnvironmentFiles {
  const { entries, problem } = listFolder(project, `apis/${api}/environments`)
  const files: SourceFile[] = text === undefined ? [] : [text]
  const unreadable: Problem[] = problem === undefined ? [] : [problem]
  for (const entry of entries) {
    if (entry.file === text?.file) continue
    if (!entry.name.endsWith(".json") && !entry.name.endsWith(".secrets.env")) continue
    const read = readText(entry)
    if (read.ok) files.push(read.value)
    else unreadable.push(read.problem)
  }
  return checkEnvironmentFiles({ api, files, unreadable })
}
