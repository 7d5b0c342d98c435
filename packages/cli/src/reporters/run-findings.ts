// Collects what went wrong in a run, up to a limit: the first failure, the failures in full, and the warnings.

import { formatProblem, type EventOf, type OpenBlock, type Problem, type RunError } from "@callsheet/format"
import { plain } from "../screen.ts"
import { printable } from "../text/printable.ts"
import { pathOf } from "./block-path.ts"
import { renderFailure } from "./render-failure.ts"

/** The maximum number of warnings that a report lists for a run. */
export const MAX_RUN_WARNINGS = 1000
const MAX_FAILURES = 20

interface Failure {
  readonly message: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}

export class RunFindings {
  readonly #warnings = new Set<string>()
  readonly #trace: string[] = []
  #failures = 0
  first: Failure | undefined

  /** The warnings as lines. Undefined if there are none. */
  get warnings(): readonly string[] | undefined {
    return this.#warnings.size === 0 ? undefined : [...this.#warnings]
  }

  /** The failures as text. Undefined if there are none. */
  get trace(): string | undefined {
    const more = this.#failures - MAX_FAILURES
    const lines = more > 0 ? [...this.#trace, `… ${more} more failed`] : this.#trace
    return lines.length === 0 ? undefined : lines.join("\n")
  }

  warn(warning: Problem): void {
    if (this.#warnings.size < MAX_RUN_WARNINGS) this.#warnings.add(formatProblem(warning))
  }

  /** Adds a failed block. */
  fail<Own>(block: OpenBlock<Own>, ending: EventOf<"block.finished">): void {
    const path = pathOf(block)
    const { report } = block
    const { error } = report
    this.first ??= { ...error, message: `${path}: ${printable(error?.message ?? "failed", "lines")}` }
    const { report: run } = block.run
    if (this.#failures++ < MAX_FAILURES)
      this.#trace.push(...renderFailure({ path, report, run, ending }, plain))
  }

  /** Adds the error of a run that could not start or go on. */
  stop({ message, problems }: RunError): void {
    this.first ??= { ...problems[0], message: printable(message, "lines") }
    this.#trace.push(...problems.slice(0, MAX_FAILURES).map((problem) => formatProblem(problem)))
  }
}
