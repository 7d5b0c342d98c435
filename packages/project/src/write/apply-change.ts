// Changes several files atomically. After a crash, the journal lets the next command complete the change.

import { dirname } from "node:path"
import { attempt, CallsheetError } from "@callsheet/format"
import { writeHints } from "../messages.ts"
import { removeJournal, writeJournal } from "./journal.ts"
import { makeReady, type ChangeStep, type ReadyStep } from "./ready-step.ts"
import { discard, syncFolder } from "./write-file-whole.ts"
import { ChangedMeanwhile, writeFailed } from "./write-failed.ts"
import type { WriteScope } from "./write-scope.ts"

export interface Change {
  readonly title: string
  readonly steps: readonly ChangeStep[]
}

/**
 * Performs all steps of a change. Callers must lock the project. Throws `write-failed`, or `ChangedMeanwhile` if a file
 * isn't as expected. In both cases, all files are as before. If undoing fails too, the hint of `write-failed` lists the
 * files that may have changed.
 */
export function applyChange(scope: WriteScope, { title, steps }: Change): void {
  const ready = stage(scope, steps)
  const hasJournal = ready.length > 1
  const done: ReadyStep[] = []
  let at: ReadyStep | undefined
  try {
    if (hasJournal) writeJournal(scope, { title, steps: ready.map(({ entry }) => entry) })
    for (at of ready) {
      at.apply()
      done.push(at)
    }
    syncAll(scope, ready)
  } catch (error) {
    undo(scope, { title, ready, done, hasJournal, error: toWriteError(error, at) })
  }
  if (hasJournal) removeJournal(scope)
}

const toWriteError = (error: unknown, at: ReadyStep | undefined): Error =>
  error instanceof ChangedMeanwhile || at === undefined
    ? (error as Error)
    : writeFailed(at.target.file, error)

function stage(scope: WriteScope, steps: readonly ChangeStep[]): readonly ReadyStep[] {
  const ready: ReadyStep[] = []
  try {
    for (const step of steps) ready.push(makeReady(scope, step))
  } catch (error) {
    discardAll(scope, ready)
    throw error
  }
  return ready
}

function syncAll({ disk }: WriteScope, steps: readonly ReadyStep[]): void {
  for (const folder of new Set(steps.map(({ target }) => dirname(target.path)))) syncFolder(disk, folder)
}

function discardAll({ disk }: WriteScope, steps: readonly ReadyStep[]): void {
  for (const { temp } of steps) if (temp !== undefined) discard(disk, temp)
}

interface Broken {
  readonly title: string
  readonly ready: readonly ReadyStep[]
  readonly done: readonly ReadyStep[]
  readonly hasJournal: boolean
  /** The error to throw after everything is undone. */
  readonly error: Error
}

/**
 * Undoes completed steps and throws. Undoing has its own journal, so that a crash never leaves a mix of old and new
 * files.
 */
function undo(scope: WriteScope, broken: Broken): never {
  const { title, ready, done, hasJournal, error } = broken
  if (done.length > 0) {
    try {
      const back = stage(
        scope,
        done.toReversed().map(({ inverse }) => inverse()),
      )
      if (hasJournal) {
        writeJournal(scope, { title: `undo: ${title}`, steps: back.map(({ entry }) => entry) })
      }
      for (const step of back) step.apply()
    } catch {
      throw halfDone(broken)
    }
  }
  // The first error is more helpful than one from here.
  attempt(() => syncAll(scope, done))
  // Remove the journal first: without the temporary files, recovery would believe that undone steps are done.
  if (hasJournal && !removeJournal(scope)) throw halfDone(broken)
  discardAll(scope, ready)
  throw error
}

function halfDone({ done, hasJournal, error }: Broken): Error {
  const changed = done.map(({ target }) => target.file)
  const hint = writeHints.halfDone(changed, hasJournal)
  if (error instanceof ChangedMeanwhile) return writeFailed(error.file, error.message, hint)
  const { message, cause } = error
  return new CallsheetError({ code: "write-failed", message, hint }, { cause })
}
