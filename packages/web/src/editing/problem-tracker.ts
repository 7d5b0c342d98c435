// What is wrong with the texts of open files: the format's own at once, then what `validate` would say, when nobody types.

import {
  checkSavedRequest,
  checkWorkflow,
  parseJson,
  problemsAtOffsets,
  type Problem,
} from "@callsheet/format"
import { createStore, type StoreApi } from "zustand/vanilla"
import type { FileName } from "@callsheet/server/calls"
import type { call } from "../connection/call.ts"
import { carriedProblems } from "./carried-problems.ts"
import { fileKey } from "./file-key.ts"
import { changeBetween } from "./text-change.ts"

interface TrackedText {
  readonly name: FileName
  readonly path: string
  readonly text: string
}

export interface ProblemTracker {
  /** By the key of the file. */
  readonly store: StoreApi<ReadonlyMap<string, readonly Problem[]>>
  /** The text of the file is this now. */
  readonly note: (tracked: TrackedText) => void
  readonly forget: (key: string) => void
  /** Other files have changed, which may make this one right or wrong. */
  readonly checkAgain: () => void
}

interface Tracked extends TrackedText {
  timer: ReturnType<typeof setTimeout> | undefined
  /** Rises with each text: an answer about an earlier one says nothing. */
  round: number
  /** What the format said of it at once. */
  own: readonly Problem[]
}

/** Larger texts are held against the format by the server alone, and here only where it does not answer. */
const mostAtOnce = 100_000
const pauseMs = 350
/** They take a while to send and to check. */
const longPauseMs = 1000

export function createProblemTracker(ask: typeof call): ProblemTracker {
  const store = createStore<ReadonlyMap<string, readonly Problem[]>>(() => new Map())
  const files = new Map<string, Tracked>()
  const tell = (key: string, problems: readonly Problem[]): void =>
    store.setState((known) => (known.get(key) === problems ? known : new Map(known).set(key, problems)), true)

  const check = async (key: string, tracked: Tracked): Promise<void> => {
    const { name, path, text, round } = tracked
    const isLast = (): boolean => tracked.round === round && files.get(key) === tracked
    try {
      const { problems } = await ask("files.check", { file: name, text })
      if (isLast()) tell(key, problems)
    } catch {
      // The format's own stay; it is asked again with the next edit, or when the server answers again.
      if (text.length > mostAtOnce && isLast()) tell(key, formatProblems(name, path, text))
    }
  }
  const schedule = (key: string, tracked: Tracked): void => {
    clearTimeout(tracked.timer)
    tracked.timer = setTimeout(
      () => void check(key, tracked),
      tracked.text.length > mostAtOnce ? longPauseMs : pauseMs,
    )
  }

  return {
    store,
    note: ({ name, path, text }) => {
      const key = fileKey(name)
      const before = files.get(key)
      if (before?.text === text) return
      clearTimeout(before?.timer)
      const own = text.length > mostAtOnce ? [] : formatProblems(name, path, text)
      const tracked: Tracked = { name, path, text, own, timer: undefined, round: (before?.round ?? 0) + 1 }
      files.set(key, tracked)
      tell(key, problemsAtOnce(tracked, before, store.getState().get(key)))
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

/** The format's own, and what was known before of the rest. */
function problemsAtOnce(
  { text, own }: Tracked,
  before: Tracked | undefined,
  known: readonly Problem[] = [],
): readonly Problem[] {
  const change = before === undefined ? undefined : changeBetween(before.text, text)
  if (before === undefined || change === undefined) return own
  const carried = carriedProblems(known, before.text, change)
  // What the format could say of the text before, it says anew.
  const told = new Set([...own, ...before.own].map(({ code }) => code))
  return [...own, ...carried.filter(({ code }) => !told.has(code))]
}

/** What the format says of a text without the rest of the project. Nothing of scripts, which the server parses. */
function formatProblems(name: FileName, path: string, text: string): readonly Problem[] {
  const source = { file: path, text }
  switch (name.kind) {
    case "workflow":
      return checkWorkflow(source).problems
    case "request":
      return checkSavedRequest(source).problems
    case "schema":
    case "environment": {
      const parsed = parseJson(text)
      return parsed.ok ? [] : problemsAtOffsets(source, parsed.findings)
    }
    case "script":
      return []
  }
}
