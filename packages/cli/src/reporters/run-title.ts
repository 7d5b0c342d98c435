// Names a run for people: its workflow or suite entry, with row, repetition and attempt.

import type { RunReport } from "@callsheet/format"

/**
 * Returns `checkout`, `cancel-order (cleanup, row 3, attempt 2)` or, in a session of several projects, `services/orders ›
 * checkout`. The text isn't escaped for a terminal.
 */
export function runTitle(run: RunReport): string {
  const { project, workflow, role, row, repeat, attempt = 1 } = run
  const entry = `${project === undefined ? "" : `${project} › `}${run.entry ?? workflow}`
  const notes = [
    role === "before" ? "before" : role === "finally" ? "cleanup" : undefined,
    row === undefined ? undefined : `row ${row}`,
    repeat === undefined ? undefined : `repeat ${repeat}`,
    attempt === 1 ? undefined : `attempt ${attempt}`,
  ].filter((note) => note !== undefined)
  return notes.length === 0 ? entry : `${entry} (${notes.join(", ")})`
}

/** Returns the name of what a run tests. It is the same for each attempt, and in other sessions. */
export const runIdentity = (run: RunReport): string =>
  `${run.suite === undefined ? "" : `${run.suite} › `}${runTitle({ ...run, attempt: 1 })}`

/** Returns when a run started, in milliseconds since 1970. 0 if a damaged record doesn't say. */
export const runStartMs = ({ startedAt }: RunReport): number => Date.parse(startedAt) || 0

/** Why an entry of a suite didn't run. */
export const runSkipReasons = {
  unresolved: "a block that its inputs read never ran, or the server refused its request",
  halted: "an earlier step of the suite failed or was canceled",
  bail: "--bail ended the run",
  refused: "other workflows of the run could not start",
} as const
