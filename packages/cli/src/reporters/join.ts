// The reporters of one run on one stream of events; one that breaks is dropped, and the others go on.

import type { Listener } from "@callsheet/format"
import type { ReportFile } from "../report-file.ts"
import type { Reporter } from "./reporter.ts"

export interface JoinedReporter {
  readonly name: string
  readonly reporter: Reporter
  readonly file?: ReportFile
}

export interface JoinedReporters {
  readonly listen: Listener
  /** Ends every reporter and puts the files in their places. */
  readonly finish: () => void
  /** Leaves what the files held before. */
  readonly discard: () => void
}

/** `onBroken` hears of each reporter that threw, once, and of each file that could not be written. */
export function joinReporters(
  joined: readonly JoinedReporter[],
  onBroken: (name: string, error: unknown) => void,
): JoinedReporters {
  let working = joined
  const drop = (one: JoinedReporter, error: unknown): void => {
    working = working.filter((other) => other !== one)
    one.file?.discard()
    onBroken(one.name, error)
  }
  return {
    listen: (event) => {
      for (const one of working) {
        try {
          one.reporter.onEvent(event)
        } catch (error) {
          drop(one, error)
        }
      }
    },
    finish: () => {
      for (const one of working) {
        try {
          one.reporter.finish()
          one.file?.commit()
        } catch (error) {
          drop(one, error)
        }
      }
    },
    discard: () => {
      for (const { file } of working) file?.discard()
    },
  }
}
