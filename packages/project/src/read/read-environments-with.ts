// The environment files of an API as they were if one of them held another text.

import type { EnvironmentFiles, SourceFile } from "@callsheet/format"
import { readEnvironments } from "./read-environments.ts"
import { openProject } from "./read-project.ts"

/** `text.file` is a file in the API's folder of environments, whether it is there or not. */
export const readEnvironmentsWith = (root: string, api: string, text: SourceFile): EnvironmentFiles =>
  readEnvironments(openProject(root), api, text)
