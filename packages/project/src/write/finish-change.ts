// Completes the unfinished change of a killed process, using its journal.

import { dirname, join } from "node:path"
import { CallsheetError, toProblem, type Problem } from "@callsheet/format"
import { JOURNAL_FILE, messages } from "../messages.ts"
import { errorCode } from "../read/reason.ts"
import { isInTheWay } from "./ready-step.ts"
import { isSameFile, parseJournal, removeJournal, type Journal, type JournalStep } from "./journal.ts"
import { discard, sweep, syncFolder } from "./write-file-whole.ts"
import { reasonFor } from "./write-failed.ts"
import { locateEntry, locateFile, readTarget, type Target, type WriteScope } from "./write-scope.ts"

export interface Recovery {
  /** A description of the change for people: `rename the environment "a" of the API "shop" to "b"`. */
  readonly title: string
  readonly isFinished: boolean
  /** A warning for each file that was skipped because it has changed in the meantime. */
  readonly problems: readonly Problem[]
}

/** Completes an unfinished change. Skips files that have changed in the meantime. Callers must lock the project. */
export function finishChange(scope: WriteScope): Recovery | undefined {
  const { project, disk } = scope
  const place = locateEntry(scope, JOURNAL_FILE)
  if (place.stats === undefined) return undefined
  const { title, steps } = readJournal(scope, place)
  const conflicts = steps.filter((step) => !redoIfPossible(scope, title, step)).map(({ file }) => file)
  const folders = [...new Set(steps.map(({ file }) => dirname(file)))]
  for (const folder of folders) {
    try {
      syncFolder(disk, join(project.realRoot, folder))
    } catch (error) {
      throw unfinished(title, folder, error)
    }
  }
  if (!removeJournal(scope)) throw unfinished(title, JOURNAL_FILE, "it can't be removed")
  sweep(scope, folders)
  return {
    title,
    isFinished: conflicts.length === 0,
    problems: conflicts.map((file) => toProblem(messages["write-failed"].conflict(), file)),
  }
}

function readJournal(scope: WriteScope, place: Target): Journal {
  const bytes = place.stats?.isFile() === true ? readTarget(scope, place) : undefined
  const journal = bytes === undefined ? undefined : parseJournal(new TextDecoder().decode(bytes))
  if (journal !== undefined) return journal
  throw new CallsheetError(messages["write-failed"].journal())
}

function redoIfPossible(scope: WriteScope, title: string, step: JournalStep): boolean {
  try {
    return redo(scope, step)
  } catch (error) {
    if (isGone(error)) return false
    throw unfinished(title, step.file, error)
  }
}

/** Returns whether a step can't be completed because its directory is gone or is now a link out of the project. */
const isGone = (error: unknown): boolean =>
  error instanceof CallsheetError && (error.code === "link-outside" || errorCode(error.cause) === "ENOENT")

function unfinished(title: string, file: string, error: unknown): CallsheetError {
  const reason =
    typeof error === "string" ? error : reasonFor(error instanceof CallsheetError ? error.cause : error)
  return new CallsheetError(messages["write-failed"].unfinished(title, file, reason), { cause: error })
}

/** Performs a step that isn't done yet. Returns false if the file has changed in the meantime. */
function redo(scope: WriteScope, step: JournalStep): boolean {
  switch (step.do) {
    case "replace": {
      const temp = join(scope.project.realRoot, step.temp)
      if (locateEntry(scope, step.temp).stats === undefined) return true
      const target = locateFile(scope, step.file)
      const isSame = isSameFile(target.stats, step.before)
      if (isSame) scope.disk.renameSync(temp, target.path)
      else discard(scope.disk, temp)
      return isSame
    }
    case "move": {
      const from = locateEntry(scope, step.file)
      if (from.stats === undefined) return true
      if (!isSameFile(from.stats, step.before) || isInTheWay(scope, step.file, step.to)) return false
      scope.disk.renameSync(from.path, locateEntry(scope, step.to).path)
      return true
    }
    case "remove": {
      const target = locateEntry(scope, step.file)
      if (target.stats === undefined) return true
      if (!isSameFile(target.stats, step.before)) return false
      scope.disk.unlinkSync(target.path)
      return true
    }
  }
}
