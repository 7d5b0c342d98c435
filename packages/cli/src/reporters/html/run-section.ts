// One run: its failures, its timeline, and a list of its blocks that nests as they do. Finished parts are kept as markup
// of limited size, so memory doesn't grow with the run.

import {
  type BlockStatus,
  type BoundEnvironment,
  type EventOf,
  type IterationReport,
  type OpenBlock,
  type Problem,
  type RunReport,
  type RunStatus,
  type RunSubscriber,
} from "@callsheet/format"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { pathOf } from "../block-path.ts"
import { valueText } from "../../text/value-texts.ts"
import { runSkipReasons, runTitle } from "../run-title.ts"
import {
  differsMarkup,
  failureMarkup,
  jsonText,
  passedMarkup,
  runErrorMarkup,
  traceMarkup,
} from "./failure.ts"
import { Budget, markup, Markup, MAX_JOINED } from "./markup.ts"
import { addRow, headMarkup, icons, listMarkup, newRow, rowMarkup, type Row } from "./row.ts"
import { barMarkup, Timeline } from "./timeline.ts"

/** The size limits of the page's parts, in bytes. The page stays below 5 MB, however long the runs are. */
export class PageRoom {
  readonly rows = new Budget(2_100_000)
  /** A separate limit, so that rows of passed blocks can't push out failed ones. */
  readonly failedRows = new Budget(250_000)
  readonly details = new Budget(450_000)
  readonly failures = new Budget(800_000)
  /** The size limit for failures that are shown without details. */
  readonly messages = new Budget(200_000)
  readonly timeline = new Budget(400_000)
  readonly runs = new Budget(400_000)
  #ids = 0

  newId(): string {
    return `f${++this.#ids}`
  }
}

interface Span {
  readonly startMs: number
  readonly endMs: number
}

type Block = OpenBlock<Row>

/** The bytes around a row. */
const ROW_BYTES = '<li class="skipped"></li>'.length
const CONTAINER_BYTES = ROW_BYTES + "<details open><summary></summary><ol></ol></details>".length

export class RunSection implements RunSubscriber<Row> {
  readonly maxLogs = 100
  readonly report: RunReport
  readonly failures: Markup[] = []
  readonly #timeline = new Timeline()
  readonly #room: PageRoom
  readonly #blocks = newRow()
  /** The open blocks, numbered in start order. */
  readonly #open = new Map<number, Block>()
  /** The number of failures for which the page has no room. */
  moreFailures = 0
  isRetried = false
  isFinished = false
  readonly onWarning: (warning: Problem) => void

  constructor(report: RunReport, room: PageRoom, onWarning: (warning: Problem) => void) {
    this.report = report
    this.#room = room
    this.onWarning = onWarning
  }

  get status(): RunStatus {
    return this.isFinished ? this.report.status : "error"
  }

  get requests(): number {
    return this.#timeline.count
  }

  own(): Row {
    return newRow()
  }

  onStarted(block: Block): void {
    this.#open.set(block.block, block)
    addRow(block.own, this.#around(block))
  }

  onSkipped(block: Block): void {
    const { own: row, report, parent } = block
    row.status = "skipped"
    row.head = markup`${icons.skipped} ${shorten(report.id, 200)} <small>${report.type}, skipped (${report.reason})</small>`
    if (parent?.own.status === "skipped") row.skippedIn = parent.own.skippedIn ?? parent.own
    const around = row.skippedIn ?? this.#around(block)
    if (this.#room.rows.take(row.head, ROW_BYTES)) addRow(row, around)
    else around.omitted++
  }

  onIterationStarted(loop: Block, iteration: IterationReport): void {
    const row = newRow()
    row.head = markup`[${iteration.index}]`
    loop.own.iterations++
    loop.own.open ??= new Map()
    loop.own.open.set(iteration.index, row)
    addRow(row, loop.own)
  }

  onIterationFinished(loop: Block, iteration: IterationReport): void {
    const { index, value, status } = iteration
    const row = loop.own.open?.get(index)
    if (row === undefined) return
    loop.own.open?.delete(index)
    this.#end(row, loop.own, status, () => {
      const shown = value === null ? undefined : markup` <code>${valueText(value, 60)}</code>`
      return markup`${icons[status]} [${index}]${shown}`
    })
  }

  onFinished(block: Block, event: EventOf<"block.finished">): void {
    const { own: row, report } = block
    this.#open.delete(block.block)
    this.#timeline.add(block, this.span.startMs, this.#room.timeline)
    const isCause = report.status === "failed" && event.error?.code !== "child-failed"
    const failure = isCause ? this.#addFailure(block, event) : undefined
    if (!isCause) row.detail = this.#room.details.fit(() => passedMarkup(report))
    this.#end(row, this.#around(block), report.status, () => headMarkup(report, row.iterations, failure))
  }

  onRunFinished({ isRetried, error }: EventOf<"run.finished">): void {
    this.isFinished = true
    this.isRetried = isRetried === true
    if (error !== undefined)
      this.#addArticle(
        markup``,
        () => runErrorMarkup(error),
        () => markup`<p class="message">${shorten(error.message, 1000)}</p>`,
      )
  }

  /** Returns the run with all its blocks. Undefined if the page has no room. */
  section(isOpen: boolean): Markup | undefined {
    for (const block of [...this.#open.values()].reverse()) this.#cutOff(block)
    const { status, report } = this
    const head = markup`<details class="run ${status}"${isOpen ? new Markup(" open") : undefined}><summary>${icons[status]} <b>${shorten(runTitle(report), 300)}</b> ${this.#tags()}<small>${countsText(report)}</small></summary>`
    if (!this.#room.runs.take(head)) return undefined
    const facts = this.#room.details.fit(() => factsMarkup(report))
    return markup`${head}${facts}${listMarkup(this.#blocks)}</details>`
  }

  /** Returns the requests in time, below a bar for the whole run. `session` is when all runs started and ended. */
  timeline(session: Span, isOpen: boolean): Markup | undefined {
    const table = this.#timeline.table()
    if (table === undefined) return undefined
    const { status, report, requests, span } = this
    const startMs = span.startMs - session.startMs
    const facts = [
      plural(requests, "request"),
      `from ${formatDuration(startMs)}`,
      formatDuration(report.durationMs),
    ]
    return markup`<details class="run timed ${status}"${isOpen ? new Markup(" open") : undefined}><summary>${icons[status]} <b>${shorten(runTitle(report), 300)}</b> <small>${facts.join(", ")}</small>${barMarkup(startMs, report.durationMs, session.endMs - session.startMs)}</summary>${table}</details>`
  }

  /** When the run started and ended, in milliseconds since 1970. */
  get span(): Span {
    const startMs = Date.parse(this.report.startedAt)
    return { startMs, endMs: startMs + this.report.durationMs }
  }

  #tags(): readonly Markup[] {
    const tags = [
      this.report.flaky === true ? "flaky" : undefined,
      this.isRetried ? "retried" : undefined,
      this.isFinished ? undefined : "not finished",
    ]
    return tags.flatMap((tag) => (tag === undefined ? [] : [markup`<span class="tag">${tag}</span> `]))
  }

  #around({ iteration, parent }: Block): Row {
    return (iteration && parent?.own.open?.get(iteration.index)) ?? parent?.own ?? this.#blocks
  }

  #addFailure(block: Block, event: EventOf<"block.finished">): string | undefined {
    const message = () => markup`<p class="message">${shorten(event.error?.message ?? "failed", 1000)}</p>`
    const all = () => failureMarkup(block.report, event, this.report)
    return this.#addArticle(markup` › ${pathOf(block)}`, all, message)
  }

  /** Adds a failure: `all` of it, or `less` if the page has no room. Returns its id. */
  #addArticle(path: Markup, all: () => Markup, less: () => Markup): string | undefined {
    const id = this.#room.newId()
    const title = shorten(runTitle(this.report), 300)
    const make = (content: () => Markup) => () =>
      markup`<article id="${id}" class="failed"><h3>${icons.failed} ${title}${path}</h3>${content()}</article>`
    const article = this.#room.failures.fit(make(all)) ?? this.#room.messages.fit(make(less))
    if (article === undefined) this.moreFailures++
    else this.failures.push(article)
    return article && id
  }

  /** Ends a block of a run that never finished. */
  #cutOff(block: Block): void {
    const { own: row, report } = block
    row.head = markup`${icons.failed} ${shorten(report.id, 200)} <small>${report.type}, not finished</small>`
    this.#end(row, this.#around(block), "failed", () => row.head)
  }

  /** Turns a row into markup, or counts it if the page has no room. */
  #end(row: Row, around: Row, status: BlockStatus, head: () => Markup): void {
    row.status = status
    const room = status === "failed" ? this.#room.failedRows : this.#room.rows
    const isContainer = row.children.length > 0
    if (isContainer || !room.isSpent) row.head = head()
    if (room.take(row.head, isContainer ? CONTAINER_BYTES : ROW_BYTES) || isContainer)
      row.text = joined(rowMarkup(row))
    else {
      around.children.splice(around.children.lastIndexOf(row), 1)
      around.omitted += row.omitted + 1
    }
    // The text contains them.
    row.children = []
    row.detail = undefined
  }
}

/** Joins the parts of a string in memory, which otherwise take several times its length. Reading a character does that. */
function joined(made: Markup): Markup {
  if (made.length <= MAX_JOINED) made.text.charCodeAt(0)
  return made
}

function countsText({ status, counts, durationMs }: RunReport): string {
  if (status === "skipped") return "skipped"
  const blocks = (["passed", "failed", "skipped", "unchecked"] as const).flatMap((name) => {
    const count = counts[name] ?? 0
    return count === 0 ? [] : [`${count} ${name}`]
  })
  if (counts.known !== undefined) blocks.push(plural(counts.known, "known violation"))
  return [...blocks, formatDuration(durationMs)].join(", ")
}

function factsMarkup(run: RunReport): Markup {
  const { startedAt, environments, reason, inputs, differs, traceId, traceUrl: url } = run
  const rows: (readonly [string, string | Markup])[] = [["Started", timeMarkup(startedAt)]]
  for (const [api, environment] of Object.entries(environments))
    rows.push([shorten(api, 100), environmentMarkup(environment)])
  if (reason !== undefined) rows.push(["Skipped because", runSkipReasons[reason]])
  if (traceId !== undefined) rows.push(["Trace", traceMarkup({ traceId, url })])
  if (Object.keys(inputs).length > 0) rows.push(["Inputs", markup`<pre>${jsonText(inputs, 20)}</pre>`])
  return markup`<dl class="facts">${rows.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>${differs && differsMarkup(differs)}`
}

export const environmentMarkup = ({ name, level, baseUrl }: BoundEnvironment): Markup =>
  markup`${shorten(name, 100)}${name === level ? undefined : ` (${level})`}${baseUrl === undefined ? undefined : markup` <code>${shorten(baseUrl, 300)}</code>`}`

/** Shows a time in UTC: `2026-11-21 04:05:06 UTC`. */
export const timeMarkup = (time: string): Markup =>
  markup`<time datetime="${time}">${time.replace("T", " ").replace(/(?:\.\d+)?Z$/, " UTC")}</time>`
