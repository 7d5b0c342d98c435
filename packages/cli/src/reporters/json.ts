// Writes the report as one JSON document with a line per block. Keeps finished runs and iterations as text, because a long
// run's report would fill the memory.

import {
  createReportFold,
  stringifyJson,
  type BlockReport,
  type IterationReport,
  type Report,
  type RunReport,
} from "@callsheet/format"
import { TextSpool } from "../record/text-spool.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { chunks } from "./chunks.ts"
import type { FileReporter } from "./reporter.ts"

export const writeJson: FileReporter = function* (events, { offline, end: { verdict } }) {
  /** The finished runs. */
  const runs = new TextSpool()
  // Dropped with the block, because an inner loop's text is by then part of the text of its iteration.
  const kept = new WeakMap<BlockReport, ReturnType<typeof keepIterations>>()
  const keptOf: KeptOf = (entry) => kept.get(entry as BlockReport)?.text
  const { report, apply } = createReportFold(undefined, {
    onIterationFinished: ({ report: loop }, iteration) => {
      let known = kept.get(loop)
      if (known === undefined) kept.set(loop, (known = keepIterations(loop, keptOf)))
      known.finished(iteration)
    },
  })
  Object.assign(report, offline?.report)
  for (const event of events) {
    apply(event)
    if (event.type !== "run.finished") continue
    for (const run of report.runs.splice(0))
      for (const piece of runPieces(run, { keptOf, isFirst: runs.isEmpty })) runs.add(piece)
  }
  if (verdict !== undefined && report.status === "passed") report.status = verdict
  for (const chunk of chunks(documentPieces(report, runs))) yield breakCommandsInJson(chunk)
}

type KeptOf = (entry: Entry) => TextSpool | undefined

/** Keeps the iterations of a loop as text, up to the first unfinished one. */
function keepIterations(loop: BlockReport, keptOf: KeptOf) {
  const finished = new Set<IterationReport>()
  const text = new TextSpool()
  const keepFinished = (): void => {
    const { iterations = [] } = loop
    // Keeps iterations in start order. Parallel ones end in any order.
    let count = iterations.findIndex((iteration) => !finished.delete(iteration))
    if (count === -1) count = iterations.length
    for (const piece of entryPieces(iterations.splice(0, count), { keptOf, isFirst: text.isEmpty }))
      text.add(piece)
  }
  return {
    finished: (iteration: IterationReport): void => {
      finished.add(iteration)
      if (finished.size % 64 === 0) keepFinished()
    },
    text,
  }
}

/** Yields the text of a whole report. */
export function* reportPieces(report: Report): Generator<string, void> {
  yield* documentPieces(report, wholeRuns(report.runs))
}

function* wholeRuns(runs: readonly RunReport[]): Generator<string, void> {
  for (const [at, run] of runs.entries())
    for (const piece of runPieces(run, { isFirst: at === 0 })) if (typeof piece === "string") yield piece
}

function* documentPieces({ runs: _, ...head }: Report, runs: Iterable<string>): Generator<string, void> {
  yield `${opened(head)},"runs":[`
  let isEmpty = true
  for (const text of runs) {
    isEmpty = false
    yield text
  }
  yield isEmpty ? "]}\n" : "\n]}\n"
}

interface PiecesOptions {
  /** Returns the text of a loop's first iterations. */
  readonly keptOf?: KeptOf | undefined
  readonly isFirst: boolean
}

function* runPieces({ blocks, ...head }: RunReport, { keptOf, isFirst }: PiecesOptions) {
  yield `${isFirst ? "" : ","}\n${opened(head)},"blocks":[`
  yield* entryPieces(blocks, { keptOf, isFirst: true })
  yield blocks.length === 0 ? "]}" : "\n]}"
}

type Entry = BlockReport | IterationReport

/** Yields entries and all nested ones, each on its own line. Iterative, because nesting is unlimited. */
function* entryPieces(
  entries: readonly Entry[],
  { keptOf, isFirst }: PiecesOptions,
): Generator<string | TextSpool, void> {
  const open: { readonly entries: readonly Entry[]; at: number; isFirst: boolean }[] = [
    { entries, at: 0, isFirst },
  ]
  for (let list = open.at(-1); list !== undefined; list = open.at(-1)) {
    const entry = list.entries[list.at++]
    if (entry === undefined) {
      open.pop()
      if (open.length > 0) yield "]}"
      continue
    }
    yield list.isFirst ? "\n" : ",\n"
    list.isFirst = false
    const { blocks, iterations, ...head } = { iterations: undefined, ...entry }
    const inner = iterations ?? blocks
    if (inner === undefined) yield stringifyJson(head)
    else {
      yield `${opened(head)},${iterations === undefined ? '"blocks"' : '"iterations"'}:[`
      const known = keptOf?.(entry)
      open.push({ entries: inner, at: 0, isFirst: known?.isEmpty ?? true })
      if (known !== undefined) yield known
    }
  }
}

/** Returns the JSON of an object without the closing brace. The object must not be empty. */
const opened = (head: object): string => stringifyJson(head).slice(0, -1)
