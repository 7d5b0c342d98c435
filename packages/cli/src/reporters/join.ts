// Combines the reporters of a run. If one throws, it is dropped and the others continue.

import type { Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { ReportFile } from "./report-file.ts"
import type { Reporter, SessionEnd } from "./reporter.ts"

export interface JoinedReporter {
  readonly name: string
  readonly reporter: Reporter
  /** When the reporter receives events: run by run as runs end, run by run in the order of the schedule, or after all runs. */
  readonly receives: "as-ended" | "in-order" | "complete"
  /** The events that the reporter reads. By default, all. */
  readonly reads?: readonly RunEventType[] | undefined
  readonly file?: ReportFile | undefined
}

/** Combines reporters. Calls `onBroken` once for each that throws or whose file can't be written. */
export function joinReporters(
  joined: readonly JoinedReporter[],
  onBroken: (name: string, error: unknown) => void,
) {
  const working = new Set(joined)
  const drop = (one: JoinedReporter, error: unknown): void => {
    working.delete(one)
    one.file?.discard()
    onBroken(one.name, error)
  }
  const guard = (one: JoinedReporter, action: () => void): void => {
    try {
      action()
    } catch (error) {
      drop(one, error)
    }
  }
  const send = (one: JoinedReporter, event: RunEvent, latest?: Latest): void => {
    guard(one, () => one.reporter.onEvent(event, latest))
  }
  const watching = joined.filter(({ reporter }) => reporter.onProgress !== undefined)
  const thatReceive = (when: JoinedReporter["receives"]) => joined.filter(({ receives }) => receives === when)
  const listenerOf = (reporters: readonly JoinedReporter[]) => (event: RunEvent, latest?: Latest) => {
    for (const one of reporters) if (working.has(one)) send(one, event, latest)
  }
  return {
    listen: listenerOf(thatReceive("in-order")),
    listenEnded: listenerOf(thatReceive("as-ended")),
    watch:
      watching.length === 0
        ? undefined
        : (event: RunEvent, latest: Latest): void => {
            for (const one of watching)
              if (working.has(one)) guard(one, () => one.reporter.onProgress?.(event, latest))
          },
    complete: thatReceive("complete").map((one) => ({ listen: listenerOf([one]), reads: one.reads })),
    /** Finishes every reporter and moves the files to their final paths. */
    finish: (verdict?: "failed", end?: SessionEnd): void => {
      for (const one of working)
        try {
          one.reporter.finish(verdict, end)
          one.file?.commit()
        } catch (error) {
          drop(one, error)
        }
    },
    /** Discards all files. Their previous versions stay. */
    discard: (): void => {
      for (const { file } of working) file?.discard()
    },
  }
}
