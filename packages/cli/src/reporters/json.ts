// Writes the report as one JSON document with a line per block. Writes it in pieces, because the report of a long run
// exceeds the maximum string length.

import type { Latest } from "@callsheet/engine"
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
import { KeptText, parseKept } from "./kept-text.ts"
import type { Reporter, ReporterContext } from "./reporter.ts"

export function createJson({ output }: ReporterContext): Reporter {
  let latest: Latest | undefined
  // The text of an inner loop is dropped with its block, because the text of the iteration then includes it.
  const kept = new WeakMap<BlockReport, ReturnType<typeof keepIterations>>()
  const keptOf = (entry: Entry) => kept.get(entry as BlockReport)
  const fold = createReportFold(undefined, {
    onIterationStarted: ({ report: loop }) => {
      let known = kept.get(loop)
      if (known === undefined) kept.set(loop, (known = keepIterations(loop, keptOf)))
      known.started(latest?.learned() ?? 0)
    },
    onIterationFinished: ({ report: loop }, iteration) => kept.get(loop)?.finished(iteration),
  })
  return {
    onEvent: (event, now) => {
      latest = now
      fold.apply(event)
    },
    finish: (verdict) => {
      if (verdict !== undefined && fold.report.status === "passed") fold.report.status = verdict
      latest?.report(fold.report)
      for (const chunk of chunks(reportPieces(fold.report, (entry) => keptOf(entry)?.latest(latest))))
        output.write(breakCommandsInJson(chunk), "exact")
    },
  }
}

type KeptOf = (entry: Entry) => Iterable<string> | undefined

/** Keeps the iterations of a loop as text, up to the first unfinished one. */
function keepIterations(loop: BlockReport, keptOf: KeptOf) {
  /** For each iteration in the report: the number of secrets that the session knew at its start. */
  const starts: number[] = []
  const finished = new Set<IterationReport>()
  const kept = new KeptText()
  const keep = (): void => {
    const { iterations = [] } = loop
    // Keeps iterations in start order. Parallel ones end in any order.
    let count = iterations.findIndex((iteration) => !finished.delete(iteration))
    if (count === -1) count = iterations.length
    const [learned = 0] = starts.splice(0, count)
    const done = iterations.splice(0, count)
    if (done.length === 0) return
    kept.add([...entryPieces(done, keptOf, kept.isEmpty)].join(""), learned)
  }
  return {
    started: (learned: number): void => void starts.push(learned),
    finished: (iteration: IterationReport): void => {
      finished.add(iteration)
      if (finished.size % 64 === 0) keep()
    },
    *[Symbol.iterator](): Generator<string, void> {
      for (const { text } of kept) yield text
    },
    *latest(latest: Latest | undefined): Generator<string, void> {
      for (const { text, learned } of kept) {
        if (learned === (latest?.learned() ?? 0)) yield text
        else yield* latestText(text, latest)
      }
    },
  }
}

function* latestText(text: string, latest: Latest | undefined): Generator<string, void> {
  const isFirst = !text.startsWith(",")
  const iterations = parseKept<IterationReport[]>(`[${isFirst ? text : text.slice(1)}]`)
  latest?.blocks([{ id: "", type: "loop", status: "passed", durationMs: 0, iterations }])
  yield* entryPieces(iterations, undefined, isFirst)
}

export function* reportPieces({ runs, ...head }: Report, keptOf?: KeptOf): Generator<string, void> {
  yield `${opened(head)},"runs":[`
  for (const [at, run] of runs.entries()) {
    yield at === 0 ? "\n" : ",\n"
    yield* runPieces(run, keptOf)
  }
  yield runs.length === 0 ? "]}\n" : "\n]}\n"
}

function* runPieces({ blocks, ...head }: RunReport, keptOf?: KeptOf): Generator<string, void> {
  yield `${opened(head)},"blocks":[`
  yield* entryPieces(blocks, keptOf)
  yield blocks.length === 0 ? "]}" : "\n]}"
}

type Entry = BlockReport | IterationReport

/**
 * Yields entries with all nested ones. Iterative, because nesting is unlimited. `keptOf` returns the text of a list's
 * first entries.
 */
function* entryPieces(entries: readonly Entry[], keptOf?: KeptOf, isFirst = true): Generator<string, void> {
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
      let isInnerFirst = true
      for (const text of keptOf?.(entry) ?? []) {
        isInnerFirst = false
        yield text
      }
      open.push({ entries: inner, at: 0, isFirst: isInnerFirst })
    }
  }
}

/** Returns the JSON of an object without the closing brace. The object must not be empty. */
const opened = (head: object): string => stringifyJson(head).slice(0, -1)
