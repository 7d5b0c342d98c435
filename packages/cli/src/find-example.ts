// Where the example projects are: in the repository and in the installed package alike.

import { stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** The nearest `examples/<name>` above this file: the build's copy in a package, the original in the repository. */
export async function findExample(name: string): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let levels = 0; levels < 6; levels++) {
    const candidate = join(folder, "examples", name)
    if (await isFolder(join(candidate, "apis"))) return candidate
    folder = dirname(folder)
  }
  throw new Error(`the example ${name} is missing from this installation`)
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
