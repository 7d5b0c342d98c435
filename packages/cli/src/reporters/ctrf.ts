// Writes a report in the Common Test Report Format (CTRF). Each run becomes a test, and each block a step.

import {
  innerListOf,
  stringifyJson,
  trackBlocks,
  type BlockReport,
  type EventOf,
  type Leftover,
  type OpenBlock,
  type Problem,
  type RunEvent,
  type RunReport,
  type RunStatus,
  type RunSubscriber,
} from "@callsheet/format"
import { version } from "../version.ts"
import { pathOf } from "./block-path.ts"
import { TextSpool } from "../record/text-spool.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { chunks } from "./chunks.ts"
import type { FileReporter, SessionEnd } from "./reporter.ts"
import { RunFindings } from "./run-findings.ts"
import { knownTexts } from "./known-text.ts"
import { uncheckedTexts } from "./unchecked-text.ts"
import { runIdentity, runSkipReasons, runStartMs, runTitle } from "./run-title.ts"

export const writeCtrf: FileReporter = function* (events, { end: { verdict } }) {
  for (const chunk of chunks(reportPieces(events, verdict))) yield breakCommandsInJson(chunk)
}

function* reportPieces(events: Iterable<RunEvent>, verdict: SessionEnd["verdict"]): Generator<string, void> {
  const summary = new Summary()
  const environments = new Set<string>()
  let leftovers: readonly Leftover[] | undefined
  /** The latest run, which the next one may repeat, and its failed attempts. */
  let last: Test | undefined
  let attempts: Test[] = []
  const finished: Test[] = []
  const { apply } = trackBlocks<undefined>((run) => {
    for (const { name } of Object.values(run.environments)) environments.add(name)
    return new Test(run, (test) => finished.push(test))
  })
  const lastPieces = function* (): Generator<string, void> {
    if (last === undefined) return
    yield summary.tests === 0 ? "\n" : ",\n"
    summary.add(last)
    yield* last.pieces(attempts)
    attempts = []
  }
  yield `{"reportFormat":"CTRF","specVersion":"0.0.0","results":{"tool":${stringifyJson(tool)},"tests":[`
  for (const event of events) {
    if (event.type === "leftovers.found") ({ leftovers } = event)
    else apply(event)
    for (const test of finished.splice(0)) {
      if (last?.isRetried === true && last.identity === test.identity) attempts.push(last)
      else yield* lastPieces()
      last = test
    }
  }
  yield* lastPieces()
  const testEnvironment = environments.size === 0 ? undefined : [...environments].join(", ")
  const extra = verdict === undefined && leftovers === undefined ? undefined : { verdict, leftovers }
  const rest = { summary: summary.counts(), environment: { testEnvironment }, extra }
  yield `\n],${stringifyJson(rest).slice(1)}}\n`
}

const tool = { name: "callsheet", version }

const statuses = {
  passed: "passed",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
} as const satisfies {
  readonly [S in RunStatus]: string
}

class Test implements RunSubscriber<undefined> {
  readonly maxLogs = 1000
  readonly run: RunReport
  readonly identity: string
  isRetried = false
  readonly #onFinished: (test: Test) => void
  readonly #steps = new TextSpool()
  readonly #findings = new RunFindings()

  constructor(run: RunReport, onFinished: (test: Test) => void) {
    this.run = run
    this.identity = runIdentity(run)
    this.#onFinished = onFinished
  }

  own(): undefined {
    return undefined
  }

  onWarning(warning: Problem): void {
    this.#findings.warn(warning)
  }

  onSkipped(block: OpenBlock<undefined>): void {
    if (block.report.blocks === undefined) this.#addStep(block)
  }

  onFinished(block: OpenBlock<undefined>, ending: EventOf<"block.finished">): void {
    const { report } = block
    const isCause = report.status === "failed" && ending.error?.code !== "child-failed"
    if (isCause || innerListOf(report.type) === undefined) this.#addStep(block)
    if (isCause) this.#findings.fail(block, ending)
  }

  onRunFinished({ isRetried, error }: EventOf<"run.finished">): void {
    this.isRetried = isRetried === true
    if (error !== undefined) this.#findings.stop(error)
    this.#onFinished(this)
  }

  /** Yields the JSON of the test. `attempts` failed before it. */
  *pieces(attempts: readonly Test[]): Generator<string, void> {
    const { suite, role, row, repeat, flaky, inputs, environments } = this.run
    const labels = { role, row, repeat }
    const test = {
      testId: this.identity,
      name: runTitle({ ...this.run, attempt: 1 }),
      ...this.#outcome(),
      rawStatus: this.run.status === "error" ? "error" : undefined,
      suite: suite === undefined ? undefined : [suite],
      labels: role === undefined && row === undefined && repeat === undefined ? undefined : labels,
      filePath: this.#findings.first?.file,
      retries: attempts.length === 0 ? undefined : attempts.length,
      retryAttempts:
        attempts.length === 0
          ? undefined
          : attempts.map((one, at) => ({ attempt: at + 1, ...one.#outcome() })),
      flaky,
      stderr: this.#findings.warnings,
      parameters: Object.keys(inputs).length === 0 ? undefined : inputs,
      extra: { environments, unchecked: this.run.counts.unchecked, known: this.run.counts.known },
    }
    yield `${stringifyJson(test).slice(0, -1)},"steps":[`
    yield* this.#steps
    yield "]}"
  }

  #outcome() {
    const { status, durationMs, reason } = this.run
    const start = runStartMs(this.run)
    const duration = Math.round(durationMs)
    const { first, trace } = this.#findings
    return {
      status: statuses[status],
      duration,
      start,
      stop: start + duration,
      message: reason === undefined ? first?.message : runSkipReasons[reason],
      trace,
      line: first?.line,
    }
  }

  #addStep(block: OpenBlock<undefined>): void {
    const { report } = block
    const step = { name: pathOf(block), status: report.status, extra: stepDetails(report) }
    this.#steps.add(`${this.#steps.isEmpty ? "" : ","}\n${stringifyJson(step)}`)
  }
}

function stepDetails(report: BlockReport) {
  const { type, durationMs, reason, request, response, error, logs } = report
  const unchecked = uncheckedTexts(report)
  const known = knownTexts(report)
  return {
    type,
    durationMs,
    reason,
    request: request && `${request.method} ${request.url}`,
    response: response?.status,
    unchecked: unchecked.length === 0 ? undefined : unchecked,
    known: known.length === 0 ? undefined : known,
    error: error?.message,
    logs,
  }
}

class Summary {
  tests = 0
  readonly #counts = { passed: 0, failed: 0, skipped: 0, pending: 0, other: 0, flaky: 0 }
  #start = Infinity
  #stop = 0

  add({ run }: Test): void {
    const { status, durationMs, flaky } = run
    const start = runStartMs(run)
    this.tests++
    this.#counts[statuses[status]]++
    if (flaky === true) this.#counts.flaky++
    this.#start = Math.min(this.#start, start)
    this.#stop = Math.max(this.#stop, start + Math.round(durationMs))
  }

  counts() {
    const start = Math.min(this.#start, this.#stop)
    return { tests: this.tests, ...this.#counts, start, stop: this.#stop, duration: this.#stop - start }
  }
}
