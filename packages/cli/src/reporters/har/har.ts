// Writes requests and responses as an HTTP Archive (HAR 1.2). Each run becomes a page.

import {
  stringifyJson,
  trackBlocks,
  type EventOf,
  type Leftover,
  type RunEvent,
  type RunReport,
} from "@callsheet/format"
import { version } from "../../version.ts"
import { TextSpool } from "../../record/text-spool.ts"
import { breakCommandsInJson } from "../../text/log-commands.ts"
import { chunks } from "../chunks.ts"
import type { FileReporter } from "../reporter.ts"
import { RunFindings } from "../run-findings.ts"
import { runSkipReasons, runStartMs, runTitle } from "../run-title.ts"
import { entryOf } from "./entry.ts"

export const writeHar: FileReporter = function* (events) {
  for (const chunk of chunks(archivePieces(events))) yield breakCommandsInJson(chunk)
}

function* archivePieces(events: Iterable<RunEvent>): Generator<string, void> {
  const entries: string[] = []
  // Follows the entries, because how a run ended is known last.
  const pages = new TextSpool()
  let runs = 0
  let leftovers: readonly Leftover[] | undefined
  let separator = ""
  const { apply } = trackBlocks<undefined>((run) => {
    const page = `run_${++runs}`
    const findings = new RunFindings()
    return {
      maxLogs: 0,
      own: () => undefined,
      onWarning: (warning) => findings.warn(warning),
      onFinished: (block, { error }) => {
        if (block.report.request === undefined) return
        entries.push(`${separator}\n${stringifyJson({ pageref: page, ...entryOf(block, error) })}`)
        separator = ","
      },
      onRunFinished: (event) => {
        const text = stringifyJson({ ...pageOf(page, run, event), _warnings: findings.warnings })
        pages.add(`${pages.isEmpty ? "" : ","}\n${text}`)
      },
    }
  })
  yield `{"log":{"version":"1.2","creator":${stringifyJson({ name: "callsheet", version })},"entries":[`
  for (const event of events) {
    if (event.type === "leftovers.found") ({ leftovers } = event)
    else apply(event)
    yield* entries.splice(0)
  }
  yield `\n],"pages":[`
  yield* pages
  yield `\n]${leftovers === undefined ? "" : `,"_leftovers":${stringifyJson([...leftovers])}`}}}\n`
}

function pageOf(id: string, run: RunReport, { status, reason, error }: EventOf<"run.finished">) {
  const why = reason === undefined ? error?.message : runSkipReasons[reason]
  return {
    startedDateTime: new Date(runStartMs(run)).toISOString(),
    id,
    title: run.suite === undefined ? runTitle(run) : `${run.suite} › ${runTitle(run)}`,
    pageTimings: {},
    comment: why === undefined ? status : `${status}: ${why}`,
  }
}
