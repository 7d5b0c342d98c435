// The watches on a project's folders, kept in step with the folders that are there.

import { basename, dirname, join } from "node:path"
import { openProjectFolder } from "../read/project-folder.ts"
import { findWatchedFolders, isPassedOver, type WatchedFolders } from "./watched-folders.ts"
import { createWatchers, type OpenWatch, type WatchListener } from "./watchers.ts"

interface FolderWatchOptions {
  /** Absolute path of the project. */
  readonly root: string
  readonly open: OpenWatch
  /** Whether one watch sees a folder with all that is in it. */
  readonly seesTrees: boolean
  readonly onChange: () => void
}

interface FolderWatch {
  /** Watches the folders that are there now. `limited`: the system gives no more watches. `gone`: there is no project. */
  readonly sync: () => "watched" | "limited" | "gone"
  readonly close: () => void
}

/** Makes the watches, none of which is open before the first `sync`. */
export function createFolderWatch({ root, open, seesTrees, onChange }: FolderWatchOptions): FolderWatch {
  let folders: WatchedFolders = new Map()
  let isStale = true
  const onEvent = (folder: string, ...[type, name]: Parameters<WatchListener>): void => {
    // A folder tells of its own end by its own name.
    const isOwn = name === null || (name === basename(folder) && watchers.has(folder))
    if (!isOwn && !matters(folders.get(folder), name)) return
    if (type === "rename" || name === null) {
      isStale = true
      // A folder that is replaced by another of its name takes its watch along.
      if (name !== null) watchers.forget(join(folder, name))
      if (isOwn) watchers.forget(folder)
    }
    onChange()
  }
  const onTreeEvent = (tree: string, ...[type, path]: Parameters<WatchListener>): void => {
    const full = path === null ? tree : join(tree, path)
    if (full === tree) onEvent(tree, type, null)
    else onEvent(dirname(full), type, basename(full))
  }
  const watchers = createWatchers({ open, recursive: seesTrees, onEvent: seesTrees ? onTreeEvent : onEvent })
  const watchAll = (): boolean => {
    const project = openProjectFolder(root)
    if (seesTrees) watchers.open(project.realRoot)
    folders = findWatchedFolders(project, (folder) => {
      if (!seesTrees) openIfThere(() => watchers.open(folder))
    })
    watchers.keep((folder) => folders.has(folder))
    return watchers.has(project.realRoot)
  }
  return {
    sync: () => {
      try {
        if (isStale) isStale = !watchAll()
        return isStale ? "gone" : "watched"
      } catch (error) {
        watchers.keep(() => false)
        return isLimit(error) ? "limited" : "gone"
      }
    },
    close: () => watchers.keep(() => false),
  }
}

const matters = (names: ReadonlySet<string> | "all" | undefined, name: string): boolean =>
  names === "all" ? !isPassedOver(name) : names?.has(name) === true

/** A folder may be gone by the time that it is to be watched: the one above tells so. */
function openIfThere(open: () => void): void {
  try {
    open()
  } catch (error) {
    if (isLimit(error)) throw error
  }
}

/** Watches, or the handles behind them, that the system or this process has run out of. */
const isLimit = (error: unknown): boolean =>
  error instanceof Error && "code" in error && limits.has(String(error.code))

const limits = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"])
