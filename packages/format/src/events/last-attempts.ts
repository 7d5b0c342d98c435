// The runs of a session that count.

import type { RunReport } from "./types.ts"

/** Leaves out failed runs that were repeated: of the attempts of an entry, only the last one counts. */
export const lastAttempts = (runs: readonly RunReport[]): readonly RunReport[] => [
  ...new Map(
    runs.map((run) => [JSON.stringify([run.project, run.entry, run.row, run.repeat]), run]),
  ).values(),
]
