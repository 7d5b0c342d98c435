// Changes a project under its lock. Retries if another program changes a file in the meantime.

import { openProject } from "../read/read-project.ts"
import { applyChange, type Change } from "./apply-change.ts"
import { nodeDisk, removeIfEmpty, type Disk, type WriteScope } from "./write-scope.ts"
import { finishChange, type Recovery } from "./finish-change.ts"
import { withProjectLock, type LockOptions } from "./project-lock.ts"
import { ChangedMeanwhile, writeFailed } from "./write-failed.ts"
import { sweep } from "./write-file-whole.ts"

export interface WriteOptions {
  readonly lock?: LockOptions
  readonly disk?: Disk
}

export interface ChangeSet<T> {
  readonly change: Change
  readonly result: T
}

export interface ProjectChange<T> {
  readonly root: string
  /** The directories of changed files, as paths from the root. */
  readonly folders: readonly string[]
  /** Reads the current state and returns the steps. Called again if another program changes one of the files first. */
  readonly makeChanges: (scope: WriteScope) => ChangeSet<T>
  /** Runs after the change, while the project is still locked. Must not throw. */
  readonly afterwards?: (scope: WriteScope) => void
}

export interface Changed {
  /** The files that were changed, created, moved or removed, as paths from the root. */
  readonly files: readonly string[]
  /** An unfinished change of another process, which was completed first. */
  readonly recovery?: Recovery | undefined
}

const ATTEMPTS = 5

/** Changes a project. Throws the errors of `makeChanges`, `locked`, `link-outside`, or `write-failed` with all files as before. */
export async function changeProject<T>(
  { root, folders, makeChanges, afterwards }: ProjectChange<T>,
  { lock, disk = nodeDisk }: WriteOptions,
): Promise<T & Changed> {
  const scope: WriteScope = { project: openProject(root), disk, made: [] }
  return withProjectLock(
    scope.project.realRoot,
    () => {
      const recovery = finishChange(scope)
      for (let attempt = 1; ; attempt++) {
        try {
          const { change, result } = makeChanges(scope)
          // Must run after `makeChanges`, which checks the names of the directories.
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
