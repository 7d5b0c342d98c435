// Finds the example projects in the repository or in the installed package.

import { readdirSync, readFileSync } from "node:fs"
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

/** Reads the files of the example below `apis/` that new projects start with. */
export function readTemplate(): ReadonlyMap<string, string> {
  const folder = join(findExample("hello"), "apis")
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.[a-z]+$/.test(path))
    .sort()
  // On Windows, a checkout may have other line ends than the repository.
  return new Map(
    paths.map((path) => [path, readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n")]),
  )
}
