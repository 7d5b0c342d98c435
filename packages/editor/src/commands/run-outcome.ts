// Finds in the events of a run what an editor shows at its end: the first block that failed, and where.

import {
  formatProblem,
  type AssertionView,
  type BlockError,
  type Problem,
  type RunError,
  type RunEvent,
  type RunStatus,
} from "@callsheet/format"

export interface FailedBlock {
  readonly block: string
  readonly reason: string
  readonly file?: string | undefined
  readonly line?: number | undefined
}

export interface RunOutcome {
  /** Undefined if nothing reported the end of a run. */
  readonly status: RunStatus | undefined
  readonly durationMs: number
  readonly failed?: FailedBlock | undefined
  /** Why the run did not start, each with its hint. */
  readonly refusals?: readonly string[] | undefined
  /** The last status that a request received. */
  readonly received?: number | undefined
}

export function createOutcome() {
  const ids = new Map<number, string>()
  const assertions = new Map<number, AssertionView>()
  let outcome: RunOutcome = { status: undefined, durationMs: 0 }
  return {
    hear: (event: RunEvent): void => {
      if (event.type === "block.started") ids.set(event.block, event.id)
      else if (event.type === "assertions.checked") {
        const failed = event.assertions.find(({ status }) => status === "failed")
        if (failed !== undefined) assertions.set(event.block, failed)
      } else if (event.type === "response.received") outcome = { ...outcome, received: event.response.status }
      else if (event.type === "run.finished") {
        const { status, durationMs, error } = event
        outcome = { ...outcome, status, durationMs, refusals: error && refusalsOf(error) }
      } else if (event.type === "block.finished" && event.status === "failed")
        // A block around a failed one fails after it.
        outcome = {
          ...outcome,
          failed:
            outcome.failed ?? failureOf(ids.get(event.block) ?? "", event.error, assertions.get(event.block)),
        }
    },
    outcome: (): RunOutcome => outcome,
  }
}

function refusalsOf({ problems, message }: RunError): readonly string[] {
  const errors = problems.filter(({ severity }) => severity === "error")
  return errors.length === 0 ? [message] : errors.map(withHint)
}

const withHint = (problem: Problem): string =>
  [formatProblem(problem), ...(problem.hint === undefined ? [] : [`  hint: ${problem.hint}`])].join("\n")

function failureOf(
  block: string,
  error: BlockError | undefined,
  assertion: AssertionView | undefined,
): FailedBlock {
  const { file, line } = assertion?.line === undefined ? { ...error } : assertion
  return { block, reason: assertion?.message ?? error?.message ?? "", file, line }
}
