// Reads parts of a directory that may have no project yet.

import type { Api, EnvironmentFiles } from "@callsheet/format"
import { isProjectRoot } from "./find-project-root.ts"
import { readAllEnvironments, readApi, type DocumentMode } from "./read-api.ts"
import { openProject, readProject } from "./read-project.ts"

/** Returns the API. Undefined if the directory has no project. */
export const findApi = (root: string, name: string, documents: DocumentMode): Api | undefined =>
  isProjectRoot(root) ? readApi(openProject(root), name, { documents }) : undefined

/** Returns the environments of all APIs. None if the directory has no project. */
export const findEnvironments = (root: string): readonly EnvironmentFiles[] =>
  isProjectRoot(root) ? readAllEnvironments(readProject(root, { workflows: [], apis: [] })) : []
