// Watches a project's directories, including ones that appear later.

import { realpathSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { BASELINE_FILE, PROJECT_FILE } from "@callsheet/format"
import { attempt } from "@callsheet/format"
import {
  isInFolder,
  listFolder,
  openProjectFolder,
  rootEntry,
  type Entry,
  type ProjectFolder,
} from "../read/project-folder.ts"
import { errorCode } from "../read/reason.ts"

export type OpenWatch = (
  folder: string,
  options: { readonly recursive: boolean },
  listener: WatchListener,
) => FolderWatcher

/**
 * Receives an event. `rename` means that the entry appeared or disappeared. If the name is null, any entry may have
 * changed.
 */
type WatchListener = (type: string, name: string | null) => void

interface FolderWatcher {
  readonly close: () => void
  readonly on: (event: "error", listener: (error: Error) => void) => unknown
}

interface FolderWatchOptions {
  readonly root: string
  readonly open: OpenWatch
  readonly seesTrees: boolean
  readonly onChange: () => void
  /** Returns the absolute paths of more files to watch. */
  readonly more: () => readonly string[]
}

export function createFolderWatch({ root, open, seesTrees, onChange, more }: FolderWatchOptions) {
  let folders: WatchedFolders = new Map()
  let isStale = true
  const onEvent = (folder: string, ...[type, name]: Parameters<WatchListener>): void => {
    // If a directory is removed, its own watch reports the directory's name.
    const isOwn = name === null || (name === basename(folder) && watchers.has(folder))
    if (!isOwn && !matters(folders.get(folder), name)) return
    if (type === "rename" || name === null) {
      isStale = true
      // If another entry replaces this one, its watch belongs to the old one.
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
    const enter = (folder: string): void => {
      if (!seesTrees) openIfThere(() => watchers.open(folder))
    }
    folders = findWatchedFolders(project, more(), enter)
    watchers.keep((folder) => folders.has(folder))
    return watchers.has(project.realRoot)
  }
  return {
    /**
     * Updates the watches. Returns `limited` if the system has no watches left, and `gone` if the project doesn't
     * exist.
     */
    sync: (): "watched" | "limited" | "gone" => {
      try {
        if (isStale) isStale = !watchAll()
        return isStale ? "gone" : "watched"
      } catch (error) {
        watchers.keep(() => false)
        return isLimit(error) ? "limited" : "gone"
      }
    },
    /** Finds the directories to watch again at the next `sync`. */
    forget: (): void => {
      isStale = true
    },
    close: () => watchers.keep(() => false),
  }
}

const matters = (names: ReadonlySet<string> | "all" | undefined, name: string): boolean =>
  names === "all" ? !isPassedOver(name) : names?.has(name) === true

/** Opens a watch. If the directory is gone, does nothing, because its parent reports that. */
function openIfThere(open: () => void): void {
  try {
    open()
  } catch (error) {
    if (isLimit(error)) throw error
  }
}

/** Returns true if the system or this process has run out of watches or file handles. */
const isLimit = (error: unknown): boolean => limits.has(errorCode(error) ?? "")

const limits = new Set(["ENOSPC", "EMFILE", "ENFILE", "ENOMEM"])

interface WatchersOptions {
  readonly open: OpenWatch
  readonly recursive: boolean
  readonly onEvent: (folder: string, ...event: Parameters<WatchListener>) => void
}

/** Creates an empty set of watches. If a watch fails, closes it and reports an event without a name. */
function createWatchers({ open, recursive, onEvent }: WatchersOptions) {
  const watchers = new Map<string, FolderWatcher>()
  const close = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    has: (folder: string): boolean => watchers.has(folder),
    open: (folder: string): void => {
      if (watchers.has(folder)) return
      const watcher = open(folder, { recursive }, (type, name) => {
        // Ignore late events of a closed watch, which belong to the previous directory.
        if (watchers.get(folder) === watcher) onEvent(folder, type, name)
      })
      watchers.set(folder, watcher)
      watcher.on("error", () => {
        if (watchers.get(folder) !== watcher) return
        close(folder)
        onEvent(folder, "rename", null)
      })
    },
    forget: (path: string): void => {
      for (const folder of watchers.keys()) {
        if (isInFolder(path, folder)) close(folder)
      }
    },
    keep: (isWanted: (folder: string) => boolean): void => {
      for (const folder of watchers.keys()) if (!isWanted(folder)) close(folder)
    },
  }
}

/** The names to watch in each directory, by absolute path without links. `all` excludes ignored names. */
type WatchedFolders = ReadonlyMap<string, ReadonlySet<string> | "all">

/** Finds the directories to watch. Calls `enter` before it lists a directory, so that no change is missed. */
function findWatchedFolders(
  project: ProjectFolder,
  more: readonly string[],
  enter: (folder: string) => void,
): WatchedFolders {
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
  for (const name of [PROJECT_FILE, BASELINE_FILE]) {
    wantName(join(project.realRoot, name))
    const entry = rootEntry(project, name)
    // Watch the target of a link too.
    if (entry?.kind === "file") wantName(entry.realPath)
  }
  for (const path of more) {
    const realPath = realPathOf(path)
    wantName(path)
    if (realPath !== undefined) wantName(realPath)
  }
  const top = realPathOf(apis)
  const isOurs = top !== undefined && isInFolder(project.realRoot, top)
  const work: Pick<Entry, "file" | "realPath">[] = isOurs ? [{ file: "apis", realPath: top }] : []
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    if (folders.get(next.realPath) === "all") continue
    wantAll(next.realPath)
    const { entries, realPath: folder } = listFolder(project, next.file)
    for (const entry of entries) {
      const { name, kind, realPath } = entry
      if (isPassedOver(name) || (kind !== "folder" && kind !== "file")) continue
      // The target of a link may be replaced, so watch its directory too.
      if (folder !== undefined && dirname(realPath) !== folder) wantName(realPath)
      if (kind === "folder") work.push(entry)
    }
  }
  return folders
}

/** Returns whether to ignore a name: hidden files, which include temporary ones, and `node_modules`. */
export const isPassedOver = (name: string): boolean => name.startsWith(".") || name === "node_modules"

const realPathOf = (path: string): string | undefined => attempt(() => realpathSync(path))
