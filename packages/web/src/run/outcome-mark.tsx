// The outcome of a run: a mark and a word.

import type { RunStatus } from "@callsheet/format"
import { StatusMark } from "./status-mark.tsx"

interface Props {
  readonly status: RunStatus | "running"
  /** True if the user stopped the run, so that a failure means that the rest didn't run. */
  readonly isStopped: boolean
}

export function OutcomeMark({ status, isStopped }: Props) {
  const word = isStopped && status === "failed" ? "stopped" : status
  return (
    <span className={`outcome outcome-${word}`}>
      <StatusMark status={word === "error" ? "failed" : word} word={word} />
      <span aria-hidden="true">{word}</span>
    </span>
  )
}
