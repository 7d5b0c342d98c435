// The whole report as one JSON document, a line per block. Never one string: a long run's is larger than a string can be.

import {
  createReportFold,
  stringifyJson,
  type BlockReport,
  type IterationReport,
  type Report,
  type RunReport,
} from "@callsheet/format"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { chunks } from "./chunks.ts"
import type { Reporter, ReporterContext } from "./reporter.ts"

/** Makes the reporter `json`. */
export function createJson({ output }: ReporterContext): Reporter {
  const fold = createReportFold()
  return {
    onEvent: fold.apply,
    finish: () => {
      for (const chunk of chunks(reportPieces(fold.report))) output.write(breakCommandsInJson(chunk), "exact")
    },
  }
}

/** The report as JSON text in pieces. */
export function* reportPieces({ runs, ...head }: Report): Generator<string, void> {
  yield `${opened(head)},"runs":[`
  for (const [at, run] of runs.entries()) {
    yield at === 0 ? "\n" : ",\n"
    yield* runPieces(run)
  }
  yield runs.length === 0 ? "]}\n" : "\n]}\n"
}

function* runPieces({ blocks, ...head }: RunReport): Generator<string, void> {
  yield `${opened(head)},"blocks":[`
  yield* entryPieces(blocks)
  yield blocks.length === 0 ? "]}" : "\n]}"
}

type Entry = BlockReport | IterationReport

/** Entries and all that is nested in them; iterative, since blocks nest without bound. */
function* entryPieces(entries: readonly Entry[]): Generator<string, void> {
  const open: { readonly entries: readonly Entry[]; at: number }[] = [{ entries, at: 0 }]
  for (let list = open.at(-1); list !== undefined; list = open.at(-1)) {
    const entry = list.entries[list.at]
    if (entry === undefined) {
      open.pop()
      if (open.length > 0) yield "]}"
      continue
    }
    yield list.at === 0 ? "\n" : ",\n"
    list.at++
    const { blocks, iterations, ...head } = { iterations: undefined, ...entry }
    const inner = iterations ?? blocks
    if (inner === undefined) yield stringifyJson(head)
    else {
      yield `${opened(head)},${iterations === undefined ? '"blocks"' : '"iterations"'}:[`
      open.push({ entries: inner, at: 0 })
    }
  }
}

/** The JSON of an object that has members, without its closing brace. */
const opened = (head: object): string => stringifyJson(head).slice(0, -1)
