// Follows a current run: reads its report, then applies the events that follow.

import {
  createReportFold,
  keepProgress,
  type BlockReport,
  type IterationReport,
  type Report,
  type ReportFold,
  type ReportWarning,
  type RunReport,
} from "@callsheet/format"
import type { RunEventBatch, RunView } from "@callsheet/server/calls"

/** The report on the page. It is changed in place. Each change increases `version`. */
export interface ShownReport {
  readonly version: number
  /** The first run, or the one that is selected. */
  readonly run: RunReport | undefined
  /** The runs so far. Only suites and repeated failed runs have more than one. */
  readonly runs: readonly RunReport[]
  readonly status: Report["status"]
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
  /** The warnings of the session. */
  readonly warnings: readonly ReportWarning[]
  /** The blocks of `run` with an error response that nothing in their workflow checks. */
  readonly unchecked?: ReadonlySet<object> | undefined
}

export const finishedReport = ({
  runs,
  status,
  warnings = [],
}: Pick<Report, "runs" | "status" | "warnings">): ShownReport => ({
  version: 0,
  run: runs[0],
  runs,
  status,
  isAtWork: () => false,
  warnings,
})

export interface Follower {
  readonly run: string
  /** Keeps events from now on, because the report is being read. */
  readonly beginReading: () => void
  /** Continues from the report that was read. False if events after it are missing. */
  readonly goOn: (view: RunView) => boolean
  /** Applies events. False if earlier ones are missing. Nothing is then applied until the report is read again. */
  readonly hear: (reported: RunEventBatch) => boolean
  /** Drops the report, because reading it failed or events are missing. */
  readonly lose: () => void
  /** Returns whether there is no report, and none is being read. */
  readonly isLost: () => boolean
  readonly shown: () => ShownReport | undefined
}

export function createFollower(run: string): Follower {
  let state: "lost" | "reading" | "following" = "lost"
  let report: ReportFold | undefined
  let version = 0
  let next = 0
  let waiting: RunEventBatch[] = []
  const fold = ({ from, events }: RunEventBatch): void => {
    if (from > next) state = "lost"
    if (state !== "following") return
    // The report already includes the first events.
    for (const event of events.slice(next - from)) {
      version++
      report?.apply(event)
    }
    next = Math.max(next, from + events.length)
  }
  return {
    run,
    beginReading: () => {
      state = "reading"
      waiting = []
    },
    goOn: ({ report: read, going = [], events }) => {
      state = "following"
      report = createReportFold({ report: read, runs: going }, keepProgress)
      version = 0
      next = events
      for (const reported of waiting) fold(reported)
      waiting = []
      return state === "following"
    },
    hear: (reported) => {
      if (state === "reading") waiting.push(reported)
      if (state !== "following") return true
      fold(reported)
      return state === "following"
    },
    lose: () => {
      state = "lost"
      waiting = []
    },
    isLost: () => state === "lost",
    shown: () => {
      if (report === undefined) return undefined
      const { runs, status, warnings = [] } = report.report
      return { version, run: runs[0], runs, status, isAtWork: report.isAtWork, warnings }
    },
  }
}
