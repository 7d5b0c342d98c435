// Annotates failures in GitHub Actions at the line of an assertion and of a schema, and writes a step summary.

import {
  createCoverageFold,
  newProblems,
  traceOf,
  trackBlocks,
  Warnings,
  type AssertionView,
  type ContractProblem,
  type EventOf,
  type OpenBlock,
  type Problem,
  type RunReport,
} from "@callsheet/format"
import { notices } from "../messages.ts"
import { createRepositoryPath } from "../problem-formats/repository-path.ts"
import { formatDuration, plural } from "../text/measures.ts"
import { printable } from "../text/printable.ts"
import { annotation, hiddenNotice, problemAnnotation, type Annotation } from "../text/workflow-command.ts"
import { pathOf } from "./block-path.ts"
import { shareText } from "./coverage.ts"
import { assertedDifferences } from "./differences.ts"
import { knownTexts } from "./known-text.ts"
import { comparedLines } from "./render-failure.ts"
import type { FileReporter } from "./reporter.ts"
import { runTitle } from "./run-title.ts"
import { uncheckedTexts } from "./unchecked-text.ts"

/** The maximum number of errors and of warnings to keep. */
const MAX_NOTES = 1000
const MAX_TEXT = 2000
/** The maximum length of a value in a message. */
const valueLimits = { width: 100, string: 200, lines: 10 }

export const writeGithub: FileReporter = function* (events, { summary, ...place }) {
  const pathIn = createRepositoryPath(place)
  const noteOf = (problem: Problem): Annotation => {
    const note = problemAnnotation(problem, pathIn)
    return { ...note, message: cut(note.message) }
  }
  const coverage = createCoverageFold()
  const notes = new Notes()
  const warnings = new Warnings()
  const runs: RunRow[] = []
  const unchecked = new UncheckedBlocks()
  const known = new KnownViolations()
  const { apply } = trackBlocks<undefined>((run) => {
    const found: Annotation[] = []
    return {
      maxLogs: 0,
      own: () => undefined,
      onWarning: (warning) => {
        if (warnings.add(warning)) notes.add(noteOf(warning))
      },
      onFinished: (block, event) => {
        unchecked.add(block)
        known.add(block)
        if (found.length < MAX_NOTES) found.push(...failureNotes(block, event, pathIn))
      },
      onRunFinished: ({ isRetried, error }) => {
        for (const problem of error?.problems ?? []) found.push(noteOf(problem))
        // A failed attempt that is repeated doesn't fail the step.
        for (const note of found) notes.add(isRetried === true ? { ...note, kind: "warning" } : note)
        if (run.flaky === true)
          notes.add({ kind: "warning", title: "flaky", message: `${runTitle(run)} passed after a retry` })
        if (isRetried !== true) {
          unchecked.count += run.counts.unchecked ?? 0
          known.count += run.counts.known ?? 0
        }
        if (runs.length < MAX_NOTES) runs.push(rowOf(run, isRetried === true))
      },
    }
  })
  for (const event of events) {
    coverage.apply(event)
    apply(event)
  }
  yield* notes.texts()
  yield unchecked.notice()
  yield known.notice()
  const { errors } = notes
  if (summary !== undefined) writeSummary(summary.write, { runs, errors, unchecked, known, coverage })
}

class Notes {
  readonly errors: Annotation[] = []
  readonly #warnings: Annotation[] = []
  #more = { error: 0, warning: 0 }

  add(note: Annotation): void {
    const kind = note.kind === "error" ? "error" : "warning"
    const list = kind === "error" ? this.errors : this.#warnings
    if (list.length < MAX_NOTES) list.push(note)
    else this.#more[kind]++
  }

  *texts(): Generator<string, void> {
    for (const note of [...this.errors, ...this.#warnings]) yield annotation(note)
    yield hiddenNotice("callsheet run", {
      errors: this.errors.length + this.#more.error,
      warnings: this.#warnings.length + this.#more.warning,
    })
  }
}

/** The blocks whose contracts weren't checked in full. They aren't warnings. */
class UncheckedBlocks {
  count = 0
  readonly #reasons = new Set<string>()

  add(block: OpenBlock<undefined>): void {
    const { report } = block
    for (const text of uncheckedTexts(report))
      if (this.#reasons.size < MAX_FAILURES) this.#reasons.add(`${pathOf(block)}: ${text}`)
  }

  get reasons(): readonly string[] {
    return [...this.#reasons]
  }

  /** Returns an annotation, or nothing if everything was checked. */
  notice(): string {
    if (this.count === 0) return ""
    const message = cut([notices.uncheckedBlocks(this.count), ...this.reasons].join("\n"))
    return annotation({ kind: "notice", title: "callsheet run", message })
  }
}

/** The violations that the baseline lists. They aren't failures. */
class KnownViolations {
  count = 0
  readonly texts = new Set<string>()

  add(block: OpenBlock<undefined>): void {
    for (const text of knownTexts(block.report))
      if (this.texts.size < MAX_FAILURES) this.texts.add(`${pathOf(block)}: ${text}`)
  }

  /** Returns an annotation, or nothing if there are none. */
  notice(): string {
    if (this.count === 0) return ""
    const message = cut([notices.knownViolations(this.count), ...this.texts].join("\n"))
    return annotation({ kind: "notice", title: "callsheet run", message })
  }
}

/** Returns a note for each failed assertion, each violated schema, or else for the failure itself. */
function failureNotes(
  block: OpenBlock<undefined>,
  { error, status }: EventOf<"block.finished">,
  pathIn: (file: string) => string,
): readonly Annotation[] {
  if (status !== "failed" || error === undefined || error.code === "child-failed") return []
  const title = `${printable(runTitle(block.run.report))}: ${pathOf(block)}`
  const at = (
    { file, line, column }: { file?: string; line?: number; column?: number },
    message: string,
  ): Annotation => ({
    kind: "error",
    title,
    message: cut(printable(message, "lines")),
    file: file === undefined ? undefined : pathIn(file),
    line,
    column,
  })
  const assertions = block.report.assertions?.filter((assertion) => assertion.status === "failed") ?? []
  const notes = assertions.map((assertion) => at(assertion, assertionText(assertion)))
  const violations = newProblems(block.report).filter(hasPlace)
  notes.push(...violations.map((problem) => at(problem, `${problem.path}: ${problem.message}`)))
  const trace = traceOf(block.run.report, block.report)
  const shown = notes.length > 0 && violations.length === 0 ? notes : [at(error, error.message), ...notes]
  if (trace === undefined) return shown
  const text = printable(`trace: ${trace.traceId}${trace.url === undefined ? "" : ` ${trace.url}`}`)
  return shown.map((note) => ({ ...note, message: `${note.message}\n${text}` }))
}

function assertionText(assertion: AssertionView): string {
  if (assertion.message !== undefined) return assertion.message
  const differing = assertedDifferences(assertion, { count: 10, path: 100, value: valueLimits.string })
  if (differing !== undefined) {
    const lines = differing.found.map(
      ({ path, texts: [wanted = "nothing", received = "nothing"] }) =>
        `${path}${path === "" ? "" : ": "}expected ${wanted}, received ${received}`,
    )
    return [`${assertion.source}:`, ...lines, ...(differing.more ? ["… and more"] : [])].join("\n")
  }
  const { wanted, received } = comparedLines(assertion, valueLimits)
  return `${assertion.source}: expected ${wanted.join("\n")}, received ${received.join("\n")}`
}

const hasPlace = ({ file }: ContractProblem): boolean => file !== undefined

const cut = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)

interface RunRow {
  readonly title: string
  readonly result: string
  readonly counts: RunReport["counts"]
  readonly durationMs: number
}

const marks = { passed: "✅", failed: "❌", error: "❌", skipped: "➖" } as const

const rowOf = (run: RunReport, isRetried: boolean): RunRow => ({
  title: runTitle(run),
  result: `${marks[run.status]} ${run.flaky === true ? "flaky" : isRetried ? "retried" : run.status}`,
  counts: run.counts,
  durationMs: run.durationMs,
})

interface Summary {
  readonly runs: readonly RunRow[]
  readonly errors: readonly Annotation[]
  readonly unchecked: UncheckedBlocks
  readonly known: KnownViolations
  readonly coverage: ReturnType<typeof createCoverageFold>
}

/** GitHub drops a step's summary beyond 1 MiB. Other programs of the step write to it, too. */
const MAX_SUMMARY = 512 * 1024
const MAX_ROWS = 200
const MAX_FAILURES = 100

function writeSummary(
  write: (text: string) => void,
  { runs, errors, unchecked, known, coverage }: Summary,
): void {
  const isFailed = ({ result }: RunRow): boolean => result.startsWith(marks.failed)
  const shown = [...runs.filter(isFailed), ...runs.filter((run) => !isFailed(run))].slice(0, MAX_ROWS)
  const lines = [
    "## callsheet",
    "",
    "| Workflow | Result | Passed | Failed | Skipped | Duration |",
    "| --- | --- | ---: | ---: | ---: | ---: |",
    ...shown.map(
      ({ title, result, counts: { passed, failed: bad, skipped }, durationMs }) =>
        `| ${markdown(title)} | ${result} | ${passed} | ${bad} | ${skipped} | ${formatDuration(durationMs)} |`,
    ),
    ...more(runs.length - shown.length, "run"),
  ]
  if (errors.length > 0) {
    lines.push("", "### Failures", "")
    for (const { title, message, file, line = 1 } of errors.slice(0, MAX_FAILURES))
      lines.push(
        `- **${markdown(title)}**: ${markdown(message)}${file === undefined ? "" : ` (${markdown(`${file}:${line}`)})`}`,
      )
    lines.push(...more(errors.length - MAX_FAILURES, "failure"))
  }
  if (unchecked.count > 0) {
    lines.push("", "### Unchecked", "", notices.uncheckedBlocks(unchecked.count), "")
    for (const reason of unchecked.reasons) lines.push(`- ${markdown(reason)}`)
  }
  if (known.count > 0) {
    lines.push("", "### Known violations", "", notices.knownViolations(known.count), "")
    for (const text of known.texts) lines.push(`- ${markdown(text)}`)
  }
  const { apis } = coverage.coverage()
  if (apis.length > 0) {
    lines.push("", "### Coverage", "", "| API | Operations | Statuses |", "| --- | ---: | ---: |")
    for (const { api, operations, statuses } of apis)
      lines.push(`| ${markdown(api)} | ${shareText(operations)} | ${shareText(statuses)} |`)
  }
  let text = ""
  for (const line of lines) {
    if (text.length + line.length > MAX_SUMMARY) break
    text += `${line}\n`
  }
  write(text)
}

const more = (count: number, what: string): readonly string[] =>
  count > 0 ? ["", `… ${plural(count, `more ${what}`)}`] : []

/** Escapes text for Markdown and HTML: punctuation becomes character references, a line break a space. */
const markdown = (text: string): string =>
  printable(text)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[&<>"'`*_{}[\]()#|~@\\$:]/g, (character) => `&#${character.charCodeAt(0)};`)
