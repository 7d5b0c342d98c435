// JUnit XML as CI systems read it: a suite per workflow, a test case per block that does something.

import {
  formatProblem,
  type AssertionView,
  type BlockEntered,
  type BlockKind,
  type ContractProblem,
  type ContractView,
  type RunEvent,
} from "@callsheet/format"
import { plain } from "../screen.ts"
import { pathOf, type PlacedBlock } from "./block-path.ts"
import { chunks } from "./chunks.ts"
import { renderFailure } from "./render-failure.ts"
import { requestProblemLines } from "./request-problem.ts"
import type { Reporter, ReporterContext } from "./reporter.ts"
import { xmlAttributes, xmlText } from "./xml.ts"

/** Makes the reporter `junit`. The document is written at the end: its first line holds the counts. */
export const createJunit = (context: ReporterContext): Reporter => new Junit(context)

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>

interface OpenBlock extends PlacedBlock {
  readonly kind: BlockKind
  readonly parent: OpenBlock | undefined
  assertions?: readonly AssertionView[]
  contract?: ContractView
  requestProblems?: readonly ContractProblem[]
  logs?: string[]
}

interface Counts {
  tests: number
  failures: number
  errors: number
  skipped: number
}

interface Suite {
  readonly start: EventOf<"run.started">
  readonly open: Map<number, OpenBlock>
  readonly counts: Counts
  readonly cases: Case[]
  readonly warnings: Set<string>
  durationMs: number
}

interface Case {
  readonly name: string
  readonly durationMs: number
  readonly outcome?: Outcome
  readonly logs?: readonly string[]
}

interface Outcome {
  readonly is: "failure" | "error" | "skipped"
  readonly message: string
  readonly type?: string
  readonly lines: readonly string[]
}

/** Whether a block of a kind only holds others; it is a test case where it fails by itself. */
const isContainer: { readonly [K in BlockKind]: boolean } = {
  request: false,
  assert: false,
  transform: false,
  script: false,
  condition: true,
  loop: true,
  group: true,
}

const MOST_LOGS = 1000
const MOST_WARNINGS = 1000

class Junit implements Reporter {
  readonly #context: ReporterContext
  readonly #suites: Suite[] = []

  constructor(context: ReporterContext) {
    this.#context = context
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === "run.started") {
      const counts = { tests: 0, failures: 0, errors: 0, skipped: 0 }
      this.#suites.push({
        start: event,
        open: new Map(),
        counts,
        cases: [],
        warnings: new Set(),
        durationMs: 0,
      })
      return
    }
    const suite = this.#suites.at(-1)
    if (suite !== undefined) hear(suite, event)
  }

  readonly finish = (): void => {
    const { output, held } = this.#context
    const total = (name: keyof Counts) => this.#suites.reduce((sum, { counts }) => sum + counts[name], 0)
    const attributes = {
      name: "callsheet",
      tests: total("tests"),
      failures: total("failures"),
      errors: total("errors"),
      time: seconds(this.#suites.reduce((sum, suite) => sum + suite.durationMs, 0)),
    }
    for (const chunk of chunks(documentPieces(attributes, this.#suites, held.text))) output.write(chunk)
  }
}

function hear(suite: Suite, event: Exclude<RunEvent, EventOf<"run.started">>): void {
  switch (event.type) {
    case "block.started":
      suite.open.set(event.block, place(suite, event))
      return
    case "block.skipped":
      return skip(suite, event)
    case "block.finished":
      return finish(suite, event)
    case "run.finished":
      return finishRun(suite, event)
    case "warning.raised":
      return addWarning(suite, formatProblem(event.warning))
    case "api.documented":
      return
  }
  const block = suite.open.get(event.block)
  if (block === undefined) return
  if (event.type === "assertions.checked") block.assertions = event.assertions
  else if (event.type === "contract.checked") block.contract = event.contract
  else if (event.type === "request.checked") doubt(suite, block, event.problems)
  else if (event.type === "log.written") {
    const logs = (block.logs ??= [])
    if (logs.length < MOST_LOGS) logs.push(event.text)
  }
}

function doubt(suite: Suite, block: OpenBlock, problems: readonly ContractProblem[]): void {
  block.requestProblems = problems
  for (const line of requestProblemLines(problems, plain)) addWarning(suite, `${pathOf(block)}: ${line}`)
}

function addWarning(suite: Suite, text: string): void {
  if (suite.warnings.size < MOST_WARNINGS) suite.warnings.add(text)
}

const place = (suite: Suite, event: BlockEntered): OpenBlock => ({
  id: event.id,
  kind: event.kind,
  parent: event.parent === undefined ? undefined : suite.open.get(event.parent),
  iteration: event.iteration,
})

function skip(suite: Suite, event: EventOf<"block.skipped">): void {
  const block = place(suite, event)
  // The blocks in a skipped container follow; a skipped loop has no iterations, and so stands for itself.
  if (event.kind === "group" || event.kind === "condition") suite.open.set(event.block, block)
  else addSkipped(suite, block, { reason: event.reason, durationMs: 0 })
}

function finish(suite: Suite, event: EventOf<"block.finished">): void {
  const block = suite.open.get(event.block)
  if (block === undefined) return
  suite.open.delete(event.block)
  const { status, durationMs, error, exchanges = [], reason = "cancelled" } = event
  if (status === "failed" && error?.code !== "child-failed") {
    suite.counts.failures++
    const { assertions = [], contract, requestProblems = [], logs = [] } = block
    const failure = { path: pathOf(block), error, assertions, contract, requestProblems, exchanges, logs }
    const { message = "failed", code: type = "failed" } = error ?? {}
    addCase(suite, block, {
      durationMs,
      outcome: { is: "failure", message, type, lines: renderFailure(failure, plain) },
    })
  } else if (isContainer[block.kind]) return
  else if (status === "skipped") addSkipped(suite, block, { reason, durationMs })
  else addCase(suite, block, { durationMs })
}

function addSkipped(suite: Suite, block: OpenBlock, skipped: { reason: string; durationMs: number }): void {
  const { reason, durationMs } = skipped
  suite.counts.skipped++
  addCase(suite, block, { durationMs, outcome: { is: "skipped", message: reason, lines: [] } })
}

function addCase(suite: Suite, block: OpenBlock, ended: Pick<Case, "durationMs" | "outcome">): void {
  suite.counts.tests++
  const { logs } = block
  suite.cases.push({ name: pathOf(block), ...ended, ...(logs === undefined ? {} : { logs }) })
}

function finishRun(suite: Suite, { durationMs, error }: EventOf<"run.finished">): void {
  suite.durationMs = durationMs
  if (error === undefined) return
  suite.counts.tests++
  suite.counts.errors++
  const { workflow } = suite.start
  const lines = error.problems.flatMap((problem) => [
    formatProblem(problem),
    ...(problem.hint === undefined ? [] : [`  hint: ${problem.hint}`]),
  ])
  const { message, code: type } = error
  suite.cases.push({ name: workflow, durationMs: 0, outcome: { is: "error", message, type, lines } })
}

function* documentPieces(
  attributes: Readonly<Record<string, string | number>>,
  suites: readonly Suite[],
  mask: Mask,
): Generator<string, void> {
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${xmlAttributes(attributes)}>\n`
  for (const suite of suites) yield* suitePieces(suite, mask)
  yield "</testsuites>\n"
}

function* suitePieces(
  { start, counts, cases, warnings, durationMs }: Suite,
  mask: Mask,
): Generator<string, void> {
  const attributes = {
    name: start.workflow,
    ...counts,
    time: seconds(durationMs),
    // The schemas of this format know no time zone: it is UTC.
    timestamp: start.startedAt.replace(/(?:\.[0-9]+)?Z$/, ""),
  }
  yield `  <testsuite${xmlAttributes(attributes)}>\n`
  const environments = Object.entries(start.environments)
  if (environments.length > 0) {
    yield "    <properties>\n"
    for (const [api, { name, level }] of environments) {
      yield `      <property${xmlAttributes({ name: `environment.${api}`, value: `${name} (${level})` })}/>\n`
    }
    yield "    </properties>\n"
  }
  for (const one of cases) yield caseText(one, start.workflow, mask)
  if (warnings.size > 0) yield `    <system-err>${xmlText(mask([...warnings].join("\n")))}</system-err>\n`
  yield "  </testsuite>\n"
}

type Mask = (text: string) => string

function caseText({ name, durationMs, outcome, logs }: Case, workflow: string, mask: Mask): string {
  const attributes = { name: mask(name), classname: workflow, time: seconds(durationMs) }
  const tag = `    <testcase${xmlAttributes(attributes)}`
  const inner =
    (outcome === undefined ? "" : outcomeText(outcome, mask)) +
    (logs === undefined ? "" : `<system-out>${xmlText(mask(logs.join("\n")))}</system-out>`)
  return inner === "" ? `${tag}/>\n` : `${tag}>${inner}</testcase>\n`
}

function outcomeText({ is, message, type, lines }: Outcome, mask: Mask): string {
  const tag = `<${is}${xmlAttributes({ message: is === "skipped" ? message : mask(message), type })}`
  return lines.length === 0 ? `${tag}/>` : `${tag}>${xmlText(mask(lines.join("\n")))}</${is}>`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
