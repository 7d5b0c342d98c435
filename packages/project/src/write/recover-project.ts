// Completes a change that a killed process left half done, before the project is read. Otherwise it costs one look at the disk.

import { lstatSync } from "node:fs"
import { join } from "node:path"
import { JOURNAL_FILE } from "../messages.ts"
import { openProject } from "../read/read-project.ts"
import type { Recovery } from "./finish-change.ts"
import type { LockOptions } from "./project-lock.ts"

/**
 * Finishes an interrupted rename, delete or write of several files, and returns what it did; undefined if there is nothing
 * to do. Call it before any command reads the project. It waits while another process makes a change.
 * Throws `locked`, or `write-failed` if the change can be neither finished nor ignored.
 */
export async function recoverProject(root: string, options: LockOptions = {}): Promise<Recovery | undefined> {
  if (lstatSync(join(root, JOURNAL_FILE), { throwIfNoEntry: false }) === undefined) return undefined
  const [{ withProjectLock }, { finishChange }, { nodeDisk }] = await Promise.all([
    import("./project-lock.ts"),
    import("./finish-change.ts"),
    import("./disk.ts"),
  ])
  const project = openProject(root)
  return withProjectLock(project.realRoot, () => finishChange({ project, disk: nodeDisk, made: [] }), options)
}
