// Counts how the requests of a run were answered, for a first look at what an import made.

import { traitsOf } from "../workflow/blocks/index.ts"
import { trackBlocks } from "./open-blocks.ts"
import type { BlockReport, RunEvent, RunReport } from "./types.ts"

export interface Answers {
  /** The requests that were sent, or that an earlier failure kept from being sent. */
  readonly requests: number
  /** Those with a response as the document describes it or, if no document does, with a status below 400. */
  readonly answered: number
  /** The requests whose responses no document describes. */
  readonly undocumented: number
  /** The other blocks that failed, such as checks. */
  readonly otherFailures: number
}

const none: Answers = { requests: 0, answered: 0, undocumented: 0, otherFailures: 0 }

/** Counts the answers in the events of a session. Attempts that are repeated don't count. */
export function createAnswerCount() {
  let total = none
  const tracked = trackBlocks<undefined>(() => {
    let own = none
    const add = ({ report }: { readonly report: BlockReport }): void =>
      void (own = sum(own, answersOf(report)))
    return {
      own: () => undefined,
      onFinished: add,
      onSkipped: add,
      onRunFinished: ({ isRetried }) => {
        if (isRetried !== true) total = sum(total, own)
      },
    }
  })
  return { listen: (event: RunEvent): void => tracked.apply(event), found: (): Answers => total }
}

/** Counts the answers in the reports of runs. */
export const answersIn = (runs: readonly RunReport[]): Answers =>
  runs
    .flatMap(({ blocks }) => blocks.flatMap(blocksIn))
    .map(answersOf)
    .reduce(sum, none)

const blocksIn = (block: BlockReport): readonly BlockReport[] => [
  block,
  ...(block.blocks ?? []).flatMap(blocksIn),
  ...(block.iterations ?? []).flatMap(({ blocks }) => blocks.flatMap(blocksIn)),
]

/** Returns the requests of a run that weren't answered as they should be, and its other failed blocks. */
export const unansweredIn = ({ blocks }: RunReport): readonly BlockReport[] =>
  blocks.flatMap(blocksIn).filter((block) => {
    const { requests, answered, otherFailures } = answersOf(block)
    return answered < requests || otherFailures > 0
  })

/** Counts one block. A container fails because of its blocks, so it doesn't count. */
function answersOf({ type, status, reason, contract, response, error }: BlockReport): Answers {
  if (traitsOf(type).result !== "response")
    return { ...none, otherFailures: status === "failed" && error?.code !== "child-failed" ? 1 : 0 }
  // The condition took the other branch.
  if (status === "skipped" && reason !== "halted" && reason !== "cancelled") return none
  const isDocumented = contract !== undefined && contract.status !== "unavailable"
  const isAnswered = status === "passed" && (isDocumented || (response?.status ?? 500) < 400)
  return {
    requests: 1,
    answered: isAnswered ? 1 : 0,
    undocumented: response !== undefined && !isDocumented ? 1 : 0,
    otherFailures: 0,
  }
}

const sum = (one: Answers, other: Answers): Answers => ({
  requests: one.requests + other.requests,
  answered: one.answered + other.answered,
  undocumented: one.undocumented + other.undocumented,
  otherFailures: one.otherFailures + other.otherFailures,
})
