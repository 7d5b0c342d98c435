// Joins the reporters of a run. If one throws, it is dropped, and the others continue.

import type { Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { ReportFile } from "../report-file.ts"
import type { Reporter } from "./reporter.ts"

export interface JoinedReporter {
  readonly name: string
  readonly reporter: Reporter
  /** True if the reporter receives events as they are emitted. */
  readonly isLive: boolean
  /** The events that the reporter reads. Default: all. */
  readonly reads?: readonly RunEventType[] | undefined
  readonly file?: ReportFile | undefined
}

/** Joins reporters. `onBroken` is called once for each that throws or whose file couldn't be written. */
export function joinReporters(
  joined: readonly JoinedReporter[],
  onBroken: (name: string, error: unknown) => void,
) {
  const working = new Set(joined)
  let live = joined.filter(({ isLive }) => isLive)
  const drop = (one: JoinedReporter, error: unknown): void => {
    working.delete(one)
    live = live.filter((other) => other !== one)
    one.file?.discard()
    onBroken(one.name, error)
  }
  const send = (one: JoinedReporter, event: RunEvent, latest?: Latest): void => {
    try {
      one.reporter.onEvent(event, latest)
    } catch (error) {
      drop(one, error)
    }
  }
  return {
    listen: (event: RunEvent, latest?: Latest): void => {
      for (const one of live) send(one, event, latest)
    },
    complete: joined
      .filter(({ isLive }) => !isLive)
      .map((one) => ({
        listen: (event: RunEvent): void => {
          if (working.has(one)) send(one, event)
        },
        reads: one.reads,
      })),
    /** Finishes every reporter and moves the files to their final paths. */
    finish: (verdict?: "failed"): void => {
      for (const one of working)
        try {
          one.reporter.finish(verdict)
          one.file?.commit()
        } catch (error) {
          drop(one, error)
        }
    },
    /** Discards all files, so that their previous versions stay. */
    discard: (): void => {
      for (const { file } of working) file?.discard()
    },
  }
}
