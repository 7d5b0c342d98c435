// Writes the report as one JSON document with a line per block. Keeps finished runs and iterations as text, because a long
// run's report would fill the memory.

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

export function createJson({ output, isReplay }: ReporterContext): Reporter {
  let latest: Latest | undefined
  const learnedNow = (): number => latest?.learned() ?? 0
  /** The finished runs. */
  const runs = new KeptText()
  /** The number of secrets that the session had learned when the latest run started. */
  let learnedBefore = 0
  // Dropped with the block, because an inner loop's text is by then part of the text of its iteration.
  const kept = new WeakMap<BlockReport, ReturnType<typeof keepIterations>>()
  const keptOf: KeptOf = (entry) => kept.get(entry as BlockReport)?.text
  const fold = createReportFold(undefined, {
    onIterationStarted: ({ report: loop }) => {
      let known = kept.get(loop)
      if (known === undefined) kept.set(loop, (known = keepIterations(loop, keptOf)))
      known.started(learnedNow())
    },
    onIterationFinished: ({ report: loop }, iteration) => kept.get(loop)?.finished(iteration),
  })
  if (isReplay === true) fold.report.replayed = true
  return {
    onEvent: (event, now) => {
      latest = now
      fold.apply(event)
      if (event.type === "run.started") learnedBefore = learnedNow()
      if (event.type !== "run.finished") return
      for (const run of fold.report.runs.splice(0))
        keep(runs, runPieces(run, { keptOf, isFirst: runs.isEmpty }), learnedBefore)
    },
    finish: (verdict) => {
      const { report } = fold
      if (verdict !== undefined && report.status === "passed") report.status = verdict
      latest?.report(report)
      for (const chunk of chunks(documentPieces(report, latestText(runs, latest))))
        output.write(breakCommandsInJson(chunk), "exact")
    },
  }
}

type KeptOf = (entry: Entry) => KeptText | undefined

/** Keeps the iterations of a loop as text, up to the first unfinished one. */
function keepIterations(loop: BlockReport, keptOf: KeptOf) {
  /** The number of secrets that the session knew at the start of each iteration in the report. */
  const starts: number[] = []
  const finished = new Set<IterationReport>()
  const text = new KeptText()
  const keepFinished = (): void => {
    const { iterations = [] } = loop
    // Keeps iterations in start order. Parallel ones end in any order.
    let count = iterations.findIndex((iteration) => !finished.delete(iteration))
    if (count === -1) count = iterations.length
    const [learned = 0] = starts.splice(0, count)
    const done = iterations.splice(0, count)
    if (done.length > 0) keep(text, entryPieces(done, { keptOf, isFirst: text.isEmpty }), learned)
  }
  return {
    started: (learned: number): void => void starts.push(learned),
    finished: (iteration: IterationReport): void => {
      finished.add(iteration)
      if (finished.size % 64 === 0) keepFinished()
    },
    text,
  }
}

/** Appends pieces to `text`. Text that is already compressed is moved. */
function keep(text: KeptText, pieces: Iterable<string | KeptText>, learned: number): void {
  let joined = ""
  for (const piece of pieces) {
    if (typeof piece === "string") joined += piece
    else {
      text.add(joined, learned)
      joined = ""
      text.take(piece)
    }
  }
  text.add(joined, learned)
}

function* latestText(kept: KeptText, latest: Latest | undefined): Generator<string, void> {
  for (const { text, learned } of kept) {
    if (latest === undefined || learned === latest.learned()) yield text
    else
      yield text
        .split("\n")
        .map((line) => latestLine(line, latest))
        .join("\n")
  }
}

/** Masks a line again: a run, a block or an iteration, perhaps with the ends of lists around it. Its own list may be open. */
function latestLine(line: string, latest: Latest): string {
  const start = line.indexOf("{")
  if (start === -1) return line
  const isOpen = /,"(?:blocks|iterations)":\[$/.test(line)
  const end = isOpen ? line.length : endOfObject(line, start)
  const shown = stringifyJson(latestEntry(parseKept(line.slice(start, end) + (isOpen ? "]}" : "")), latest))
  return line.slice(0, start) + (isOpen ? shown.slice(0, -2) : shown) + line.slice(end)
}

function latestEntry(entry: Entry | RunReport, latest: Latest): Entry | RunReport {
  if ("workflow" in entry) latest.report({ runs: [entry] })
  else if ("id" in entry) latest.blocks([entry])
  else latest.blocks([{ id: "", type: "loop", status: "passed", durationMs: 0, iterations: [entry] }])
  return entry
}

/** Returns the end of the JSON object that starts at `start`. */
function endOfObject(text: string, start: number): number {
  let depth = 0
  let at = start
  do {
    const character = text[at]
    if (character === "{") depth++
    else if (character === "}") depth--
    else if (character === '"') at = endOfString(text, at)
    at++
  } while (depth > 0)
  return at
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  for (; text[at] !== '"'; at++) if (text[at] === "\\") at++
  return at
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
): Generator<string | KeptText, void> {
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
