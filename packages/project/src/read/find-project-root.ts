// Which folder is the project.

import { statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

/** The nearest folder, from `from` upwards, that holds a folder `apis`; undefined where there is none. */
export function findProjectRoot(from: string): string | undefined {
  let folder = resolve(from)
  while (!isProjectRoot(folder)) {
    const parent = dirname(folder)
    if (parent === folder) return undefined
    folder = parent
  }
  return folder
}

export const isProjectRoot = (folder: string): boolean =>
  statSync(join(folder, "apis"), { throwIfNoEntry: false })?.isDirectory() ?? false
