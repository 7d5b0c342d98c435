// Reads the text of a script of a project.

import { attempt } from "@callsheet/format"
import { readProjectFile } from "@callsheet/project"

const MAX_SCRIPT_BYTES = 1024 * 1024

/** Reads a script. An unreadable or too large one counts as empty, because `validate` reports it. */
export const readScript = (root: string, file: string): string =>
  new TextDecoder().decode(attempt(() => readProjectFile(root, file, MAX_SCRIPT_BYTES)))
