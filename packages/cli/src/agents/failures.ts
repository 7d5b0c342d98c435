// Collects what failed in a session, with everything that explains it.

import {
  blockPath,
  newProblems,
  trackBlocks,
  type AssertionView,
  type ContractProblem,
  type Exchange,
  type Listener,
  type Problem,
} from "@callsheet/format"

export interface Failure {
  readonly workflow: string
  /** The path of the block: `poll › [2] › get`. Absent if the workflow could not start. */
  readonly block?: string
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly assertions: readonly AssertionView[]
  readonly contract: readonly ContractProblem[]
  /** Violations by the request itself. They don't fail a block, but often explain why it failed. */
  readonly requestProblems: readonly ContractProblem[]
  /** The block's own exchange, or the first one that it read. */
  readonly exchange?: Exchange | undefined
  /** Problems that kept the workflow from starting. */
  readonly problems: readonly Problem[]
}

/** The maximum number of failures. A loop can fail once per iteration. */
const MAX_FAILURES = 100

export function collectFailures(): { readonly listen: Listener; readonly failures: readonly Failure[] } {
  const failures: Failure[] = []
  const add = (failure: Failure): void => {
    if (failures.length < MAX_FAILURES) failures.push(failure)
  }
  const nothing = { assertions: [], contract: [], requestProblems: [], problems: [] }
  const { apply } = trackBlocks(({ workflow }) => ({
    own: () => undefined,
    onFinished: (block, { error, exchanges = [] }) => {
      if (error === undefined || error.code === "child-failed") return
      const { assertions = [], requestProblems = [] } = block.report
      add({
        ...nothing,
        ...error,
        workflow,
        block: blockPath(block).join(" › "),
        assertions: assertions.filter(({ status }) => status !== "passed"),
        contract: newProblems(block.report),
        requestProblems,
        exchange: exchanges[0],
      })
    },
    onRunFinished: ({ error }) => {
      if (error !== undefined) add({ ...nothing, ...error, workflow })
    },
  }))
  return { listen: apply, failures }
}
