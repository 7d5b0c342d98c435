// The report of a run while it goes: the events folded, and which of its blocks are still at work.

import {
  createReportFold,
  type BlockReport,
  type IterationReport,
  type ReportSoFar,
  type RunEvent,
  type RunReport,
} from "@callsheet/format"

/** A report as the page shows it. It changes in place; `version` rises with each change. */
export interface ShownReport {
  readonly version: number
  readonly run: RunReport | undefined
  readonly isAtWork: (part: BlockReport | IterationReport) => boolean
}

export interface LiveReport {
  readonly apply: (event: RunEvent) => void
  readonly shown: () => ShownReport
}

/** Goes on with the report of a run that was found in its middle, and changes it. */
export function createLiveReport(soFar?: ReportSoFar): LiveReport {
  const { report, apply, isAtWork } = createReportFold(soFar)
  let version = 0
  return {
    apply: (event) => {
      version++
      apply(event)
    },
    shown: () => ({ version, run: report.runs[0], isAtWork }),
  }
}

/** A report that is whole. */
export const finishedReport = (run: RunReport): ShownReport => ({ version: 0, run, isAtWork: () => false })
