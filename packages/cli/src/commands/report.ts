// `callsheet report`: passes records to the reporters of a run.

import { resolve } from "node:path"
import { attempt, CallsheetError, type RunEvent } from "@callsheet/format"
import type { Command } from "../args/command.ts"
import { messages, notices } from "../messages.ts"
import { findRoot } from "../open-root.ts"
import { printProblems, reportError } from "../report-error.ts"
import { EventSpool } from "../record/event-spool.ts"
import { mergeRecords, refuseMismatch } from "../record/merge-records.ts"
import { openRecord, type ReadRecord } from "../record/read-record.ts"
import { joinReporters } from "../reporters/join.ts"
import { openReporters, printRunProblems } from "../reporters/open-reporters.ts"
import { readReporting } from "./read-run-options.ts"

/** Returns whether `--strict` fails for an event: a warning, or a run that failed. */
const isFinding = (event: RunEvent): boolean =>
  event.type === "warning.raised" ||
  (event.type === "run.finished" &&
    event.isRetried !== true &&
    event.status !== "passed" &&
    event.status !== "skipped")

export const report: Command = async ({ words, options, cwd, screen, environment }) => {
  const request = readReporting(options, cwd)
  const records: ReadRecord[] = []
  try {
    for (const shown of words) records.push(await openRecord(resolve(cwd, shown), shown))
    refuseMismatch(records, { partial: options.has("partial") })
    const joined = await openReporters(request, {
      root: attempt(() => findRoot(cwd)) ?? cwd,
      processEnvironment: environment,
      screen,
    })
    let broken = 0
    const { listenEnded, finish } = joinReporters(joined, (name, error) => {
      broken = 2
      screen.err.write(`${notices.reporterFailed(name)}\n`)
      reportError(error, { output: screen.err, debug: options.has("debug") })
    })
    const printProblem = printRunProblems(request.reporters, screen)
    const events = new EventSpool()
    let isTraced = false
    let isClean = true
    const { verdict, exitCode, durationMs, cuts } = await mergeRecords(records, (event) => {
      printProblem(event)
      isClean &&= !isFinding(event)
      isTraced ||= event.type === "run.started" && event.trace !== undefined
      events.push(event)
      listenEnded?.(event, (same) => same)
    })
    if (request.collectors.length > 0 && !isTraced) throw new CallsheetError(messages.usage.recordUntraced())
    await finish(events, { exitCode, durationMs, verdict })
    printProblems(cuts, screen.err)
    const strict = options.has("strict") && !isClean ? 1 : 0
    return Math.max(exitCode, broken, strict)
  } finally {
    for (const record of records) await record.close()
  }
}
