// Finds files of installed packages: those of the project, and the SDK that callsheet depends on.

import { existsSync, readFileSync, realpathSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
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

/** Returns the SDK's declaration files, each as its name and text. */
export function readSdkDeclarations(): readonly (readonly [string, string])[] {
  const manifest = createRequire(import.meta.url).resolve("@callsheet/sdk/package.json")
  return ["index.d.ts", "paths.d.ts"].map((name) => [
    name,
    readFileSync(join(dirname(manifest), "src", name), "utf8").replaceAll("\r\n", "\n"),
  ])
}
