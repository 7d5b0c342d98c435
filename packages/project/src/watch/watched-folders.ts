// Which folders have to be watched so that no change below `apis/` is missed, and which of their names matter.

import { realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { isInside, listFolder, type Entry, type ProjectFolder } from "../read/project-folder.ts"

/** By absolute path without links: the names in the folder that matter, or all that are not passed over. */
export type WatchedFolders = ReadonlyMap<string, ReadonlySet<string> | "all">

/**
 * Walks the folders below `apis/`. `enter` is called with each before it is listed: what changes later is told by then.
 * Links are followed inside the project alone, and what they lead to is watched where it stands.
 */
export function findWatchedFolders(project: ProjectFolder, enter: (folder: string) => void): WatchedFolders {
  const folders = new Map<string, Set<string> | "all">()
  const wantAll = (folder: string): void => {
    if (!folders.has(folder)) enter(folder)
    folders.set(folder, "all")
  }
  const wantName = (path: string): void => {
    const folder = dirname(path)
    const names = folders.get(folder)
    if (names === undefined) enter(folder)
    if (names !== "all") folders.set(folder, (names ?? new Set()).add(basename(path)))
  }
  const apis = join(project.realRoot, "apis")
  wantName(apis)
  const top = realPathOf(apis)
  const isOurs = top !== undefined && isInside(project, top)
  const work: Pick<Entry, "file" | "realPath">[] = isOurs ? [{ file: "apis", realPath: top }] : []
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (folders.get(next.realPath) === "all") continue
    wantAll(next.realPath)
    const { entries, realPath: folder } = listFolder(project, next.file)
    for (const entry of entries) {
      const { name, kind, realPath } = entry
      if (isPassedOver(name) || (kind !== "folder" && kind !== "file")) continue
      // A link: what it leads to may be replaced beside itself.
      if (folder !== undefined && dirname(realPath) !== folder) wantName(realPath)
      if (kind === "folder") work.push(entry)
    }
  }
  return folders
}

/** Hidden files, ours and those of editors, and packages; the types of scripts stand among these. */
export const isPassedOver = (name: string): boolean => name.startsWith(".") || name === "node_modules"

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
