// Says what a change on disk concerns, by its path.

import { basename, dirname } from "node:path"
import { isInFolder } from "@callsheet/project"
import { pathWithin } from "./uris.ts"

/** Files that only programs read: packages, and the data of git and of callsheet. */
const PASSED_OVER = /(?:^|\/)(?:node_modules|\.git|\.callsheet)(?:\/|$)/

/** Files by which git decides what it tracks and ignores. */
const DECIDES_GIT = /(?:^|\/)(?:\.git\/index|\.gitignore)$/

/** Returns whether a change of the file may change the problems of the project. */
export function concernsProject(root: string, path: string, others: ReadonlySet<string>): boolean {
  if (others.has(path)) return true
  if (DECIDES_GIT.test(path.replaceAll("\\", "/"))) {
    const folder = dirname(path)
    const decided = basename(folder) === ".git" ? dirname(folder) : folder
    return isInFolder(decided, root) || isInFolder(root, decided)
  }
  return isInFolder(root, path) && !PASSED_OVER.test(pathWithin(root, path))
}

/** Returns whether a new or deleted entry may be a project. */
export const maybeProject = (path: string): boolean => !PASSED_OVER.test(path.replaceAll("\\", "/"))
