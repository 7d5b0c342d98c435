// Finds files of the packages that a project installed.

import { existsSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { attempt } from "@callsheet/format"

/** Resolves a file of a package from the project's directory, as Node does. Returns its path with links resolved. */
export const resolveFromProject = (root: string, file: string): string | undefined =>
  attempt(() => {
    const { resolve } = createRequire(join(root, "package.json"))
    // `resolve` would remember the file, although another version may be installed while the app runs.
    const paths = (resolve.paths(file) ?? []).map((folder) => join(folder, file))
    const found = paths.find((path) => existsSync(path))
    // Package managers without `node_modules` replace `resolve`.
    return found === undefined ? resolve(file) : realpathSync(found)
  })
