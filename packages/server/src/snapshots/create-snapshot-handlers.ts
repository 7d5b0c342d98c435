// Answers calls about snapshots: how the responses of a run differ from them, and what accepting that changes.

import type { HandlersOf } from "../handlers.ts"
import type { SnapshotOptions } from "./accept-snapshots.ts"

/** Loads the code on the first call. */
export const createSnapshotHandlers = (options: SnapshotOptions): HandlersOf<"snapshots"> => ({
  "snapshots.read": async ({ run }) => (await import("./accept-snapshots.ts")).readDifferences(options, run),
  "snapshots.plan": async (input) =>
    (await import("./accept-snapshots.ts")).previewAcceptance(options, input),
})
