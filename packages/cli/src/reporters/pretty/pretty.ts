// The reporter for people: a line per finished block, failures in full, one summary. Keeps nothing of what has passed.

import type { BoundEnvironment, Level, Problem, RunEvent, RunStatus } from "@callsheet/format"
import { formatProblem, operators } from "@callsheet/format"
import type { Style } from "../../screen.ts"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { printable } from "../../text/printable.ts"
import { pathOf } from "../block-path.ts"
import type { Reporter, ReporterContext } from "../reporter.ts"
import { renderFailure } from "../render-failure.ts"
import { requestProblemLines } from "../request-problem.ts"
import { createLive, createStill, type Live } from "./live.ts"
import { finishedRow, flatten, mark, plainRow, type FinishedBlock } from "./row.ts"
import { addLog, addNote, openBlock, type OpenBlock, type Row } from "./tracker.ts"

/** Makes the reporter `pretty`. */
export const createPretty = (context: ReporterContext): Reporter => new Pretty(context)

type EventOf<T extends RunEvent["type"]> = Extract<RunEvent, { type: T }>

interface Run {
  readonly workflow: string
  readonly startedAt: number
  readonly open: Map<number, OpenBlock>
  readonly counts: { passed: number; failed: number; skipped: number }
  requests: number
  latest: OpenBlock | undefined
  /** Lines of failures, ready to print. */
  readonly failures: string[]
  shownFailures: number
  moreFailures: number
  readonly warnings: Set<string>
}

interface Finished {
  readonly workflow: string
  readonly status: RunStatus
}

const MOST_FAILURES = 50
const MOST_ROWS_OF_A_LOOP = 10
const MOST_WARNINGS = 50

class Pretty implements Reporter {
  readonly #context: ReporterContext
  readonly #style: Style
  readonly #live: Live
  readonly #startedAt: number
  readonly #finished: Finished[] = []
  #run: Run | undefined

  constructor(context: ReporterContext) {
    const { output, clock } = context
    this.#context = context
    this.#style = output.style
    this.#live = output.isLive
      ? createLive(output, clock, () => this.#masked(this.#draw()))
      : createStill(output)
    this.#startedAt = clock.now()
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === "run.started") return this.#startRun(event)
    const run = this.#run
    if (run === undefined) return
    switch (event.type) {
      case "run.finished":
        return this.#finishRun(run, event)
      case "warning.raised":
        return this.#warn(run, event)
      case "block.started":
        return this.#startBlock(run, event)
      case "block.skipped":
        return this.#skipBlock(run, event)
      case "api.documented":
        return
    }
    const block = run.open.get(event.block)
    if (block === undefined) return
    switch (event.type) {
      case "request.checked":
        block.requestProblems = event.problems
        for (const text of requestProblemLines(event.problems, this.#style))
          addNote(block.loop ?? block, text)
        return
      case "request.sent":
        run.requests++
        block.request = event.request
        return
      case "response.received":
        block.response = event.response
        return
      case "contract.checked":
        block.contract = event.contract
        return
      case "assertions.checked":
        block.assertions = event.assertions
        return
      case "outputs.made":
        block.outputs = Object.keys(event.outputs)
        return
      case "log.written":
        addLog(block, event.text)
        return
      case "iteration.finished":
        if (block.tally === undefined) return
        block.tally.iterations++
        if (event.status === "failed") block.tally.failedIterations++
        return
      case "block.finished":
        return this.#finishBlock(run, block, event)
    }
  }

  readonly finish = (): void => {
    this.#live.stop()
    if (this.#finished.length < 2) return
    const count = (status: RunStatus) => this.#finished.filter((run) => run.status === status).length
    const words = statusWords(this.#style)
    const parts = (["failed", "error", "passed"] as const)
      .filter((status) => count(status) > 0)
      .map((status) => words[status](`${count(status)} ${status === "error" ? "could not start" : status}`))
    const took = formatDuration(this.#context.clock.now() - this.#startedAt)
    this.#print([
      `${this.#style("bold", plural(this.#finished.length, "workflow"))}: ${parts.join(", ")}  ${this.#style("dim", took)}`,
    ])
  }

  #print(lines: readonly string[]): void {
    this.#live.print(this.#masked(lines))
  }

  /** Lines may have been held back from before it was known that they hold a secret. */
  readonly #masked = (lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : this.#context.held.text(lines.join("\n")).split("\n")

  #startRun(event: EventOf<"run.started">): void {
    this.#run = {
      workflow: printable(event.workflow),
      startedAt: this.#context.clock.now(),
      open: new Map(),
      counts: { passed: 0, failed: 0, skipped: 0 },
      requests: 0,
      latest: undefined,
      failures: [],
      shownFailures: 0,
      moreFailures: 0,
      warnings: new Set(),
    }
    const bound = Object.entries(event.environments).map((binding) => bindingText(binding, this.#style))
    this.#print([[this.#style("bold", this.#run.workflow), ...bound].join("  ")])
    this.#live.start()
  }

  #warn(run: Run, { block, warning }: EventOf<"warning.raised">): void {
    const text = warningText(warning, this.#style)
    const open = block === undefined ? undefined : run.open.get(block)
    if (open !== undefined) return addNote(open.loop ?? open, text)
    if (run.warnings.has(text)) return
    run.warnings.add(text)
    if (run.warnings.size > MOST_WARNINGS) return
    const red = warning.code === "tls-unverified" ? "red" : "yellow"
    this.#print([`  ${this.#style(red, "!")} ${text}`])
  }

  #startBlock(run: Run, event: EventOf<"block.started">): void {
    const parent = event.parent === undefined ? undefined : run.open.get(event.parent)
    const block = openBlock(event, parent)
    run.open.set(event.block, block)
    run.latest = block
  }

  #skipBlock(run: Run, event: EventOf<"block.skipped">): void {
    run.counts.skipped++
    const parent = event.parent === undefined ? undefined : run.open.get(event.parent)
    // What a skipped container holds is not open, so it finds no parent and gets no line.
    if (event.parent !== undefined && parent === undefined) return
    const block = openBlock(event, parent)
    if (block.loop === undefined)
      this.#addRow(block, finishedRow(block, { status: "skipped", reason: event.reason }, this.#style))
  }

  #finishBlock(run: Run, block: OpenBlock, event: EventOf<"block.finished">): void {
    run.open.delete(event.block)
    run.counts[event.status]++
    if (run.latest === block) run.latest = block.parent
    noteOddities(block)
    const finished: FinishedBlock = {
      status: event.status,
      reason: event.reason,
      durationMs: event.durationMs,
      code: event.error?.code === "child-failed" ? undefined : event.error?.code,
    }
    if (block.loop === undefined) this.#addRow(block, finishedRow(block, finished, this.#style))
    else this.#foldIntoLoop(block, block.loop, finished)
    if (event.status === "failed" && event.error?.code !== "child-failed")
      this.#keepFailure(run, block, event)
  }

  /** A block that a loop repeats has no line of its own, but for the first few that fail. */
  #foldIntoLoop(block: OpenBlock, loop: OpenBlock, finished: FinishedBlock): void {
    const tally = loop.tally!
    if (block.request !== undefined) tally.requests++
    const status = block.response?.status ?? 0
    if (status >= 400) tally.refused.set(status, (tally.refused.get(status) ?? 0) + 1)
    if (block.contract?.status === "unavailable") tally.unchecked++
    if (finished.status !== "failed" || finished.code === undefined) return
    const rows = (loop.rows ??= [])
    if (rows.length < MOST_ROWS_OF_A_LOOP) {
      const path = pathOf(block, loop)
      rows.push({
        head: `${mark("failed", this.#style)} ${this.#style("red", path)}`,
        headWidth: path.length + 2,
        tail: this.#style("red", finished.code),
        below: [],
      })
    } else tally.hiddenFailures++
  }

  #addRow(block: OpenBlock, row: Row): void {
    const hidden = block.tally?.hiddenFailures ?? 0
    const whole =
      hidden === 0
        ? row
        : { ...row, below: [...row.below, plainRow(this.#style("dim", `… ${hidden} more failed`))] }
    if (block.parent === undefined) this.#print(flatten(whole))
    else (block.parent.rows ??= []).push(whole)
  }

  #keepFailure(run: Run, block: OpenBlock, event: EventOf<"block.finished">): void {
    if (run.shownFailures >= MOST_FAILURES) {
      run.moreFailures++
      return
    }
    run.shownFailures++
    const lines = renderFailure(
      {
        path: pathOf(block),
        error: event.error,
        assertions: block.assertions ?? [],
        contract: block.contract,
        requestProblems: block.requestProblems ?? [],
        exchanges: event.exchanges ?? [],
        logs: block.logs?.first ?? [],
      },
      this.#style,
    )
    run.failures.push("", ...lines.map((line) => (line === "" ? "" : `  ${line}`)))
  }

  #finishRun(run: Run, event: EventOf<"run.finished">): void {
    this.#run = undefined
    this.#live.stop()
    this.#finished.push({ workflow: run.workflow, status: event.status })
    const lines = [...run.failures]
    if (run.moreFailures > 0) lines.push("", `  … and ${plural(run.moreFailures, "more failed block")}`)
    if (run.warnings.size > MOST_WARNINGS) {
      lines.push("", `  ${this.#style("yellow", "!")} … ${run.warnings.size - MOST_WARNINGS} more warnings`)
    }
    if (event.error !== undefined)
      lines.push(...this.#problemLines(event.error.problems, event.error.message))
    if (lines.length > 0) lines.push("")
    lines.push(this.#summary(run, event), "")
    this.#print(lines)
  }

  #problemLines(problems: readonly Problem[], message: string): string[] {
    if (this.#context.problemsElsewhere) return []
    if (problems.length === 0) return [`  ${printable(message)}`]
    return problems.flatMap((problem) => [
      `  ${printable(formatProblem(problem))}`,
      ...(problem.hint === undefined
        ? []
        : [`    ${this.#style("cyan", "hint:")} ${printable(problem.hint)}`]),
    ])
  }

  #summary(run: Run, { status, durationMs, error }: EventOf<"run.finished">): string {
    const style = this.#style
    const word = statusWords(style)[status]
    if (status === "error") {
      const problems = error?.problems.length ?? 0
      const what = problems > 0 ? plural(problems, "problem") : ""
      return `${style("red", "✗")} ${style("bold", run.workflow)} ${word("could not start")}${what === "" ? "" : `  ${style("dim", what)}`}`
    }
    const counts = (["failed", "passed", "skipped"] as const)
      .filter((kind) => run.counts[kind] > 0)
      .map((kind) => `${run.counts[kind]} ${kind}`)
    const measures = [plural(run.requests, "request"), formatDuration(durationMs)]
    return `${mark(status, style)} ${style("bold", run.workflow)} ${word(status)}  ${counts.join(", ")}${counts.length === 0 ? "" : "  "}${style("dim", measures.join(", "))}`
  }

  #draw(): string[] {
    const run = this.#run
    if (run === undefined) return []
    const { clock, output } = this.#context
    const elapsed = clock.now() - run.startedAt
    const width = output.columns() - 1
    const spinner = frames[Math.floor(elapsed / 80) % frames.length]!
    const where = run.latest === undefined ? run.workflow : pathOf(run.latest)
    const sent = run.latest?.request
    const request = sent === undefined ? "" : `  ${printable(sent.method)}`
    const { passed, failed, skipped } = run.counts
    const tally = [`${passed} passed`, `${failed} failed`, `${skipped} skipped`].filter(
      (text) => !text.startsWith("0 "),
    )
    const counts = [...tally, `${(elapsed / 1000).toFixed(1)} s`].join("  ")
    return [
      `${this.#style("cyan", spinner)} ${fit(`${where}${request}`, width - 2)}`,
      `  ${this.#style("dim", fit(counts, width - 2))}`,
    ]
  }
}

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const

const statusWords = (style: Style): { readonly [S in RunStatus]: (text: string) => string } => ({
  passed: (text) => style("green", text),
  failed: (text) => style("red", text),
  error: (text) => style("red", text),
})

const levelColours: { readonly [L in Level]: "red" | "yellow" | "dim" } = {
  production: "red",
  staging: "yellow",
  local: "dim",
}

function bindingText([api, { name, level }]: [string, BoundEnvironment], style: Style): string {
  const suffix = level === name ? "" : ` (${level})`
  return `${style("dim", `${printable(api)} →`)} ${style(levelColours[level], `${printable(name)}${suffix}`)}`
}

const warningText = (warning: Problem, style: Style): string =>
  `${shorten(formatProblem(warning), 500)}${warning.hint === undefined ? "" : style("dim", `, ${shorten(warning.hint, 300)}`)}`

/** What is no failure and yet no plain success. */
function noteOddities(block: OpenBlock): void {
  for (const { status, message, source, operator } of block.assertions ?? []) {
    // `notExists` and `hasNoValue` say themselves that there is nothing; of `notEquals` a reader would not expect it.
    if (status === "passed" && message !== undefined && operators[operator].takesValue) {
      addNote(block.loop ?? block, `${shorten(source, 100)}: ${shorten(message, 200)}`)
    }
  }
  for (const { dropped = [] } of block.response?.redirects ?? []) {
    if (dropped.length > 0) {
      addNote(
        block.loop ?? block,
        `a redirect left the origin; not sent on: ${shorten(dropped.join(", "), 200)}`,
      )
    }
  }
}

/** Cuts to `width` columns; what is not ASCII may take two. */
function fit(text: string, width: number): string {
  let columns = 0
  let kept = ""
  for (const character of text) {
    columns += character > "~" && !"›…".includes(character) ? 2 : 1
    if (columns > width - 1) return `${kept}…`
    kept += character
  }
  return kept
}
