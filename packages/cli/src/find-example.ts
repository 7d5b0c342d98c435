// Finds the example projects in the repository or in the installed package.

import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { isProjectRoot, nearestFolder } from "@callsheet/project"

/** Finds the nearest `examples/<name>` above this file: the copy in the package, or the original in the repository. */
export function findExample(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const above = nearestFolder(here, (folder) => isProjectRoot(join(folder, "examples", name)))
  if (above === undefined) throw new Error(`the example ${name} is missing from this installation`)
  return join(above, "examples", name)
}
