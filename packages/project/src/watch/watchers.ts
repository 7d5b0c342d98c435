// The system's watches that are open, one for a folder.

import { sep } from "node:path"

/** As `watch` of `node:fs`; what it gives is closed once. */
export type OpenWatch = (
  folder: string,
  options: { readonly recursive: boolean },
  listener: WatchListener,
) => FolderWatcher

/** `rename`: something of that name has come or gone. Without a name anything may have. */
export type WatchListener = (type: string, name: string | null) => void

interface FolderWatcher {
  readonly close: () => void
  readonly on: (event: "error", listener: (error: Error) => void) => unknown
}

interface Watchers {
  readonly has: (folder: string) => boolean
  /** Opens one where there is none. Throws what the system says. */
  readonly open: (folder: string) => void
  /** Closes those on a folder and below it. */
  readonly forget: (folder: string) => void
  /** Closes those that are not wanted. */
  readonly keep: (isWanted: (folder: string) => boolean) => void
}

interface WatchersOptions {
  readonly open: OpenWatch
  /** Whether one watch sees a folder with all that is in it. */
  readonly recursive: boolean
  readonly onEvent: (folder: string, ...event: Parameters<WatchListener>) => void
}

/** Makes the set, which is empty. A watch that fails later is closed, and told as an event without a name. */
export function createWatchers({ open, recursive, onEvent }: WatchersOptions): Watchers {
  const watchers = new Map<string, FolderWatcher>()
  const close = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  return {
    has: (folder) => watchers.has(folder),
    open: (folder) => {
      if (watchers.has(folder)) return
      const watcher = open(folder, { recursive }, (type, name) => {
        // What one that was closed still had to say is of the folder before.
        if (watchers.get(folder) === watcher) onEvent(folder, type, name)
      })
      watchers.set(folder, watcher)
      watcher.on("error", () => {
        if (watchers.get(folder) !== watcher) return
        close(folder)
        onEvent(folder, "rename", null)
      })
    },
    forget: (path) => {
      for (const folder of watchers.keys()) {
        if (folder === path || folder.startsWith(path + sep)) close(folder)
      }
    },
    keep: (isWanted) => {
      for (const folder of watchers.keys()) if (!isWanted(folder)) close(folder)
    },
  }
}
