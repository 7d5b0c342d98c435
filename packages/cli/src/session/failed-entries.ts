// Finds the failed entries of a session, for `--last-failed` and `--watch`.

import type { RunEvent } from "@callsheet/format"
import type { Suite, SuiteEntry } from "@callsheet/language"

/** A workflow of a session. In a suite, a main entry. Names only, because they are stored. */
export interface FailedEntry {
  readonly workflow: string
  readonly entry?: string | undefined
}

/**
 * Collects the main entries that failed, or that didn't start because of an error, an earlier failure, or an interruption. An
 * entry also fails if its own cleanup does. Flaky entries passed.
 */
export function createFailedFold(suite?: Suite) {
  const failed = new Map<string, FailedEntry>()
  let run: Extract<RunEvent, { type: "run.started" }> | undefined
  let main: FailedEntry | undefined
  const listen = (event: RunEvent): void => {
    if (event.type === "run.started") {
      run = event
      if (run.role === undefined || run.role === "main") main = { workflow: run.workflow, entry: run.entry }
    }
    if (event.type !== "run.finished" || main === undefined || run?.role === "before") return
    if (event.status === "passed" || event.isRetried === true || event.reason === "unresolved") return
    // The cleanup of the whole suite belongs to no entry.
    if (run?.role === "finally" && !cleansUp(main.entry, run.entry, suite)) return
    failed.set(main.entry ?? main.workflow, main)
  }
  return { listen, failed: (): readonly FailedEntry[] => [...failed.values()] }
}

const cleansUp = (main: string | undefined, cleanup: string | undefined, suite: Suite | undefined): boolean =>
  suite?.main.some(({ name, finally: own }) => name === main && hasEntry(own, cleanup)) === true

const hasEntry = (entries: readonly SuiteEntry[], wanted: string | undefined): boolean =>
  entries.some(({ name, finally: own }) => name === wanted || hasEntry(own, wanted))
