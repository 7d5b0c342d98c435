// Tracks the problems of open texts. Problems of the format appear at once, those of `validate` after a pause.

import {
  checkProjectFile,
  checkSavedRequest,
  checkWorkflow,
  parseJson,
  problemsAtOffsets,
  type Problem,
  checkBaseline,
} from "@callsheet/format"
import { createStore, type StoreApi } from "zustand/vanilla"
import type { FileName } from "@callsheet/server/calls"
import type { call } from "../connection/call.ts"
import { fileKey } from "./file-key.ts"
import { changeBetween, type TextChange } from "./text/text-change.ts"

interface TrackedText {
  readonly name: FileName
  readonly path: string
  readonly text: string
}

export interface ProblemTracker {
  /** The problems by file key. */
  readonly store: StoreApi<ReadonlyMap<string, readonly Problem[]>>
  readonly note: (tracked: TrackedText) => void
  readonly forget: (key: string) => void
  /** Checks all texts again: references may be valid or invalid after other files have changed. */
  readonly checkAgain: () => void
}

interface Tracked extends TrackedText {
  timer: ReturnType<typeof setTimeout> | undefined
  /** Counts the texts. Answers about earlier texts are ignored. */
  round: number
  own: readonly Problem[]
}

/**
 * The maximum length of text that the page checks at once. Longer text is checked here only if the server can't be
 * reached.
 */
const MAX_AT_ONCE = 100_000
const pauseMs = 350
/** The pause in milliseconds before long texts are checked. */
const longPauseMs = 1000

export function createProblemTracker(ask: typeof call): ProblemTracker {
  const store = createStore<ReadonlyMap<string, readonly Problem[]>>(() => new Map())
  const files = new Map<string, Tracked>()
  const report = (key: string, problems: readonly Problem[]): void =>
    store.setState((known) => (known.get(key) === problems ? known : new Map(known).set(key, problems)), true)

  const check = async (key: string, tracked: Tracked): Promise<void> => {
    const { name, path, text, round } = tracked
    const isLast = (): boolean => tracked.round === round && files.get(key) === tracked
    try {
      const { problems } = await ask("files.check", { file: name, text })
      if (isLast()) report(key, problems)
    } catch {
      // Show problems of the format until the next edit or the server's answer.
      if (text.length > MAX_AT_ONCE && isLast()) report(key, formatProblems(name, path, text))
    }
  }
  const schedule = (key: string, tracked: Tracked): void => {
    clearTimeout(tracked.timer)
    tracked.timer = setTimeout(
      () => void check(key, tracked),
      tracked.text.length > MAX_AT_ONCE ? longPauseMs : pauseMs,
    )
  }

  return {
    store,
    note: ({ name, path, text }) => {
      const key = fileKey(name)
      const before = files.get(key)
      if (before?.text === text) return
      clearTimeout(before?.timer)
      const own = text.length > MAX_AT_ONCE ? [] : formatProblems(name, path, text)
      const tracked: Tracked = { name, path, text, own, timer: undefined, round: (before?.round ?? 0) + 1 }
      files.set(key, tracked)
      report(key, problemsAtOnce(tracked, before, store.getState().get(key)))
      schedule(key, tracked)
    },
    forget: (key) => {
      clearTimeout(files.get(key)?.timer)
      files.delete(key)
      store.setState((known) => new Map([...known].filter(([other]) => other !== key)), true)
    },
    checkAgain: () => {
      for (const [key, tracked] of files) {
        tracked.round++
        schedule(key, tracked)
      }
    },
  }
}

/** Returns the problems of the format, and the other problems that were known before. */
function problemsAtOnce(
  { text, own }: Tracked,
  before: Tracked | undefined,
  known: readonly Problem[] = [],
): readonly Problem[] {
  const change = before === undefined ? undefined : changeBetween(before.text, text)
  if (before === undefined || change === undefined) return own
  const carried = carriedProblems(known, before.text, change)
  // The check of the format reports these codes itself.
  const reported = new Set([...own, ...before.own].map(({ code }) => code))
  return [...own, ...carried.filter(({ code }) => !reported.has(code))]
}

/** Checks text by its format, without the project. Returns nothing for scripts, which only the server parses. */
export function formatProblems(name: FileName, path: string, text: string): readonly Problem[] {
  const source = { file: path, text }
  switch (name.kind) {
    case "workflow":
      return checkWorkflow(source).problems
    case "request":
      return checkSavedRequest(source).problems
    case "project":
      return checkProjectFile(source).problems
    case "baseline":
      return checkBaseline(source).problems
    case "schema":
    case "environment": {
      const parsed = parseJson(text)
      return parsed.ok ? [] : problemsAtOffsets(source, parsed.findings)
    }
    case "script":
      return []
  }
}

/** Moves known problems along with an edit, until the text is checked again. Drops problems on removed lines. */
export function carriedProblems(
  problems: readonly Problem[],
  before: string,
  { at, removed, inserted }: TextChange,
): readonly Problem[] {
  if (problems.length === 0) return problems
  const first = lineEndsIn(before.slice(0, at)) + 1
  const last = first + lineEndsIn(removed)
  const moved = lineEndsIn(inserted) - (last - first)
  // Text inserted at the start of a line moves that line too.
  const kept = at === 0 || before[at - 1] === "\n" ? first - 1 : first
  return problems.flatMap((problem) => {
    const { line, column } = problem
    if (
      line === first &&
      column !== undefined &&
      column > columnOf(before, at) &&
      !hasLineEnd(removed + inserted)
    )
      return [{ ...problem, column: column + inserted.length - removed.length }]
    if (line === undefined || line <= kept) return [problem]
    return line < last ? [] : [{ ...problem, line: line + moved }]
  })
}

const columnOf = (text: string, at: number): number => at - text.lastIndexOf("\n", at - 1)

const hasLineEnd = (text: string): boolean => text.includes("\n")

function lineEndsIn(text: string): number {
  let count = 0
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++
  return count
}
