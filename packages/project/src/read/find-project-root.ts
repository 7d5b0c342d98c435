// Finds the project's directory.

import { existsSync, statSync } from "node:fs"
import * as system from "node:path"
import { join, resolve } from "node:path"
import {
  attempt,
  findRepository as findRepositoryAt,
  nearestFolder as nearestFolderAt,
} from "@callsheet/format"

/** Returns the nearest directory, from `from` upward, that `isWanted` accepts, or undefined. */
export const nearestFolder = (from: string, isWanted: (folder: string) => boolean): string | undefined =>
  nearestFolderAt(system, resolve(from), isWanted)

export const findProjectRoot = (from: string): string | undefined => nearestFolder(from, isProjectRoot)

/** Returns false for a directory that can't be read. */
export const isProjectRoot = (folder: string): boolean =>
  attempt(() => statSync(join(folder, "apis"), { throwIfNoEntry: false })?.isDirectory()) ?? false

/** Returns the root of the git repository around a directory. */
export const findRepository = (from: string): string | undefined =>
  findRepositoryAt(system, resolve(from), existsSync)
