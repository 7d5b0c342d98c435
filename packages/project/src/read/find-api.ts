// Reads an API of a directory that may have no project yet.

import type { Api } from "@callsheet/format"
import { isProjectRoot } from "./find-project-root.ts"
import { readApi, type DocumentMode } from "./read-api.ts"
import { openProject } from "./read-project.ts"

/** Returns the API. Undefined if the directory has no project. */
export const findApi = (root: string, name: string, documents: DocumentMode): Api | undefined =>
  isProjectRoot(root) ? readApi(openProject(root), name, { documents }) : undefined
