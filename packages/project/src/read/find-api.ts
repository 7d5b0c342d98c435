// Reads parts of a directory that may have no project yet.

import type { Api, EnvironmentFiles } from "@callsheet/format"
import { isProjectRoot } from "./find-project-root.ts"
import { listFolder } from "./project-folder.ts"
import { readAllEnvironments, readApi, readEnvironments, type DocumentMode } from "./read-api.ts"
import { openProject, readProject } from "./read-project.ts"

/** Returns the API. Undefined if the directory has no project. */
export const findApi = (root: string, name: string, documents: DocumentMode): Api | undefined =>
  isProjectRoot(root) ? readApi(openProject(root), name, { documents }) : undefined

/**
 * Returns the environments of all directories in `apis/`, even of those that a run ignores because of their names: they
 * have secrets, too. None if the directory has no project.
 */
export function findEnvironments(root: string): readonly EnvironmentFiles[] {
  if (!isProjectRoot(root)) return []
  const project = readProject(root, { workflows: [], apis: [] })
  const folder = openProject(root)
  const misnamed = listFolder(folder, "apis").entries.filter(
    ({ kind, name }) => kind === "folder" && !project.apiNames.includes(name),
  )
  return [...readAllEnvironments(project), ...misnamed.map(({ name }) => readEnvironments(folder, name))]
}
