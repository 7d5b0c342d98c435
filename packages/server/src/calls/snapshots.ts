// Calls about responses of a run that differ from their snapshots.

import { shapes } from "@callsheet/format"
import { answer, call } from "./call.ts"
import { run, text } from "./names.ts"
import type { ChangePreview } from "./change-sets.ts"

const { array, boolean, object, optional, required } = shapes

const acceptedFile = object({
  file: required(text, "The snapshot, as `snapshots.read` returned it."),
  keys: optional(
    array(() => text),
    "The `key` of each accepted difference. By default, all are accepted.",
  ),
})

export const snapshotCalls = {
  /** Compares the responses of a run of this app with the current snapshots. */
  "snapshots.read": call(object({ run }), answer<SnapshotsView>()),
  /** Previews snapshots with accepted differences. Answers 404 `run-unknown` if the app no longer has the responses. */
  "snapshots.plan": call(
    object({
      run,
      files: required(
        array(() => acceptedFile),
        "The snapshots to change or to create.",
      ),
      asNoise: required(
        boolean,
        "True if accepted values should no longer be compared, as after `--snapshots update`.",
      ),
    }),
    answer<ChangePreview>(),
  ),
}

export interface SnapshotsView {
  /** False if the app no longer has the responses: it was restarted, or other runs followed. */
  readonly isKept: boolean
  /** The snapshots that differ or don't exist. */
  readonly files: readonly SnapshotView[]
}

export interface SnapshotView {
  readonly file: string
  /** The id of the block in the report. */
  readonly block: string
  readonly isNew?: true | undefined
  readonly differences: readonly SnapshotDifferenceView[]
  /** The number of differences that `differences` leaves out. They are accepted with the others. */
  readonly omitted: number
}

export interface SnapshotDifferenceView {
  readonly key: string
  /** As in an assertion: `response.body.total`. */
  readonly path: string
  /** Values as JSON, cut. Absent if the side has no value. */
  readonly before?: string | undefined
  readonly after?: string | undefined
  /** True if the value can become noise, because only the value differs and not its type. */
  readonly mayBecomeNoise: boolean
}
