// Writes JUnit XML for CI systems. Each workflow becomes a suite, and each block that performs an action becomes a test
// case.

import {
  formatProblem,
  innerListOf,
  ownOf,
  trackBlocks,
  type Arrival,
  type EventOf,
  type OpenBlock,
  type Problem,
  type RunError,
  type RunEvent,
  type RunReport,
  type RunSubscriber,
} from "@callsheet/format"
import { plain } from "../screen.ts"
import { TextSpool } from "../record/text-spool.ts"
import { breakCommandsInXml } from "../text/log-commands.ts"
import { pathOf } from "./block-path.ts"
import { knownTexts } from "./known-text.ts"
import { renderFailure } from "./render-failure.ts"
import { requestProblemLines } from "./request-problem.ts"
import type { FileReporter } from "./reporter.ts"
import { MAX_RUN_WARNINGS } from "./run-findings.ts"
import { runSkipReasons, runTitle } from "./run-title.ts"
import { uncheckedTexts } from "./unchecked-text.ts"

export const writeJunit: FileReporter = function* (events) {
  // Each element starts with counts, so its contents wait in a spool.
  const suites = new TextSpool()
  const total = { tests: 0, failures: 0, errors: 0 }
  let durationMs = 0
  /** The suite that ended last. Warnings of the whole session may follow. */
  let ended: Suite | undefined
  const write = (suite: Suite | undefined): void => {
    for (const piece of suite?.pieces() ?? []) suites.add(piece)
  }
  const retried = retriedRuns(events)
  let isRetried = false
  const { apply } = trackBlocks((run) => {
    const onFinished = (suite: Suite): void => {
      for (const name of ["tests", "failures", "errors"] as const) total[name] += suite.counts[name]
      durationMs += run.durationMs
      write(ended)
      ended = suite
    }
    return new Suite(run, { isRetried, onFinished })
  })
  for (const event of events) {
    if (event.type === "run.started") isRetried = retried.has(event.run)
    apply(event)
  }
  write(ended)
  const attributes = { name: "callsheet", ...total, time: seconds(durationMs) }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(attributes)}>\n`
  yield* suites
  yield "</testsuites>\n"
}

/** Returns the runs that were attempts and then repeated. Their failures don't count. */
function retriedRuns(events: Iterable<RunEvent>): ReadonlySet<number> {
  const retried = new Set<number>()
  for (const event of events)
    if (event.type === "run.finished" && event.isRetried === true) retried.add(event.run)
  return retried
}

interface Case {
  readonly name: string
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly durationMs: number
  readonly outcome?: Outcome | undefined
  readonly logs?: readonly string[] | undefined
}

interface Outcome {
  readonly is: "failure" | "error" | "skipped"
  readonly message: string
  readonly type?: string
  readonly lines: readonly string[]
}

interface SuiteOptions {
  readonly isRetried: boolean
  readonly onFinished: (suite: Suite) => void
}

type Block = OpenBlock<undefined>

class Suite implements RunSubscriber<undefined> {
  readonly maxLogs = 1000
  readonly counts = { tests: 0, failures: 0, errors: 0, skipped: 0 }
  readonly #run: RunReport
  readonly #options: SuiteOptions
  readonly #cases = new TextSpool()
  readonly #warnings = new Set<string>()

  constructor(run: RunReport, options: SuiteOptions) {
    this.#run = run
    this.#options = options
  }

  *pieces(): Generator<string, void> {
    yield* startPieces(this.#run, this.counts)
    yield* this.#cases
    if (this.#warnings.size > 0)
      yield `    <system-err>${xmlText([...this.#warnings].join("\n"))}</system-err>\n`
    yield "  </testsuite>\n"
  }

  own(): undefined {
    return undefined
  }

  onWarning(warning: Problem): void {
    this.#warn(formatProblem(warning))
  }

  onArrived(block: Block, event: Arrival): void {
    if (event.type !== "request.checked") return
    for (const line of requestProblemLines(event.problems, plain)) this.#warn(`${pathOf(block)}: ${line}`)
  }

  onSkipped(block: Block): void {
    // The blocks in a skipped group or condition are reported next. A skipped loop is itself a test case.
    if (block.report.blocks === undefined) this.#addBlock(block)
  }

  onFinished(block: Block, ending: EventOf<"block.finished">): void {
    const { report } = block
    if (report.status === "failed" && ending.error?.code !== "child-failed") this.#addBlock(block, ending)
    else if (innerListOf(report.type) === undefined) this.#addBlock(block)
  }

  onRunFinished(): void {
    const { status, reason, error } = this.#run
    const { counts } = this
    const title = runTitle(this.#run)
    if (error !== undefined || status === "skipped") {
      counts.tests++
      counts[status === "skipped" ? "skipped" : status === "error" ? "errors" : "failures"]++
    }
    if (error !== undefined) this.#add(errorCase(title, error, status === "error"))
    if (reason !== undefined) {
      const outcome: Outcome = { is: "skipped", message: `${reason}: ${runSkipReasons[reason]}`, lines: [] }
      this.#add({ name: title, durationMs: 0, outcome })
    }
    this.#options.onFinished(this)
  }

  #warn(text: string): void {
    if (this.#warnings.size < MAX_RUN_WARNINGS) this.#warnings.add(text)
  }

  #addBlock(block: Block, ending?: EventOf<"block.finished">): void {
    const { isRetried } = this.#options
    this.counts.tests++
    if (ending !== undefined) this.counts[isRetried ? "skipped" : "failures"]++
    else if (block.report.status === "skipped") this.counts.skipped++
    this.#add(caseOf(block, ending, isRetried))
  }

  #add(item: Case): void {
    this.#cases.add(caseText(item, runTitle(this.#run)))
  }
}

function caseOf(block: Block, ending: EventOf<"block.finished"> | undefined, isRetried: boolean): Case {
  const { report } = block
  const name = pathOf(block)
  const { durationMs } = report
  const output = [...knownTexts(report), ...uncheckedTexts(report), ...(report.logs ?? [])]
  const logs = output.length === 0 ? undefined : output
  if (ending === undefined) {
    const isSkipped = report.status === "skipped"
    const message = report.reason ?? "cancelled"
    return { name, durationMs, logs, outcome: isSkipped ? { is: "skipped", message, lines: [] } : undefined }
  }
  const { message = "failed", code: type = "failed", file, line } = ending.error ?? {}
  const lines = renderFailure({ path: name, report, run: block.run.report, ending }, plain)
  const place = { name, file, line, durationMs, logs }
  if (isRetried) {
    const outcome: Outcome = { is: "skipped", message: `failed, then retried: ${message}`, lines }
    return { ...place, outcome }
  }
  return { ...place, outcome: { is: "failure", message, type, lines } }
}

function errorCase(name: string, { message, code: type, problems }: RunError, isError: boolean): Case {
  const lines = problems.flatMap((problem) => [
    formatProblem(problem),
    ...(problem.hint === undefined ? [] : [`  hint: ${problem.hint}`]),
  ])
  const { file, line } = problems[0] ?? {}
  return {
    name,
    file,
    line,
    durationMs: 0,
    outcome: { is: isError ? "error" : "failure", message, type, lines },
  }
}

function* startPieces(run: RunReport, counts: Suite["counts"]): Generator<string, void> {
  const attributes = {
    name: runTitle(run),
    ...counts,
    time: seconds(run.durationMs),
    // The JUnit schema allows no time zone, so the time is in UTC.
    timestamp: run.startedAt.replace(/(?:\.[0-9]+)?Z$/, ""),
  }
  yield `  <testsuite${xmlAttributes(attributes)}>\n`
  const { unchecked, known } = run.counts
  const properties = Object.entries(run.environments).map(([api, { name, level }]) => ({
    name: `environment.${api}`,
    value: `${name} (${level})`,
  }))
  if (run.traceId !== undefined) properties.push({ name: "traceId", value: run.traceId })
  if (run.traceUrl !== undefined) properties.push({ name: "traceUrl", value: run.traceUrl })
  if (unchecked !== undefined) properties.push({ name: "unchecked", value: String(unchecked) })
  if (known !== undefined) properties.push({ name: "known", value: String(known) })
  if (properties.length === 0) return
  yield "    <properties>\n"
  for (const property of properties) yield `      <property${xmlAttributes(property)}/>\n`
  yield "    </properties>\n"
}

function caseText({ name, file, line, durationMs, outcome, logs }: Case, classname: string): string {
  const attributes = { name, classname, file, line, time: seconds(durationMs) }
  const tag = `    <testcase${xmlAttributes(attributes)}`
  const inner =
    (outcome === undefined ? "" : outcomeText(outcome)) +
    (logs === undefined ? "" : `<system-out>${xmlText(logs.join("\n"))}</system-out>`)
  return inner === "" ? `${tag}/>\n` : `${tag}>${inner}</testcase>\n`
}

function outcomeText({ is, message, type, lines }: Outcome): string {
  const tag = `<${is}${xmlAttributes({ message, type })}`
  return lines.length === 0 ? `${tag}/>` : `${tag}>${xmlText(lines.join("\n"))}</${is}>`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)

// Matches the characters that XML excludes: most control characters, surrogates, and two code points.
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Without escapes, readers turn these characters into spaces (in attributes) or line feeds (in text).
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
}

const escape = (character: string): string => ownOf(escapes, character) ?? character

const xmlText = (text: string): string =>
  breakCommandsInXml(text.replace(illegal, "").replace(/[&<>\r]/g, escape))

/** Formats the attributes of a tag, each after a space. Leaves out undefined values. */
function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  let text = ""
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const safe = String(value).replace(illegal, "")
    text += ` ${name}="${breakCommandsInXml(safe.replace(/[&<>"\t\n\r]/g, escape))}"`
  }
  return text
}
