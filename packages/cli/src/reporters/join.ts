// The reporters of one run; one that breaks is dropped, and the others go on.

import type { CompleteListener, Latest } from "@callsheet/engine"
import type { RunEvent, RunEventType } from "@callsheet/format"
import type { ReportFile } from "../report-file.ts"
import type { Reporter } from "./reporter.ts"

export interface JoinedReporter {
  readonly name: string
  readonly reporter: Reporter
  /** Whether it hears each event as it is made. */
  readonly isLive: boolean
  /** The events that it reads; by default all. */
  readonly reads?: readonly RunEventType[] | undefined
  readonly file?: ReportFile | undefined
}

export interface JoinedReporters {
  readonly listen: Reporter["onEvent"]
  readonly complete: readonly CompleteListener[]
  /** Ends every reporter and puts the files in their places. */
  readonly finish: () => void
  /** Keeps the previous content of the files. */
  readonly discard: () => void
}

/** `onBroken` is called for each reporter that threw, once, and of each file that could not be written. */
export function joinReporters(
  joined: readonly JoinedReporter[],
  onBroken: (name: string, error: unknown) => void,
): JoinedReporters {
  const working = new Set(joined)
  let live = joined.filter(({ isLive }) => isLive)
  const drop = (one: JoinedReporter, error: unknown): void => {
    working.delete(one)
    live = live.filter((other) => other !== one)
    one.file?.discard()
    onBroken(one.name, error)
  }
  const tell = (one: JoinedReporter, event: RunEvent, latest?: Latest): void => {
    try {
      one.reporter.onEvent(event, latest)
    } catch (error) {
      drop(one, error)
    }
  }
  return {
    listen: (event, latest) => {
      for (const one of live) tell(one, event, latest)
    },
    complete: joined
      .filter(({ isLive }) => !isLive)
      .map((one) => ({
        listen: (event) => {
          if (working.has(one)) tell(one, event)
        },
        reads: one.reads,
      })),
    finish: () => {
      for (const one of working)
        try {
          one.reporter.finish()
          one.file?.commit()
        } catch (error) {
          drop(one, error)
        }
    },
    discard: () => {
      for (const { file } of working) file?.discard()
    },
  }
}
