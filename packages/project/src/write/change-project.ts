// Changes a project under its lock, and tries again if another program changed a file meanwhile.

import { openProject } from "../read/read-project.ts"
import { applyChange, type Change } from "./apply-change.ts"
import { nodeDisk, type Disk } from "./disk.ts"
import { finishChange, type Recovery } from "./finish-change.ts"
import { withProjectLock, type LockOptions } from "./project-lock.ts"
import { ChangedMeanwhile, writeFailed } from "./write-failed.ts"
import { sweep } from "./write-file-whole.ts"
import { removeIfEmpty, type WriteScope } from "./write-scope.ts"

export interface WriteOptions {
  readonly lock?: LockOptions
  readonly disk?: Disk
}

export interface PlannedChange<T> {
  readonly change: Change
  readonly result: T
}

export interface ProjectChange<T> {
  readonly root: string
  /** Directories that contain changed files, from the root. */
  readonly folders: readonly string[]
  /** Reads the current state and returns the steps. Called again if a file changed before it was replaced. */
  readonly plan: (scope: WriteScope) => PlannedChange<T>
  /** Called after the change, while the project is locked. Never throws. */
  readonly afterwards?: (scope: WriteScope) => void
}

export interface Changed {
  /** Files that were changed, created, moved or removed, as paths from the root. */
  readonly files: readonly string[]
  /** A change that another process left half done, and that was completed first. */
  readonly recovery?: Recovery | undefined
}

const ATTEMPTS = 5

/** Throws what `plan` throws, `locked`, `link-outside`, or `write-failed` with every byte as it was. */
export async function changeProject<T>(
  { root, folders, plan, afterwards }: ProjectChange<T>,
  { lock, disk = nodeDisk }: WriteOptions,
): Promise<T & Changed> {
  const scope: WriteScope = { project: openProject(root), disk, made: [] }
  return withProjectLock(
    scope.project.realRoot,
    () => {
      const recovery = finishChange(scope)
      for (let attempt = 1; ; attempt++) {
        try {
          const { change, result } = plan(scope)
          // After the plan, which has checked the names of the directories.
          sweep(scope, folders)
          applyChange(scope, change)
          afterwards?.(scope)
          const files = change.steps.flatMap((step) =>
            step.do === "move" ? [step.file, step.to] : [step.file],
          )
          return { ...result, files, recovery }
        } catch (error) {
          const isChanged = error instanceof ChangedMeanwhile
          if (isChanged && attempt < ATTEMPTS) continue
          for (const folder of scope.made.toReversed()) removeIfEmpty(scope, folder)
          throw isChanged ? writeFailed(error.file, "another program keeps changing it") : error
        }
      }
    },
    lock,
  )
}
