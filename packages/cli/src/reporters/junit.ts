// JUnit XML as CI systems read it: a suite per workflow, a test case per block that does something.

import {
  formatProblem,
  innerListOf,
  trackBlocks,
  type Arrival,
  type OpenBlock,
  type Problem,
  type RunError,
  type RunReport,
  type RunSubscriber,
} from "@callsheet/format"
import { plain } from "../screen.ts"
import { breakCommandsInXml } from "../text/log-commands.ts"
import { pathOf } from "./block-path.ts"
import { chunks } from "./chunks.ts"
import { renderFailure, type FailedBlock } from "./render-failure.ts"
import { requestProblemLines } from "./request-problem.ts"
import type { Reporter, ReporterContext } from "./reporter.ts"

/** Makes the reporter `junit`. The document is written at the end: its first line holds the counts. */
export function createJunit({ output }: ReporterContext): Reporter {
  const suites: Suite[] = []
  const { apply } = trackBlocks((run) => {
    const suite = new Suite(run)
    suites.push(suite)
    return suite
  })
  return {
    onEvent: apply,
    finish: () => {
      for (const chunk of chunks(documentPieces(suites))) output.write(chunk, "exact")
    },
  }
}

interface Case {
  readonly name: string
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

type Block = OpenBlock<undefined>

const MAX_WARNINGS = 1000

class Suite implements RunSubscriber<undefined> {
  readonly maxLogs = 1000
  readonly run: RunReport
  readonly counts = { tests: 0, failures: 0, errors: 0, skipped: 0 }
  readonly cases: Case[] = []
  readonly warnings = new Set<string>()

  constructor(run: RunReport) {
    this.run = run
  }

  own(): undefined {}

  onWarning(warning: Problem): void {
    this.#warn(formatProblem(warning))
  }

  onArrived(block: Block, event: Arrival): void {
    if (event.type !== "request.checked") return
    for (const line of requestProblemLines(event.problems, plain)) this.#warn(`${pathOf(block)}: ${line}`)
  }

  onSkipped(block: Block): void {
    // The blocks of a skipped group or condition follow; a skipped loop is a test case itself.
    if (block.report.blocks === undefined) this.#addSkipped(block)
  }

  onFinished(block: Block, ending: FailedBlock["ending"]): void {
    const { report } = block
    if (report.status === "failed" && ending.error?.code !== "child-failed") {
      this.counts.failures++
      const { message = "failed", code: type = "failed" } = ending.error ?? {}
      const lines = renderFailure({ path: pathOf(block), report, ending }, plain)
      this.#addCase(block, { is: "failure", message, type, lines })
    } else if (innerListOf(report.type) !== undefined) return
    else if (report.status === "skipped") this.#addSkipped(block)
    else this.#addCase(block)
  }

  onRunFinished({ error }: { readonly error?: RunError }): void {
    if (error === undefined) return
    this.counts.tests++
    this.counts.errors++
    const lines = error.problems.flatMap((problem) => [
      formatProblem(problem),
      ...(problem.hint === undefined ? [] : [`  hint: ${problem.hint}`]),
    ])
    const { message, code: type } = error
    this.cases.push({
      name: this.run.workflow,
      durationMs: 0,
      outcome: { is: "error", message, type, lines },
    })
  }

  #warn(text: string): void {
    if (this.warnings.size < MAX_WARNINGS) this.warnings.add(text)
  }

  #addSkipped(block: Block): void {
    this.counts.skipped++
    this.#addCase(block, { is: "skipped", message: block.report.reason ?? "cancelled", lines: [] })
  }

  #addCase(block: Block, outcome?: Outcome): void {
    this.counts.tests++
    const { durationMs, logs } = block.report
    this.cases.push({ name: pathOf(block), durationMs, outcome, logs })
  }
}

function* documentPieces(suites: readonly Suite[]): Generator<string, void> {
  const total = (count: (suite: Suite) => number) => suites.reduce((sum, suite) => sum + count(suite), 0)
  const attributes = {
    name: "callsheet",
    tests: total(({ counts }) => counts.tests),
    failures: total(({ counts }) => counts.failures),
    errors: total(({ counts }) => counts.errors),
    time: seconds(total(({ run }) => run.durationMs)),
  }
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(attributes)}>\n`
  for (const suite of suites) yield* suitePieces(suite)
  yield "</testsuites>\n"
}

function* suitePieces({ run, counts, cases, warnings }: Suite): Generator<string, void> {
  const attributes = {
    name: run.workflow,
    ...counts,
    time: seconds(run.durationMs),
    // The schemas of this format know no time zone: it is UTC.
    timestamp: run.startedAt.replace(/(?:\.[0-9]+)?Z$/, ""),
  }
  yield `  <testsuite${xmlAttributes(attributes)}>\n`
  const environments = Object.entries(run.environments)
  if (environments.length > 0) {
    yield "    <properties>\n"
    for (const [api, { name, level }] of environments) {
      yield `      <property${xmlAttributes({ name: `environment.${api}`, value: `${name} (${level})` })}/>\n`
    }
    yield "    </properties>\n"
  }
  for (const one of cases) yield caseText(one, run.workflow)
  if (warnings.size > 0) yield `    <system-err>${xmlText([...warnings].join("\n"))}</system-err>\n`
  yield "  </testsuite>\n"
}

function caseText({ name, durationMs, outcome, logs }: Case, workflow: string): string {
  const attributes = { name, classname: workflow, time: seconds(durationMs) }
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

// Control characters but for tab and line ends, halves of surrogate pairs, and two code points that XML leaves out.
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  // Written as they are, a reader would make blanks of them (attributes) or line feeds (text).
  "\t": "&#9;",
  "\n": "&#10;",
  "\r": "&#13;",
}

const escape = (character: string): string => escapes[character] ?? character

/** Text between tags. */
const xmlText = (text: string): string =>
  breakCommandsInXml(text.replace(illegal, "").replace(/[&<>\r]/g, escape))

/** The attributes of a tag, each with a blank before it; absent values are left out. */
function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  let text = ""
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue
    const safe = String(value).replace(illegal, "")
    text += ` ${name}="${breakCommandsInXml(safe.replace(/[&<>"\t\n\r]/g, escape))}"`
  }
  return text
}
