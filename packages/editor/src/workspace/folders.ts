// The folders of a workspace, with the projects below them.

import { join } from "node:path"
import { isInFolder } from "@callsheet/project"
import { findProjects } from "./find-projects.ts"
import { pathOf, pathWithin, realPathOf } from "./uris.ts"

interface Folder {
  /** As the client calls it. */
  readonly path: string
  readonly realPath: string
}

export type Folders = ReturnType<typeof createFolders>

export function createFolders(search: Parameters<typeof findProjects>[1]) {
  const folders = new Map<string, Folder>()
  const found = new Map<string, Promise<readonly string[]>>()
  const projects = async (): Promise<readonly string[]> => {
    const all = [...folders].map(([uri, { realPath }]) => {
      const roots = found.get(uri) ?? findProjects(realPath, search)
      found.set(uri, roots)
      return roots
    })
    return [...new Set((await Promise.all(all)).flat())]
  }
  const innermost = (path: string): Folder | undefined =>
    [...folders.values()]
      .filter(({ realPath }) => isInFolder(realPath, path))
      .sort((one, other) => other.realPath.length - one.realPath.length)[0]
  return {
    add: (uri: string): void => {
      const path = pathOf(uri)
      if (path === undefined) return
      folders.set(uri, { path, realPath: realPathOf(path) })
      found.delete(uri)
    },
    remove: (uri: string): void => {
      folders.delete(uri)
      found.delete(uri)
    },
    /** Searches again at the next use. */
    forget: (): void => found.clear(),
    has: (path: string): boolean => innermost(path) !== undefined,
    /** Returns the path by which the client knows a file, for example below a link. */
    shown: (path: string): string => {
      const folder = innermost(path)
      return folder === undefined ? path : join(folder.path, pathWithin(folder.realPath, path))
    },
    projects,
  }
}
