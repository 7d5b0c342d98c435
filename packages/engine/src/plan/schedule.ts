// The schedule of a session: uses of workflows, each with inputs, environments and cleanup.

import type { JsonPointer, RunRole } from "@callsheet/format"
import type { SuiteEntry } from "@callsheet/language"
import type { DataFile } from "../ports.ts"

/** One use of a workflow: an entry of a suite, or a workflow that the caller named. */
export interface Entry extends Pick<
  SuiteEntry,
  "name" | "workflow" | "inputs" | "env" | "retries" | "locks" | "mocks"
> {
  /** The entry's position in `callsheet.json`. Absent for a workflow that the caller named. */
  readonly pointer?: JsonPointer
  /** Runs a main entry once per row of this file. A string is a path in the project. */
  readonly data?: DataFile | string | undefined
  /** Cleanup that runs after each attempt, whether it passed, failed or was canceled. */
  readonly finally: readonly Entry[]
}

export interface Schedule {
  /** The name of the suite. Absent if the caller named workflows. */
  readonly name?: string
  /** The text that selected its main entries, set with `--grep`. */
  readonly grep?: string | undefined
  /** True if the main entries are those that failed in the last session, set with `--last-failed`. */
  readonly lastFailed?: boolean
  /**
   * Entries that run first, in order. If one fails, the main entries don't run. Other entries can read their results.
   */
  readonly before: readonly Entry[]
  readonly main: readonly Entry[]
  /** Entries that run last, whatever happened. */
  readonly finally: readonly Entry[]
}

/** Returns the schedule of a session that runs workflows by name. Each runs once, or once per row of a file. */
export const scheduleOf = (workflows: readonly string[], data?: DataFile): Schedule => ({
  before: [],
  main: workflows.map((name) => ({
    name,
    workflow: name,
    inputs: {},
    env: {},
    data,
    locks: [],
    mocks: [],
    finally: [],
  })),
  finally: [],
})

export interface ScheduledEntry {
  readonly entry: Entry
  readonly role: RunRole
  /** True if other entries may read the results of the entry's blocks. */
  readonly isRead: boolean
  /** The main entry, or the one that a cleanup belongs to. */
  readonly main: Entry | undefined
}

/** Yields every entry, in the order in which they would run. */
export function* entriesOf(schedule: Schedule): Generator<ScheduledEntry, void> {
  for (const role of ["before", "main", "finally"] as const)
    for (const entry of schedule[role]) yield* withCleanup(entry, role, role === "main" ? entry : undefined)
}

function* withCleanup(entry: Entry, role: RunRole, main?: Entry): Generator<ScheduledEntry, void> {
  yield { entry, role, isRead: role === "before" || entry.finally.length > 0, main }
  for (const inner of entry.finally) yield* withCleanup(inner, "finally", main)
}
