// Changes several files as one: all of them, or none. What a crash leaves half done the journal finishes.

import { dirname } from "node:path"
import { CallsheetError } from "@callsheet/format"
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
 * Does all steps of a change; the caller holds the project's lock. Throws `write-failed` or `ChangedMeanwhile`, where a file is
 * not what the change was made from, with every byte as it was. Where what was begun cannot be taken back either, the message
 * of `write-failed` says so, and which files are changed.
 */
export function applyChange(scope: WriteScope, { title, steps }: Change): void {
  const ready = prepare(scope, steps)
  const isJournalled = ready.length > 1
  const done: ReadyStep[] = []
  let at: ReadyStep | undefined
  try {
    if (isJournalled) writeJournal(scope, { title, steps: ready.map(({ entry }) => entry) })
    for (at of ready) {
      at.act()
      done.push(at)
    }
    syncAll(scope, ready)
  } catch (error) {
    takeBack(scope, { title, ready, done, isJournalled, error: told(error, at) })
  }
  if (isJournalled) removeJournal(scope)
}

const told = (error: unknown, at: ReadyStep | undefined): Error =>
  error instanceof ChangedMeanwhile || at === undefined
    ? (error as Error)
    : writeFailed(at.target.file, error)

function prepare(scope: WriteScope, steps: readonly ChangeStep[]): readonly ReadyStep[] {
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
  readonly isJournalled: boolean
  /** What the caller gets when everything is as it was. */
  readonly error: Error
}

/**
 * Takes back what was done, and throws. That is a change of its own, with a journal in the place of the first one: whatever
 * happens meanwhile, the next command brings all files to one of the two states.
 */
function takeBack(scope: WriteScope, broken: Broken): never {
  const { title, ready, done, isJournalled, error } = broken
  if (done.length > 0) {
    try {
      const back = prepare(
        scope,
        done.toReversed().map(({ inverse }) => inverse()),
      )
      if (isJournalled) {
        writeJournal(scope, { title: `take back: ${title}`, steps: back.map(({ entry }) => entry) })
      }
      for (const step of back) step.act()
    } catch {
      throw halfDone(broken)
    }
  }
  try {
    syncAll(scope, done)
  } catch {
    // The error that led here says more.
  }
  // The journal first: without its temporary files it would take for done what is undone.
  if (isJournalled && !removeJournal(scope)) throw halfDone(broken)
  discardAll(scope, ready)
  throw error
}

function halfDone({ done, isJournalled, error }: Broken): Error {
  const changed = done.map(({ target }) => JSON.stringify(target.file)).join(", ")
  const reached = changed === "" ? "no file is changed yet" : `${changed} may be changed already`
  const hint = isJournalled
    ? `what was begun could not be taken back: ${reached}; the next callsheet command finishes the change, or takes it back`
    : `what was begun could not be taken back: ${reached}, and may not outlast a loss of power`
  return error instanceof ChangedMeanwhile
    ? writeFailed(error.file, error.message, hint)
    : new CallsheetError("write-failed", error.message, { hint, cause: error.cause })
}
