// The reporter for people: a line per finished block, failures in full, and a summary. Forgets blocks that passed.

import {
  foldAgain,
  formatProblem,
  isUnchecked,
  knownProblems,
  trackBlocks,
  type Arrival,
  type BlockReport,
  type BoundEnvironment,
  type EventOf,
  type IterationReport,
  type MessageView,
  type Problem,
  type RunError,
  type RunReport,
  type RunSubscriber,
} from "@callsheet/format"
import type { LiveListener, MaskAgain } from "@callsheet/engine"
import type { Style } from "../../screen.ts"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { printable } from "../../text/printable.ts"
import { pathOf } from "../block-path.ts"
import type { LiveReporter, ReporterContext } from "../reporter.ts"
import {
  itemLines,
  messageLines,
  renderFailure,
  requestLines,
  responseLines,
  type ExchangeLimits,
} from "../render-failure.ts"
import { requestDifferenceLines } from "../request-difference.ts"
import { requestProblemLines } from "../request-problem.ts"
import { runSkipReasons, runTitle } from "../run-title.ts"
import { createLive } from "./live.ts"
import { createRunningRuns } from "./running.ts"
import {
  addNote,
  finishedRow,
  flatten,
  isRepeated,
  lineOf,
  mark,
  ownCode,
  plainRow,
  type Later,
  type Line,
  type LinedBlock,
  type Row,
} from "./row.ts"

export function createPretty({ output, clock, isFile, offline, exchanges }: ReporterContext): LiveReporter {
  const { style } = output
  const finished = new FinishedRuns()
  const skipped = new SkippedRuns()
  const running = createRunningRuns(style, clock)
  let maskAgain: MaskAgain = (event) => event
  const live = createLive(output, clock, () => running.draw(output.columns() - 1))
  const startRun = (report: RunReport): PrettyRun => {
    let hasTitle = false
    // A run that is skipped has no title, so this waits for its first sign of life.
    const print = (lines: readonly string[]): void => {
      const title = hasTitle ? [] : [titleLine(report, style, offline?.note)]
      if (!hasTitle) live.print(skipped.lines(style))
      hasTitle = true
      live.print([...title, ...lines])
    }
    const onFinished = (lines: readonly string[], isRetried: boolean): void => {
      if (!isRetried) finished.add(report)
      if (report.reason === undefined) print(lines)
      else skipped.add(report)
    }
    return new PrettyRun(report, {
      style,
      isFile,
      exchanges,
      maskAgain: (event) => maskAgain(event),
      print,
      onFinished,
    })
  }
  const { apply } = trackBlocks(startRun)
  return {
    onEvent: (event, mask) => {
      maskAgain = mask
      apply(event)
    },
    ...(output.isLive && {
      onProgress: ((event) => {
        live.start()
        running.apply(event)
      }) satisfies LiveListener,
    }),
    finish: ({ durationMs }) => {
      live.stop()
      live.print(skipped.lines(style))
      const duration = style("dim", formatDuration(durationMs))
      if (finished.count > 1) live.print([`${finished.summary(style)}  ${duration}`])
    },
  }
}

function titleLine(report: RunReport, style: Style, note: string | undefined): string {
  const bound = Object.entries(report.environments).map((binding) => bindingText(binding, style))
  const notes = note === undefined ? [] : [style("cyan", note)]
  return [style("bold", printable(runTitle(report))), ...notes, ...bound].join("  ")
}

const MAX_SKIPPED = 3

/** The runs that were skipped one after the other. A suite of 10,000 entries shows them in one line. */
class SkippedRuns {
  readonly #titles: string[] = []
  #reason: keyof typeof runSkipReasons | undefined
  #count = 0

  add(report: RunReport): void {
    this.#count++
    this.#reason = report.reason
    if (this.#titles.length < MAX_SKIPPED) this.#titles.push(printable(runTitle(report)))
  }

  /** Returns the lines, and forgets the runs. */
  lines(style: Style): readonly string[] {
    const count = this.#count
    const titles = this.#titles.splice(0)
    this.#count = 0
    if (this.#reason === undefined || count === 0) return []
    const why = style("dim", `skipped: ${runSkipReasons[this.#reason]}`)
    if (count <= MAX_SKIPPED)
      return titles.flatMap((title) => [`${mark("skipped", style)} ${style("bold", title)} ${why}`, ""])
    const names = `${titles.join(", ")}, … ${count - titles.length} more`
    return [`${mark("skipped", style)} ${style("bold", plural(count, "run"))} ${why} (${names})`, ""]
  }
}

const MAX_NAMES = 20

/** Counts finished runs. Keeps only the names for the summary, because there may be a run for each of 100,000 rows. */
class FinishedRuns {
  count = 0
  #isPlain = true
  readonly #byStatus = {
    failed: { count: 0, names: [] as string[] },
    error: { count: 0, names: [] as string[] },
    passed: { count: 0, names: undefined },
    skipped: { count: 0, names: undefined },
  }

  add(run: RunReport): void {
    const group = this.#byStatus[run.status]
    const title = runTitle(run)
    this.count++
    group.count++
    if (title !== run.workflow) this.#isPlain = false
    if (group.names !== undefined && group.names.length < MAX_NAMES) group.names.push(printable(title))
  }

  summary(style: Style): string {
    const parts = (["failed", "error", "passed", "skipped"] as const).flatMap((status) => {
      const { count, names } = this.#byStatus[status]
      if (count === 0) return []
      const words = `${count} ${status === "error" ? "could not start" : status}`
      if (names === undefined) return style(statusColors[status], words)
      const more = count > names.length ? [`… ${count - names.length} more`] : []
      return style(statusColors[status], `${words} (${[...names, ...more].join(", ")})`)
    })
    return `${style("bold", plural(this.count, this.#isPlain ? "workflow" : "run"))}: ${parts.join(", ")}`
  }
}

interface PrettyRunOptions extends Pick<ReporterContext, "isFile" | "exchanges"> {
  readonly style: Style
  readonly maskAgain: MaskAgain
  readonly print: (lines: readonly string[]) => void
  readonly onFinished: (lines: readonly string[], isRetried: boolean) => void
}

const MAX_FAILURES = 50
const MAX_ROWS_OF_A_LOOP = 10
const MAX_WARNINGS = 50
const MAX_LOG_LENGTH = 4000
/** The limits of exchanges that `-v` and `-vv` show. */
const bodyLimits = { width: 100, string: 10_000, lines: 200 }
const exchangeLimits = {
  headers: { text: 10_000, headers: 1000, body: undefined },
  bodies: { text: 10_000, headers: 1000, body: bodyLimits },
}

class PrettyRun implements RunSubscriber<Line> {
  readonly maxLogs = 50
  // Lines are printed after their blocks have finished, and failures after the run.
  readonly keepsEvents = true
  readonly own = lineOf
  readonly #report: RunReport
  readonly #options: PrettyRunOptions
  readonly #style: Style
  #requests = 0
  readonly #failures: Later<string[]>[] = []
  #moreFailures = 0
  readonly #warnings = new Set<string>()

  constructor(report: RunReport, options: PrettyRunOptions) {
    this.#report = report
    this.#options = options
    this.#style = options.style
  }

  onWarning(warning: Problem, block: LinedBlock | undefined): void {
    const event = { type: "warning.raised", run: 0, warning } as const
    const textNow = (): string => warningText(this.#options.maskAgain(event).warning, this.#style)
    if (block !== undefined) return addNote(block.own, textNow)
    const text = textNow()
    if (this.#warnings.has(text)) return
    this.#warnings.add(text)
    if (this.#warnings.size > MAX_WARNINGS) return
    const color = warning.code === "tls-unverified" ? "red" : "yellow"
    this.#options.print([`  ${this.#style(color, "!")} ${text}`])
  }

  /** Adds a line for a skipped block. The blocks in a skipped container get none. */
  onSkipped(block: LinedBlock): void {
    if (block.parent?.report.status !== "skipped" && !isRepeated(block)) this.#addRow(block)
  }

  onArrived(block: LinedBlock, event: Arrival): void {
    this.#options.print([])
    if (event.type === "request.sent") {
      this.#requests++
      this.#show(block, "sent", (limits) => requestLines(event.request, limits, this.#style))
    } else if (event.type === "response.received")
      this.#show(block, "received", (limits) => responseLines(event.response, limits, this.#style))
    else if (event.type === "stream.item") this.#showItem(block, event)
    else if (event.type === "request.checked")
      this.#note(block, ({ requestProblems = [] }) => requestProblemLines(requestProblems, this.#style))
    else if (event.type === "request.compared")
      this.#note(block, ({ requestDifference = [] }) =>
        requestDifferenceLines(requestDifference, this.#style),
      )
  }

  /** Prints a message of the inbox as soon as it arrives. */
  onMessage(message: MessageView): void {
    this.#print("inbox received", (limits) => messageLines(message, limits, this.#style))
  }

  /** Prints one side of an exchange at once. Names the block, because parallel exchanges mix. */
  #show(block: LinedBlock, what: string, linesOf: (limits: ExchangeLimits) => string[]): void {
    if (this.#options.exchanges !== undefined) this.#print(`${this.#pathNow(block)} ${what}`, linesOf)
  }

  #print(title: string, linesOf: (limits: ExchangeLimits) => string[]): void {
    const { exchanges, print } = this.#options
    if (exchanges === undefined) return
    const lines = linesOf(exchangeLimits[exchanges])
    print(["", this.#style("dim", title), ...lines].map(indentLine))
  }

  /** Prints an item of a stream at once, if bodies are shown. */
  #showItem(block: LinedBlock, { index, item }: EventOf<"stream.item">): void {
    if (item === undefined || this.#options.exchanges !== "bodies") return
    this.#show(block, `item ${index}`, (limits) => itemLines(item, limits, this.#style))
  }

  onIterationFinished(loop: LinedBlock, { status }: IterationReport): void {
    if (isRepeated(loop)) return
    loop.own.iterations++
    if (status === "failed") loop.own.failedIterations++
  }

  onFinished(block: LinedBlock, ending: EventOf<"block.finished">): void {
    this.#note(block, droppedLines)
    this.#note(block, ({ undecidable }) => (undecidable === undefined ? [] : [shorten(undecidable, 400)]))
    if (isRepeated(block)) this.#addToLoop(block)
    else this.#addRow(block)
    if (block.report.status === "failed" && ending.error?.code !== "child-failed")
      this.#keepFailure(block, ending)
  }

  onRunFinished({ error, isRetried }: EventOf<"run.finished">): void {
    const lines = this.#failures.flatMap((failure) => failure())
    if (this.#moreFailures > 0) lines.push("", `  … and ${plural(this.#moreFailures, "more failed block")}`)
    if (this.#warnings.size > MAX_WARNINGS) {
      lines.push("", `  ${this.#style("yellow", "!")} … ${this.#warnings.size - MAX_WARNINGS} more warnings`)
    }
    if (error !== undefined) lines.push(...this.#problemLines(error))
    if (lines.length > 0) lines.push("")
    lines.push(this.#summary(isRetried === true), "")
    this.#options.onFinished(lines, isRetried === true)
  }

  /** Counts a block that a loop repeats. Only the first few failed ones get a line. */
  #addToLoop(block: LinedBlock): void {
    const { report, own } = block
    const { refused, rows } = own
    if (report.request !== undefined) own.requests++
    const status = report.response?.status ?? 0
    if (status >= 400) refused.set(status, (refused.get(status) ?? 0) + 1)
    if (report.contract?.status === "unavailable") own.unavailable++
    else if (isUnchecked(report)) own.unchecked++
    own.known += knownProblems(report).length
    const code = ownCode(report)
    if (report.status !== "failed" || code === undefined) return
    if (rows.length < MAX_ROWS_OF_A_LOOP)
      rows.push(() => {
        const path = this.#pathNow(block, loopAround(block))
        return {
          head: `${mark("failed", this.#style)} ${this.#style("red", path)}`,
          headWidth: path.length + 2,
          tail: this.#style("red", code),
          below: [],
        }
      })
    else own.hiddenFailures++
  }

  /** Turns messages in a block's report into warnings. */
  #note(block: LinedBlock, textsOf: (report: BlockReport) => readonly string[]): void {
    textsOf(block.report).forEach((text, at) =>
      addNote(block.own, () => textsOf(this.#now(block).report)[at] ?? text),
    )
  }

  /** Masks values in the block that have become secret since, and returns the block. */
  #now(block: LinedBlock): LinedBlock {
    foldAgain(block, this.#options.maskAgain)
    return block
  }

  #pathNow(block: LinedBlock, below?: LinedBlock): string {
    for (let at = block.parent; at !== undefined; at = at.parent) this.#now(at)
    return pathOf(this.#now(block), below)
  }

  #addRow(block: LinedBlock): void {
    const hidden = block.own.hiddenFailures
    const row = (): Row => {
      const finished = finishedRow(this.#now(block), this.#style)
      const more = hidden === 0 ? [] : [plainRow(this.#style("dim", `… ${hidden} more failed`))]
      return { ...finished, below: [...finished.below, ...more] }
    }
    if (block.parent === undefined) this.#options.print(flatten(row))
    else block.parent.own.rows.push(row)
  }

  #keepFailure(block: LinedBlock, ending: EventOf<"block.finished">): void {
    if (this.#failures.length >= MAX_FAILURES) {
      this.#moreFailures++
      return
    }
    this.#failures.push(() => {
      const { report } = this.#now(block)
      const logs = report.logs?.map((text) => text.slice(0, MAX_LOG_LENGTH)) ?? []
      const failure = {
        path: this.#pathNow(block),
        report: { ...report, logs },
        run: this.#report,
        ending: this.#options.maskAgain(ending),
      }
      const lines = renderFailure(failure, this.#style)
      return ["", ...lines.map(indentLine)]
    })
  }

  #problemLines({ problems, message }: RunError): string[] {
    if (!this.#options.isFile) return []
    if (problems.length === 0) return [`  ${printable(message)}`]
    return problems.flatMap((problem) => [
      `  ${printable(formatProblem(problem))}`,
      ...(problem.hint === undefined
        ? []
        : [`    ${this.#style("cyan", "hint:")} ${printable(problem.hint)}`]),
    ])
  }

  #summary(isRetried: boolean): string {
    const style = this.#style
    const { status, durationMs, error, counts, flaky } = this.#report
    const workflow = style("bold", printable(runTitle(this.#report)))
    if (status === "error") {
      if (error?.code.endsWith("-undecidable") === true)
        return `${style("red", "✗")} ${workflow} ${style("red", "could not be decided")}`
      const problems = error?.problems.length ?? 0
      const what = problems > 0 ? `  ${style("dim", plural(problems, "problem"))}` : ""
      return `${style("red", "✗")} ${workflow} ${style("red", "could not start")}${what}`
    }
    const counted = (["failed", "passed", "skipped", "unchecked"] as const).flatMap((kind) => {
      const count = counts[kind] ?? 0
      return count === 0 ? [] : [`${count} ${kind}`]
    })
    if (counts.known !== undefined) counted.push(plural(counts.known, "known violation"))
    const measures = [plural(this.#requests, "request"), formatDuration(durationMs)]
    return `${mark(status, style)} ${workflow} ${style(statusColors[status], status)}${flaky === true ? style("yellow", ", flaky") : isRetried ? style("yellow", ", retrying") : ""}  ${counted.join(", ")}${counted.length === 0 ? "" : "  "}${style("dim", measures.join(", "))}`
  }
}

const indentLine = (line: string): string => (line === "" ? "" : `  ${line}`)

/** Returns the loop in whose line a repeated block is counted. */
function loopAround(block: LinedBlock): LinedBlock {
  let loop = block
  while (loop.parent?.own === block.own) loop = loop.parent
  return loop
}

const statusColors = { passed: "green", failed: "red", error: "red", skipped: "dim" } as const
const levelColors = { production: "red", staging: "yellow", local: "dim" } as const

function bindingText([api, { name, level, baseUrl }]: [string, BoundEnvironment], style: Style): string {
  const suffix = level === name ? "" : ` (${level})`
  const url = baseUrl === undefined ? "" : ` ${style("dim", shorten(baseUrl, 100))}`
  return `${style("dim", `${printable(api)} →`)} ${style(levelColors[level], `${printable(name)}${suffix}`)}${url}`
}

const warningText = (warning: Problem, style: Style): string =>
  `${shorten(formatProblem(warning), 500)}${warning.hint === undefined ? "" : style("dim", `, ${shorten(warning.hint, 300)}`)}`

/**
 * Returns a line for each redirect that dropped something. Most blocks have none, so a list is created only if needed.
 */
function droppedLines({ response }: BlockReport): readonly string[] {
  const dropping = response?.redirects?.filter(({ dropped = nothing }) => dropped.length > 0) ?? nothing
  return dropping.map(
    ({ dropped = nothing }) => `a redirect to another origin dropped ${shorten(dropped.join(", "), 200)}`,
  )
}

const nothing: readonly never[] = []
