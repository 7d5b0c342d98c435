// One run that goes on: found at any moment by its report so far, and from there on folded from the events that are told.

import {
  createReportFold,
  type BlockReport,
  type IterationReport,
  type ReportFold,
  type RunReport,
} from "@callsheet/format"
import type { RunEventBatch, RunView } from "@callsheet/server/calls"

/** A report as the page shows it. It changes in place; `version` rises with each change. */
export interface ShownReport {
  readonly version: number
  readonly run: RunReport | undefined
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
}

/** A report that is whole. */
export const finishedReport = (run: RunReport): ShownReport => ({ version: 0, run, isAtWork: () => false })

export interface Follower {
  readonly run: string
  /** From now on events are kept for the report that is being read. */
  readonly beginReading: () => void
  /** Goes on from what was read. False where events are missing since. */
  readonly goOn: (view: RunView) => boolean
  /** False where events before these are missing: then nothing is folded until it is read again. */
  readonly hear: (told: RunEventBatch) => boolean
  /** What was read is of no use: it could not be read, or events are missing. */
  readonly lose: () => void
  /** Neither read nor being read. */
  readonly isLost: () => boolean
  /** Undefined as long as nothing was read. */
  readonly shown: () => ShownReport | undefined
}

export function createFollower(run: string): Follower {
  let state: "lost" | "reading" | "going" = "lost"
  let report: ReportFold | undefined
  let version = 0
  let next = 0
  let waiting: RunEventBatch[] = []
  const fold = ({ from, events }: RunEventBatch): void => {
    if (from > next) state = "lost"
    if (state !== "going") return
    // The report that was read holds the first of them already.
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
      state = "going"
      report = createReportFold({ report: read, runs: going })
      version = 0
      next = events
      for (const told of waiting) fold(told)
      waiting = []
      return state === "going"
    },
    hear: (told) => {
      if (state === "reading") waiting.push(told)
      if (state !== "going") return true
      fold(told)
      return state === "going"
    },
    lose: () => {
      state = "lost"
      waiting = []
    },
    isLost: () => state === "lost",
    shown: () => report && { version, run: report.report.runs[0], isAtWork: report.isAtWork },
  }
}
