// Writes JUnit XML for CI systems. Each workflow becomes a suite, and each block that performs an action becomes a test
// case.

import type { Latest } from "@callsheet/engine"
import {
  formatProblem,
  innerListOf,
  isUnchecked,
  stringifyJson,
  trackBlocks,
  type Arrival,
  type BlockReport,
  type EventOf,
  type OpenBlock,
  type Problem,
  type RunError,
  type RunReport,
  type RunSubscriber,
  ownOf,
} from "@callsheet/format"
import { plain } from "../screen.ts"
import { breakCommandsInXml } from "../text/log-commands.ts"
import { MAX_SEGMENTS, pathText } from "./block-path.ts"
import { chunks } from "./chunks.ts"
import { KeptText, parseKept } from "./kept-text.ts"
import { renderFailure } from "./render-failure.ts"
import { requestProblemLines } from "./request-problem.ts"
import type { Reporter, ReporterContext } from "./reporter.ts"
import { MAX_RUN_WARNINGS } from "./run-findings.ts"
import { runSkipReasons, runTitle } from "./run-title.ts"
import { uncheckedTexts } from "./unchecked-text.ts"

/**
 * Creates the reporter. It writes everything at the end, because the first line of the document contains the counts.
 */
export function createJunit({ output }: ReporterContext): Reporter {
  let latest: Latest | undefined
  const kept = new KeptText()
  const total = { tests: 0, failures: 0, errors: 0, durationMs: 0 }
  const onFinished = (suite: Suite): void => {
    for (const name of ["tests", "failures", "errors"] as const) total[name] += suite.counts[name]
    total.durationMs += suite.run.durationMs
    suite.moveTo(kept)
  }
  const { apply } = trackBlocks((run) => new Suite(run, () => latest, onFinished))
  return {
    onEvent: (event, now) => {
      latest = now
      apply(event)
    },
    finish: () => {
      for (const chunk of chunks(documentPieces(total, kept, latest))) output.write(chunk, "exact")
    },
  }
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

/** A case that is kept until the end of the run, because its values may become secret. */
interface KeptCase {
  /** The path of the block: ids of blocks, and indexes of iterations. */
  readonly steps: readonly (string | number)[]
  readonly report: BlockReport
  /** Set only for a failure. */
  readonly ending?: EventOf<"block.finished"> | undefined
}

/**
 * A warning that is kept until the end of the run: its problem, or the lines of a request's problems with the path of
 * the block.
 */
type KeptWarning =
  | { readonly warning: Problem }
  | { readonly steps: KeptCase["steps"]; readonly at: number; readonly event: EventOf<"request.checked"> }

/** The lines around the cases of a run. */
interface SuiteStart {
  readonly run: RunReport
  readonly counts: Suite["counts"]
  readonly isRetried: boolean
}

interface SuiteEnd {
  readonly warnings: readonly KeptWarning[]
}

/** A block. Its `own` is the number of secrets that the session had learned when its outermost block started. */
type Block = OpenBlock<number>

class Suite implements RunSubscriber<number> {
  readonly maxLogs = 1000
  readonly run: RunReport
  readonly counts = { tests: 0, failures: 0, errors: 0, skipped: 0 }
  readonly #latest: () => Latest | undefined
  readonly #onFinished: (suite: Suite) => void
  readonly #learned: number
  /** The cases, one per line: the element of a plain case, or the JSON of a `KeptCase`. */
  readonly #cases = new KeptText()
  readonly #classname: string
  #isRetried = false
  /** The warnings by their original text. */
  readonly #warnings = new Map<string, KeptWarning>()

  constructor(run: RunReport, latest: () => Latest | undefined, onFinished: (suite: Suite) => void) {
    this.run = run
    this.#latest = latest
    this.#onFinished = onFinished
    this.#learned = latest()?.learned() ?? 0
    this.#classname = xmlAttributes({ classname: runTitle(run) })
  }

  /** Appends the run to `kept`: a line each for its start, its cases and its end. */
  moveTo(kept: KeptText): void {
    const { counts, run } = this
    const start: SuiteStart = { run: { ...run, inputs: {}, blocks: [] }, counts, isRetried: this.#isRetried }
    const end: SuiteEnd = { warnings: [...this.#warnings.values()] }
    kept.add(`start ${stringifyJson(start)}\n`, this.#learned)
    kept.take(this.#cases)
    kept.add(`end ${stringifyJson(end)}\n`, this.#learned)
  }

  own(_report: BlockReport, parent: Block | undefined): number {
    return parent?.own ?? this.#latest()?.learned() ?? 0
  }

  onWarning(warning: Problem): void {
    this.#warn({ warning })
  }

  onArrived(block: Block, event: Arrival): void {
    if (event.type !== "request.checked") return
    const steps = stepsTo(block)
    for (const at of requestProblemLines(event.problems, plain).keys()) this.#warn({ steps, at, event })
  }

  onSkipped(block: Block): void {
    // The blocks in a skipped group or condition are reported next. A skipped loop is itself a test case.
    if (block.report.blocks === undefined) this.#addCase(block)
  }

  onFinished(block: Block, ending: EventOf<"block.finished">): void {
    const { report } = block
    if (report.status === "failed" && ending.error?.code !== "child-failed") this.#addCase(block, ending)
    else if (innerListOf(report.type) === undefined) this.#addCase(block)
  }

  onRunFinished({ status, error, isRetried }: EventOf<"run.finished">): void {
    const { counts } = this
    if (isRetried === true) {
      // Only the last attempt counts. The failure of an earlier one would fail the build.
      this.#isRetried = true
      counts.skipped += counts.failures
      counts.failures = 0
    }
    if (error !== undefined || status === "skipped") {
      counts.tests++
      counts[status === "skipped" ? "skipped" : status === "error" ? "errors" : "failures"]++
    }
    this.#onFinished(this)
  }

  #warn(warning: KeptWarning): void {
    if (this.#warnings.size < MAX_RUN_WARNINGS) this.#warnings.set(warningText(warning, undefined), warning)
  }

  #addCase(block: Block, ending?: EventOf<"block.finished">): void {
    const { id, type, status, reason, durationMs, logs } = block.report
    this.counts.tests++
    if (ending !== undefined) this.counts.failures++
    else if (status === "skipped") this.counts.skipped++
    const isPlain = status === "passed" && logs === undefined && !isUnchecked(block.report)
    const name = isPlain ? plainName(block) : undefined
    if (name !== undefined)
      return this.#cases.add(
        `    <testcase name="${name}"${this.#classname} time="${seconds(durationMs)}"/>\n`,
        block.own,
      )
    // A failure needs the whole block. Other cases need only these fields.
    const summary: BlockReport = { id, type, status, durationMs }
    if (reason !== undefined) summary.reason = reason
    if (logs !== undefined) summary.logs = logs
    const { contract, requestUnchecked } = block.report
    if (contract !== undefined) summary.contract = { ...contract, problems: [] }
    if (requestUnchecked !== undefined) summary.requestUnchecked = requestUnchecked
    const report = ending === undefined ? summary : block.report
    const kept: KeptCase = { steps: stepsTo(block), report, ending }
    this.#cases.add(`${stringifyJson(kept)}\n`, block.own)
  }
}

/** Returns the name of a block if its path can be parsed from the name. This is cheaper than JSON for each block. */
function plainName(block: Block): string | undefined {
  let name = ""
  let segments = 0
  for (let at: Block | undefined = block; at !== undefined; at = at.parent) {
    const { iteration, report, parent } = at
    if (!/^[\w-]+$/.test(report.id)) return undefined
    name = report.id + name
    if (iteration !== undefined) name = `[${iteration.index}] › ${name}`
    if (parent !== undefined) name = ` › ${name}`
    segments += iteration === undefined ? 1 : 2
  }
  return segments > MAX_SEGMENTS ? undefined : name
}

/** Reads a kept case. A plain case is already an XML element. */
function readCase(line: string): KeptCase {
  if (line.startsWith("{")) return parseKept<KeptCase>(line)
  const [, name = "", time] = /^[^"]*"([^"]*)".* time="([^"]*)"/.exec(line) ?? []
  const segments = name.split(" › ")
  return {
    steps: segments.map((segment) => (segment.startsWith("[") ? Number(segment.slice(1, -1)) : segment)),
    report: { id: "", type: "group", status: "passed", durationMs: Number(time) * 1000 },
  }
}

function stepsTo(block: Block): (string | number)[] {
  const steps: (string | number)[] = []
  for (let at: Block | undefined = block; at !== undefined; at = at.parent) {
    steps.push(at.report.id)
    if (at.iteration !== undefined) steps.push(at.iteration.index)
  }
  return steps.reverse()
}

const segmentsOf = (steps: KeptCase["steps"]): string[] =>
  steps.map((step) => (typeof step === "number" ? `[${step}]` : step))

function caseOf({ steps, report, ending }: KeptCase, isRetried: boolean): Case {
  const name = pathText(segmentsOf(steps))
  const { durationMs } = report
  const output = [...uncheckedTexts(report), ...(report.logs ?? [])]
  const logs = output.length === 0 ? undefined : output
  if (ending === undefined) {
    const isSkipped = report.status === "skipped"
    const message = report.reason ?? "cancelled"
    return { name, durationMs, logs, outcome: isSkipped ? { is: "skipped", message, lines: [] } : undefined }
  }
  const { message = "failed", code: type = "failed", file, line } = ending.error ?? {}
  const lines = renderFailure({ path: name, report, ending }, plain)
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

interface Total {
  readonly tests: number
  readonly failures: number
  readonly errors: number
  readonly durationMs: number
}

function* documentPieces({ durationMs, ...counts }: Total, kept: KeptText, latest: Latest | undefined) {
  const attributes = { name: "callsheet", ...counts, time: seconds(durationMs) }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(attributes)}>\n`
  let suite: SuiteStart | undefined
  for (const { text, learned } of kept) {
    const mask = learned === (latest?.learned() ?? 0) ? undefined : latest
    for (const line of text.slice(0, -1).split("\n")) {
      if (mask === undefined && line.startsWith(" ")) yield `${line}\n`
      else if (line.startsWith("start ")) {
        suite = parseKept<SuiteStart>(line.slice("start ".length))
        mask?.report({ runs: [suite.run] })
        yield* startPieces(suite)
      } else if (suite !== undefined) {
        if (line.startsWith("end ")) yield* endPieces(suite, parseKept(line.slice("end ".length)), mask)
        else yield caseText(caseOf(caseNow(readCase(line), mask), suite.isRetried), runTitle(suite.run))
      }
    }
  }
  yield "</testsuites>\n"
}

function* startPieces({ run, counts }: SuiteStart): Generator<string, void> {
  const attributes = {
    name: runTitle(run),
    ...counts,
    time: seconds(run.durationMs),
    // The JUnit schema allows no time zone, so the time is in UTC.
    timestamp: run.startedAt.replace(/(?:\.[0-9]+)?Z$/, ""),
  }
  yield `  <testsuite${xmlAttributes(attributes)}>\n`
  const { unchecked } = run.counts
  const properties = Object.entries(run.environments).map(([api, { name, level }]) => ({
    name: `environment.${api}`,
    value: `${name} (${level})`,
  }))
  if (unchecked !== undefined) properties.push({ name: "unchecked", value: String(unchecked) })
  if (properties.length === 0) return
  yield "    <properties>\n"
  for (const property of properties) yield `      <property${xmlAttributes(property)}/>\n`
  yield "    </properties>\n"
}

function* endPieces({ run }: SuiteStart, end: SuiteEnd, latest: Latest | undefined): Generator<string, void> {
  const { status, reason, error } = run
  const title = runTitle(run)
  if (error !== undefined) yield caseText(errorCase(title, error, status === "error"), title)
  if (reason !== undefined) {
    const outcome: Outcome = { is: "skipped", message: `${reason}: ${runSkipReasons[reason]}`, lines: [] }
    yield caseText({ name: title, durationMs: 0, outcome }, title)
  }
  const warnings = new Set(end.warnings.map((warning) => warningText(warning, latest)))
  if (warnings.size > 0) yield `    <system-err>${xmlText([...warnings].join("\n"))}</system-err>\n`
  yield "  </testsuite>\n"
}

function warningText(kept: KeptWarning, latest: Latest | undefined): string {
  if ("warning" in kept) {
    const event = { type: "warning.raised", run: 0, warning: kept.warning } as const
    return formatProblem((latest?.event(event) ?? event).warning)
  }
  const { problems } = latest?.event(kept.event) ?? kept.event
  const line = requestProblemLines(problems, plain)[kept.at]
  return `${pathText(segmentsOf(stepsNow(kept.steps, latest)))}: ${line}`
}

function caseNow({ steps, report, ending }: KeptCase, latest: Latest | undefined): KeptCase {
  latest?.blocks([report])
  return { steps: stepsNow(steps, latest), report, ending: ending && (latest?.event(ending) ?? ending) }
}

const stepsNow = (steps: KeptCase["steps"], latest: Latest | undefined): KeptCase["steps"] =>
  steps.map((step) => {
    if (typeof step === "number") return step
    const block: BlockReport = { id: step, type: "group", status: "passed", durationMs: 0 }
    latest?.blocks([block])
    return block.id
  })

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
