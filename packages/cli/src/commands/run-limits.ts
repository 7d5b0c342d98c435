// Watches the limits that options set for a session: coverage, warnings, flaky runs, unchecked blocks and leftovers.

import {
  createCoverageFold,
  staleProblems,
  trackBlocks,
  Warnings,
  type Leftover,
  type RunEvent,
} from "@callsheet/format"
import { notices } from "../messages.ts"
import type { Screen } from "../screen.ts"
import { printable } from "../text/printable.ts"
import type { RunRequest } from "./read-run-options.ts"

/**
 * Watches the limits set by options such as `--max-warnings`. Too little coverage changes the exit code but not the
 * status of the report.
 */
export function watchLimits(request: RunRequest, screen: Screen) {
  const coverage = request.coverageMin === undefined ? undefined : watchCoverage(request.coverageMin)
  const warnings = request.maxWarnings === undefined ? undefined : watchWarnings(request.maxWarnings)
  const flaky = request.failOnFlaky ? watchFlaky() : undefined
  const unchecked = request.failOnUnchecked ? watchUnchecked() : undefined
  const leftovers = request.leftovers === undefined ? undefined : watchLeftovers(screen)
  const watches = [coverage, warnings, flaky, unchecked, leftovers].filter((watch) => watch !== undefined)
  return {
    listen: (event: RunEvent): void => {
      for (const watch of watches) watch.listen(event)
    },
    shortfall: () => coverage?.shortfall(),
    exceeded: (): readonly string[] => {
      const left = request.leftovers === "fail" ? leftovers?.excess() : undefined
      return [warnings?.excess(), flaky?.excess(), unchecked?.excess(), left].filter(
        (text) => text !== undefined,
      )
    },
    printLeftovers: () => leftovers?.print(),
  }
}

function watchCoverage(min: number) {
  const fold = createCoverageFold()
  return {
    listen: fold.apply,
    shortfall: (): string | undefined => {
      const { exercised, documented, percent } = fold.coverage().operations
      return percent >= min ? undefined : notices.lowCoverage(exercised, documented, percent, min)
    },
  }
}

function watchFlaky() {
  let count = 0
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "run.finished" && event.flaky === true) count++
    },
    excess: (): string | undefined => (count === 0 ? undefined : notices.flaky(count)),
  }
}

function watchUnchecked() {
  let count = 0
  const { apply } = trackBlocks<undefined>(({ counts }) => ({
    maxLogs: 0,
    own: () => undefined,
    onRunFinished: ({ isRetried }) => {
      if (isRetried !== true) count += counts.unchecked ?? 0
    },
  }))
  return {
    listen: apply,
    excess: (): string | undefined => (count === 0 ? undefined : notices.unchecked(count)),
  }
}

const MAX_LEFTOVERS = 20

function watchLeftovers({ err }: Screen) {
  let found: readonly Leftover[] = []
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "leftovers.found") found = event.leftovers
    },
    excess: (): string | undefined => (found.length === 0 ? undefined : notices.leftovers(found.length)),
    print: (): void => {
      for (const { operation, url, unknown } of found.slice(0, MAX_LEFTOVERS))
        err.write(`${printable(notices.leftover(operation, url, unknown === true))}\n`)
      const more = found.length - MAX_LEFTOVERS
      if (more > 0) err.write(`${notices.moreLeftovers(more)}\n`)
    },
  }
}

function watchWarnings(max: number) {
  const warnings = new Warnings()
  return {
    listen: (event: RunEvent): void => {
      if (event.type === "warning.raised") warnings.add(event.warning)
      else if (event.type === "baseline.compared")
        for (const warning of staleProblems(event.stale)) warnings.add(warning)
    },
    excess: (): string | undefined =>
      warnings.count > max ? notices.manyWarnings(warnings.count, max) : undefined,
  }
}
