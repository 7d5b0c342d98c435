// The directories above new files: created with them, and removed if the files are not written.

import { dirname, join } from "node:path"
import { nodeDisk, type Disk } from "./disk.ts"
import { ensureFolder, locateEntry, type WriteScope } from "./write-scope.ts"

export function makeFolders(root: string, disk: Disk = nodeDisk) {
  const made: string[] = []
  return {
    make: (scope: WriteScope, file: string): void => {
      for (const folder of foldersOf(file)) {
        // Throws if a file or a link is in the way.
        const before = locateEntry(scope, folder).stats
        ensureFolder(scope, folder)
        if (before === undefined) made.push(folder)
      }
    },
    /** Removes the created directories if the task throws. */
    cleaningUp: async <T>(task: () => Promise<T>): Promise<T> => {
      try {
        return await task()
      } catch (error) {
        for (const folder of made.toReversed()) removeIfEmpty(disk, join(root, folder))
        throw error
      }
    },
  }
}

/** Returns `a` and `a/b` for `a/b/c.json`. */
export function foldersOf(file: string): readonly string[] {
  const names = dirname(file).split("/")
  return names.map((_, index) => names.slice(0, index + 1).join("/"))
}

export function removeIfEmpty(disk: Disk, path: string): void {
  try {
    disk.rmdirSync(path)
  } catch {
    // It is not empty, so it is kept.
  }
}
