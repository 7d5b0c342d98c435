// Changes several files as one: all of them, or none. What a crash leaves half done the journal finishes.

import { dirname, join, relative, sep } from "node:path"
import { ChangedMeanwhile } from "./changed-meanwhile.ts"
import { identityOf, isSameFile } from "./file-identity.ts"
import { removeJournal, writeJournal, type JournalStep } from "./journal.ts"
import { discard, prepareFile, syncFolder, writeFileWhole, type PreparedFile } from "./write-file-whole.ts"
import { writeFailed } from "./write-failed.ts"
import { locateEntry, locateFile, readTarget, type Target, type WriteScope } from "./write-scope.ts"

/** Paths are from the project root, with `/`. */
export type ChangeStep =
  | {
      readonly do: "replace"
      readonly file: string
      readonly bytes: Uint8Array
      /** What the change was made from; undefined where there was no file. */
      readonly before: Uint8Array | undefined
      readonly isSecret: boolean
    }
  | { readonly do: "move"; readonly file: string; readonly to: string }
  | { readonly do: "remove"; readonly file: string }

export interface Change {
  readonly title: string
  readonly steps: readonly ChangeStep[]
}

/**
 * Does all steps of a change; the caller holds the project's lock. Throws `write-failed` with every byte as it was, or
 * `ChangedMeanwhile` where a file is not what the change was made from.
 */
export function applyChange(scope: WriteScope, { title, steps }: Change): void {
  const ready: ReadyStep[] = []
  let isJournalled = false
  try {
    for (const step of steps) ready.push(makeReady(scope, step))
    if (ready.length > 1) {
      isJournalled = true
      writeJournal(scope, { title, steps: ready.map((step) => step.entry) })
    }
    doAll(ready)
  } catch (error) {
    if (error instanceof UndoFailed) throw error.reason
    // The journal first: without its temporary files it would take for done what is undone.
    if (isJournalled) removeJournal(scope)
    for (const { prepared } of ready) if (prepared !== undefined) discard(scope.disk, prepared.temp)
    throw error
  }
  const folders = new Set(ready.map(({ target }) => dirname(target.path)))
  for (const folder of folders) syncFolder(scope.disk, folder)
  if (isJournalled) removeJournal(scope)
}

interface ReadyStep {
  readonly target: Target
  readonly entry: JournalStep
  readonly prepared?: PreparedFile
  /** Throws `ChangedMeanwhile` or what the disk says; then nothing has happened. */
  readonly act: () => void
  readonly undo: () => void
}

function doAll(steps: readonly ReadyStep[]): void {
  const done: ReadyStep[] = []
  for (const step of steps) {
    try {
      step.act()
      done.push(step)
    } catch (error) {
      undoAll(done, error)
      throw error instanceof ChangedMeanwhile ? error : writeFailed(step.target.file, error)
    }
  }
}

/** Puts back what was done. Where that fails too, the journal stays: the next command finishes the change. */
function undoAll(done: readonly ReadyStep[], reason: unknown): void {
  for (const { undo, target } of done.toReversed()) {
    try {
      undo()
    } catch {
      throw new UndoFailed(
        writeFailed(target.file, reason, "the change is half done; the next callsheet command finishes it"),
      )
    }
  }
}

class UndoFailed extends Error {
  readonly reason: Error
  constructor(reason: Error) {
    super(reason.message)
    this.reason = reason
  }
}

function makeReady(scope: WriteScope, step: ChangeStep): ReadyStep {
  switch (step.do) {
    case "replace":
      return readyToReplace(scope, step)
    case "move":
      return readyToMove(scope, step)
    case "remove":
      return readyToRemove(scope, step)
  }
}

type Step<D extends ChangeStep["do"]> = Extract<ChangeStep, { do: D }>

function readyToReplace(scope: WriteScope, step: Step<"replace">): ReadyStep {
  const { file, bytes, before, isSecret } = step
  const prepared = prepareFile(scope, file, { bytes, isSecret })
  const { target, temp } = prepared
  const isUnchanged = () => {
    const now = readTarget(scope, locateFile(scope, file))
    return now === undefined || before === undefined ? now === before : Buffer.compare(now, before) === 0
  }
  return {
    target,
    prepared,
    entry: {
      do: "replace",
      file,
      temp: fileOf(scope, temp),
      before: target.stats === undefined ? null : identityOf(target.stats),
    },
    act: () => {
      if (!isUnchanged()) throw new ChangedMeanwhile(file)
      scope.disk.renameSync(temp, target.path)
    },
    undo: () => {
      if (before === undefined) scope.disk.unlinkSync(target.path)
      else writeFileWhole(scope, file, { bytes: before, isSecret })
    },
  }
}

function readyToMove(scope: WriteScope, { file, to }: Step<"move">): ReadyStep {
  const target = locateEntry(scope, file)
  const path = join(dirname(target.path), to.slice(to.lastIndexOf("/") + 1))
  if (target.stats === undefined) throw new ChangedMeanwhile(file)
  const before = identityOf(target.stats)
  return {
    target,
    entry: { do: "move", file, to, before },
    act: () => {
      if (!isSameFile(locateEntry(scope, file).stats, before) || isInTheWay(scope, file, to)) {
        throw new ChangedMeanwhile(file)
      }
      scope.disk.renameSync(target.path, path)
    },
    undo: () => scope.disk.renameSync(path, target.path),
  }
}

function readyToRemove(scope: WriteScope, { file }: Step<"remove">): ReadyStep {
  const target = locateEntry(scope, file)
  if (target.stats === undefined) throw new ChangedMeanwhile(file)
  const before = identityOf(target.stats)
  const { mode } = target.stats
  const bytes = target.stats.isFile() ? readTarget(scope, target) : undefined
  return {
    target,
    entry: { do: "remove", file, before },
    act: () => {
      if (!isSameFile(locateEntry(scope, file).stats, before)) throw new ChangedMeanwhile(file)
      scope.disk.unlinkSync(target.path)
    },
    undo: () => {
      if (bytes === undefined) throw new Error("a link is not made again")
      writeFileWhole(scope, file, { bytes, isSecret: (mode & 0o077) === 0 })
    },
  }
}

/** Whether a file stands where another one is to be moved. A name that differs in case alone may be the same file. */
export function isInTheWay(scope: WriteScope, file: string, to: string): boolean {
  const there = locateEntry(scope, to).stats
  if (there === undefined) return false
  const isCaseTwin = file !== to && file.toLowerCase() === to.toLowerCase()
  const moved = locateEntry(scope, file).stats
  return !(isCaseTwin && moved !== undefined && isSameFile(there, identityOf(moved)))
}

const fileOf = ({ project }: WriteScope, path: string): string =>
  relative(project.realRoot, path).split(sep).join("/")
