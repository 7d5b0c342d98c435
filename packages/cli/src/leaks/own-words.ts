// The words that callsheet itself writes. A secret with the same text can't be distinguished from them.

import { blockKinds, failureCodes, operatorNames, problemCodes, type RunEvent } from "@callsheet/format"

/** The keys, statuses, reasons and headings in reports. A missing word causes a false alarm, but never hides a leak. */
const fixed = `version status durationMs runs workflow startedAt environments name level inputs counts passed failed
skipped error code message problems file line column hint severity warning blocks id type description reason request
response method url headers body requestProblems path schema sizeBytes redirects dropped contract unavailable unchecked requestUnchecked assertions
source operator expected actual outputs logs iterations index value halted cancelled untranslated branch production staging local
operations statuses mediaTypes apis api details operation answers undocumented exercised documented percent default
true false null undefined testsuites testsuite testcase tests failures errors time timestamp properties property classname
environment failure system-out system-err callsheet xml encoding UTF-8 workflows requests sent received no response
nothing something could not start more other assertion interrupted media types OPERATION METHOD PATH STATUSES BLOCKS
GET HEAD POST PUT PATCH DELETE OPTIONS TRACE QUERY header query cookie http https a value that contains less
than anything but iteration ended before the reporter failed and was stopped a bug in please report it with the output
of the same command under --debug
characters loading known found violations stale isCut baseline callsheet.baseline.json`

const vocabulary = [
  fixed.replaceAll("\n", " "),
  ...blockKinds,
  ...operatorNames,
  ...Object.keys(problemCodes),
  ...Object.keys(failureCodes),
].join(" ")

/** Matches short numbers, which occur in durations, sizes, line numbers and times. */
const number = /^[0-9.:TZ-]{1,11}$/

export type OwnWords = ReturnType<typeof createOwnWords>

export function createOwnWords() {
  const names = new Set<string>()
  return {
    /** Adds the names of project files in an event. They are under version control, so they aren't secret. */
    hear: (event: RunEvent): void => {
      for (const name of namesIn(event)) names.add(name)
    },
    has: (text: string): boolean =>
      number.test(text) || vocabulary.includes(text) || [...names].some((name) => name.includes(text)),
  }
}

function namesIn(event: RunEvent): readonly string[] {
  switch (event.type) {
    case "run.started":
      return [event.workflow, ...Object.entries(event.environments).flatMap(([api, { name }]) => [api, name])]
    case "api.documented":
      return event.operations.flatMap(({ name, path, answers }) => [
        name,
        path,
        ...answers.flatMap(({ mediaTypes }) => mediaTypes),
      ])
    case "warning.raised":
      return event.warning.file === undefined ? [] : [event.warning.file]
    case "run.finished":
      return (event.error?.problems ?? []).flatMap(({ file }) => file ?? [])
    case "contract.checked":
      return [
        ...event.contract.problems.flatMap(({ file }) => file ?? []),
        ...(event.found === undefined ? [] : [event.found.operation]),
      ]
    case "baseline.compared":
      return event.stale.map(({ operation }) => operation)
    case "request.checked":
      return event.problems.flatMap(({ file }) => file ?? [])
    default:
      return []
  }
}
