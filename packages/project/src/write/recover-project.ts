// Before a project is read: is there a change that a killed process has left half done? Costs one look at the disk if not.

import { lstatSync } from "node:fs"
import { join } from "node:path"
import { openProject } from "../read/read-project.ts"
import { JOURNAL_FILE } from "./journal-file.ts"
import type { Recovery } from "./finish-change.ts"
import type { LockOptions } from "./project-lock.ts"

/**
 * Finishes an interrupted rename, delete or write of several files, and says what it did; undefined where there is nothing
 * to do. Call it before any command reads the project. While another process is at its change it waits for its end.
 * Throws `locked`, or `write-failed` where the change can be neither finished nor ignored.
 *
 *     const recovery = await recoverProject(root)
 *     if (recovery) print(`finished an interrupted change: ${recovery.title}`)
 */
export async function recoverProject(root: string, options: LockOptions = {}): Promise<Recovery | undefined> {
  if (lstatSync(join(root, JOURNAL_FILE), { throwIfNoEntry: false }) === undefined) return undefined
  const [{ withProjectLock }, { finishChange }, { nodeDisk }] = await Promise.all([
    import("./project-lock.ts"),
    import("./finish-change.ts"),
    import("./disk.ts"),
  ])
  const project = openProject(root)
  return withProjectLock(project.realRoot, () => finishChange({ project, disk: nodeDisk }), options)
}
