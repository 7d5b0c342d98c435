// Writes requests and responses as an HTTP Archive (HAR 1.2). Each run becomes a page.

import { stringifyJson, trackBlocks, type EventOf, type Leftover, type RunReport } from "@callsheet/format"
import { version } from "../../version.ts"
import { createJsonOutput } from "../json-output.ts"
import { KeptText } from "../kept-text.ts"
import type { Reporter, ReporterContext } from "../reporter.ts"
import { RunFindings } from "../run-findings.ts"
import { runSkipReasons, runStartMs, runTitle } from "../run-title.ts"
import { entryOf } from "./entry.ts"

export function createHar({ output }: ReporterContext): Reporter {
  const { write, flush } = createJsonOutput(output)
  // Follows the entries, because how a run ended is known last.
  const pages = new KeptText()
  let runs = 0
  let leftovers: readonly Leftover[] | undefined
  let separator = ""
  write(`{"log":{"version":"1.2","creator":${stringifyJson({ name: "callsheet", version })},"entries":[`)
  const { apply } = trackBlocks<undefined>((run) => {
    const page = `run_${++runs}`
    const findings = new RunFindings()
    return {
      maxLogs: 0,
      own: () => undefined,
      onWarning: (warning) => findings.warn(warning),
      onFinished: (block, { error }) => {
        if (block.report.request === undefined) return
        write(`${separator}\n${stringifyJson({ pageref: page, ...entryOf(block, error) })}`)
        separator = ","
      },
      onRunFinished: (event) => {
        const text = stringifyJson({ ...pageOf(page, run, event), _warnings: findings.warnings })
        pages.add(`${pages.isEmpty ? "" : ","}\n${text}`, 0)
      },
    }
  })
  return {
    onEvent: (event) => {
      if (event.type === "leftovers.found") leftovers = event.leftovers
      else apply(event)
    },
    finish: () => {
      write(`\n],"pages":[`)
      for (const { text } of pages) write(text)
      write(`\n]${leftovers === undefined ? "" : `,"_leftovers":${stringifyJson([...leftovers])}`}}}\n`)
      flush()
    },
  }
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
