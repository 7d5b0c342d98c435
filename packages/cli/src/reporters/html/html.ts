// The report as a web page in one file. Needs no network. Is readable without styles and scripts, because CI servers block them.

import {
  createCoverageFold,
  worstStatus,
  trackBlocks,
  Warnings,
  type Leftover,
  type ReportWarning,
  type SessionStatus,
} from "@callsheet/format"
import type { FileReporter } from "../reporter.ts"
import { pagePieces } from "./page.ts"
import { PageRoom, RunSection } from "./run-section.ts"

export const writeHtml: FileReporter = function* (events, { end: { verdict } }) {
  const room = new PageRoom()
  const sections: RunSection[] = []
  const listed: ReportWarning[] = []
  const warnings = new Warnings(listed)
  let leftovers: readonly Leftover[] | undefined
  const coverage = createCoverageFold()
  const { apply } = trackBlocks((report) => {
    const section = new RunSection(report, room, (warning) => void warnings.add(warning))
    sections.push(section)
    return section
  })
  for (const event of events) {
    coverage.apply(event)
    if (event.type === "leftovers.found") ({ leftovers } = event)
    else apply(event)
  }
  const status = sections.reduce<SessionStatus>(worstStatus, verdict ?? "passed")
  yield* pagePieces({
    status,
    verdict,
    sections,
    warnings: listed,
    leftovers,
    coverage: coverage.coverage(),
  })
}
