// Temporary files that a killed process has left behind.

import { join } from "node:path"
import type { WriteScope } from "./write-scope.ts"
import { discard, isTempName } from "./write-file-whole.ts"

/** Removes them from folders of the project, but for those in `keep` (absolute paths). The caller holds the project's lock. */
export function sweep(
  { project, disk }: WriteScope,
  folders: readonly string[],
  keep = new Set<string>(),
): void {
  for (const folder of folders) {
    const path = join(project.realRoot, folder)
    for (const name of namesIn(disk, path)) {
      if (isTempName(name) && !keep.has(join(path, name))) discard(disk, join(path, name))
    }
  }
}

function namesIn(disk: WriteScope["disk"], folder: string): readonly string[] {
  try {
    return disk.readdirSync(folder)
  } catch {
    // A folder that cannot be listed is not there yet, or the change itself says what is wrong with it.
    return []
  }
}
