// Completes the unfinished change of a killed process before the project is read. Usually, only checks that no journal
// exists.

import { lstatSync } from "node:fs"
import { join } from "node:path"
import { JOURNAL_FILE } from "../messages.ts"
import { openProject } from "../read/read-project.ts"
import type { Recovery } from "./finish-change.ts"
import type { LockOptions } from "./project-lock.ts"

/**
 * Finishes an interrupted rename, delete or write of several files, and returns the change. Returns undefined if there
 * is none. Commands must call this before they read the project. Waits while another process makes a change. Throws
 * `locked`, or `write-failed` if the change can be neither finished nor ignored.
 */
export async function recoverProject(root: string, options: LockOptions = {}): Promise<Recovery | undefined> {
  if (lstatSync(join(root, JOURNAL_FILE), { throwIfNoEntry: false }) === undefined) return undefined
  const [{ withProjectLock }, { finishChange }, { nodeDisk }] = await Promise.all([
    import("./project-lock.ts"),
    import("./finish-change.ts"),
    import("./write-scope.ts"),
  ])
  const project = openProject(root)
  return withProjectLock(project.realRoot, () => finishChange({ project, disk: nodeDisk, made: [] }), options)
}
