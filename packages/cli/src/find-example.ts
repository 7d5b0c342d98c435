// Finds the example projects in the repository or in the installation.

import * as system from "node:path"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { ownFiles } from "@callsheet/engine"
import { wayBetween } from "@callsheet/format"
import { nearestFolder } from "@callsheet/project"

/** Returns the files of an example by their paths with `/`, without those of its server. */
export function readExample(name: string): ReadonlyMap<string, Buffer> {
  const folder = findExample(name)
  return new Map(
    ownFiles
      .list(folder)
      .map((file) => [wayBetween(system, folder, file), file] as const)
      .filter(([path]) => !path.startsWith("server/"))
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, file]) => [path, ownFiles.read(file)]),
  )
}

/** Returns the text of a file of an example. On Windows, a checkout may have other line ends than the repository. */
export const readExampleText = (name: string, path: string): string =>
  textOf(ownFiles.read(join(findExample(name), path)))

/** Reads the texts of the example below `apis/` that new projects start with. */
export const readTemplate = (): ReadonlyMap<string, string> =>
  new Map(
    [...readExample("hello")].map(([path, bytes]) => [path.replace(/^apis\//, ""), textOf(bytes)] as const),
  )

export const textOf = (bytes: Buffer): string => bytes.toString().replaceAll("\r\n", "\n")

/** Finds the nearest `examples/<name>` above this file: the copy in the package, or the original in the repository. */
function findExample(name: string): string {
  const here = dirname(fileURLToPath(import.meta.url))
  const above = nearestFolder(here, (folder) => ownFiles.list(join(folder, "examples", name)).length > 0)
  if (above === undefined) throw new Error(`the example ${name} is missing from this installation`)
  return join(above, "examples", name)
}
