// The folders on the way to a new file: made with it, and gone again where it is not written.

import { dirname, join } from "node:path"
import { nodeDisk, type Disk } from "../write/disk.ts"
import { ensureFolder, locateEntry, type WriteScope } from "../write/write-scope.ts"

interface MadeFolders {
  /** Makes those that are not there. */
  readonly make: (scope: WriteScope) => void
  /** Removes what was made, where the task throws. */
  readonly cleaningUp: <T>(task: () => Promise<T>) => Promise<T>
}

export function makeFolders(root: string, file: string, disk: Disk = nodeDisk): MadeFolders {
  const made: string[] = []
  return {
    make: (scope) => {
      for (const folder of foldersOf(file)) {
        // It says what is wrong where a file or a link is in the way.
        const before = locateEntry(scope, folder).stats
        ensureFolder(scope, folder)
        if (before === undefined) made.push(folder)
      }
    },
    cleaningUp: async (task) => {
      try {
        return await task()
      } catch (error) {
        for (const folder of made.toReversed()) removeIfEmpty(disk, join(root, folder))
        throw error
      }
    },
  }
}

/** `a/b/c.json` stands in `a` and `a/b`. */
export function foldersOf(file: string): readonly string[] {
  const names = dirname(file).split("/")
  return names.map((_, index) => names.slice(0, index + 1).join("/"))
}

function removeIfEmpty(disk: Disk, path: string): void {
  try {
    disk.rmdirSync(path)
  } catch {
    // Something stands in it: it stays.
  }
}

/** `apis/shop/requests` and `apis/workflow/scripts` stay, whatever is in them. */
const KEPT_DEPTH = 3

/** Removes the folders that a file has left empty. The caller holds the project's lock. */
export function removeEmptyFolders({ project, disk }: WriteScope, file: string): void {
  for (const folder of foldersOf(file).toReversed()) {
    if (folder.split("/").length > KEPT_DEPTH) removeIfEmpty(disk, join(project.realRoot, folder))
  }
}
