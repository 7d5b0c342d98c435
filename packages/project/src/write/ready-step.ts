// Stages a step of a change: its journal entry, and the functions that apply and undo it.

import * as system from "node:path"
import { dirname, join } from "node:path"
import { nameKey, wayBetween } from "@callsheet/format"
import { identityOf, isSameFile, type JournalStep } from "./journal.ts"
import { ChangedMeanwhile } from "./write-failed.ts"
import { stageFile } from "./write-file-whole.ts"
import {
  locateEntry,
  locateFile,
  readTarget,
  type EditableFile,
  type Target,
  type WriteScope,
} from "./write-scope.ts"

/** A step of a change. Paths start at the project root and have `/`. */
export type ChangeStep =
  | {
      readonly do: "replace"
      readonly file: string
      readonly bytes: Uint8Array
      /** The content that the change is based on, or undefined if the file didn't exist. */
      readonly before: Uint8Array | undefined
      readonly isSecret: boolean
      /** The mode of a new file. */
      readonly mode?: number
    }
  | { readonly do: "move"; readonly file: string; readonly to: string }
  | { readonly do: "remove"; readonly file: string }

export interface ReadyStep {
  readonly target: Target
  readonly entry: JournalStep
  /** The absolute path of the temporary file, if the step has one. */
  readonly temp?: string
  /** Performs the step, or throws `ChangedMeanwhile` or the disk's error without changing anything. */
  readonly apply: () => void
  /** Returns the step that undoes this one after it is done. */
  readonly inverse: () => ChangeStep
}

export const replaceStep = (
  { file, bytes }: EditableFile,
  text: string,
  isSecret = false,
): Step<"replace"> => ({
  do: "replace",
  file,
  bytes: new TextEncoder().encode(text),
  before: bytes,
  isSecret,
})

export type Step<D extends ChangeStep["do"]> = Extract<ChangeStep, { do: D }>

/** Stages a step. Writes only a temporary file. Throws `write-failed` or `ChangedMeanwhile`. */
export function makeReady(scope: WriteScope, step: ChangeStep): ReadyStep {
  switch (step.do) {
    case "replace":
      return readyToReplace(scope, step)
    case "move":
      return readyToMove(scope, step)
    case "remove":
      return readyToRemove(scope, step)
  }
}

function readyToReplace(scope: WriteScope, step: Step<"replace">): ReadyStep {
  const { file, bytes, before, isSecret } = step
  const { target, temp } = stageFile(scope, file, step)
  const isUnchanged = () => {
    const now = readTarget(scope, locateFile(scope, file))
    return now === undefined || before === undefined ? now === before : Buffer.compare(now, before) === 0
  }
  return {
    target,
    temp,
    entry: {
      do: "replace",
      file,
      temp: fileOf(scope, temp),
      before: target.stats === undefined ? null : identityOf(target.stats),
    },
    apply: () => {
      if (!isUnchanged()) throw new ChangedMeanwhile(file)
      scope.disk.renameSync(temp, target.path)
    },
    inverse: () =>
      before === undefined
        ? { do: "remove", file }
        : { do: "replace", file, bytes: before, before: bytes, isSecret },
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
    apply: () => {
      if (!isSameFile(locateEntry(scope, file).stats, before) || isInTheWay(scope, file, to)) {
        throw new ChangedMeanwhile(file)
      }
      scope.disk.renameSync(target.path, path)
    },
    inverse: () => ({ do: "move", file: to, to: file }),
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
    apply: () => {
      if (!isSameFile(locateEntry(scope, file).stats, before)) throw new ChangedMeanwhile(file)
      scope.disk.unlinkSync(target.path)
    },
    inverse: () => {
      if (bytes === undefined) throw new Error("a removed link cannot be restored")
      return { do: "replace", file, bytes, before: undefined, isSecret: (mode & 0o077) === 0, mode }
    },
  }
}

/** Returns whether another file exists at the target of a move. The same name in other case may be the same file. */
export function isInTheWay(scope: WriteScope, file: string, to: string): boolean {
  const there = locateEntry(scope, to).stats
  if (there === undefined) return false
  const isCaseTwin = file !== to && nameKey(file) === nameKey(to)
  const moved = locateEntry(scope, file).stats
  return !(isCaseTwin && moved !== undefined && isSameFile(there, identityOf(moved)))
}

const fileOf = ({ project }: WriteScope, path: string): string => wayBetween(system, project.realRoot, path)
