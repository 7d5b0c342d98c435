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
import { chunks } from "../chunks.ts"
import type { Reporter, ReporterContext } from "../reporter.ts"
import { pagePieces } from "./page.ts"
import { PageRoom, RunSection } from "./run-section.ts"

export function createHtml({ output }: ReporterContext): Reporter {
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
  return {
    onEvent: (event) => {
      coverage.apply(event)
      if (event.type === "leftovers.found") leftovers = event.leftovers
      else apply(event)
    },
    finish: (verdict) => {
      const status = sections.reduce<SessionStatus>(worstStatus, verdict ?? "passed")
      const page = {
        status,
        verdict,
        sections,
        warnings: listed,
        leftovers,
        coverage: coverage.coverage(),
      }
      for (const chunk of chunks(pagePieces(page))) output.write(chunk, "exact")
    },
  }
}
