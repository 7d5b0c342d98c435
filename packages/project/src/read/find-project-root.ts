// Finds the project's directory.

import { existsSync, statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { attempt } from "@callsheet/format"

/** Returns the nearest directory, from `from` upward, that `isWanted` accepts, or undefined. */
export function nearestFolder(from: string, isWanted: (folder: string) => boolean): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (isWanted(folder)) return folder
    if (dirname(folder) === folder) return undefined
  }
}

export const findProjectRoot = (from: string): string | undefined => nearestFolder(from, isProjectRoot)

/** Returns false for a directory that can't be read. */
export const isProjectRoot = (folder: string): boolean =>
  attempt(() => statSync(join(folder, "apis"), { throwIfNoEntry: false })?.isDirectory()) ?? false

/** Returns the root of the git repository around a directory. In a worktree or a submodule, `.git` is a file. */
export const findRepository = (from: string): string | undefined =>
  nearestFolder(from, (folder) => existsSync(join(folder, ".git")))
