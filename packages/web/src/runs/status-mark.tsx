// The outcome of a block or an assertion: a mark, and a word for screen readers.

import type { BlockStatus, RunStatus } from "@callsheet/format"
import type { RunPart } from "@callsheet/server/calls"
import { ShownText } from "../ui/shown-text.tsx"

const marks = { passed: "✓", failed: "✕", skipped: "–", stopped: "–", running: "" } as const

interface Props {
  readonly status: BlockStatus | "running" | "stopped"
  /** Replaces the default word. */
  readonly word?: string
}

export function StatusMark({ status, word = status }: Props) {
  return (
    <span className={`status-mark status-${status === "stopped" ? "skipped" : status}`}>
      <span aria-hidden="true">{marks[status]}</span>
      <span className="only-read">{word}</span>
    </span>
  )
}

interface OutcomeProps {
  readonly status: RunStatus | "running"
  /** True if the user stopped the run, so that a failure means that the rest didn't run. */
  readonly isStopped: boolean
}

export function OutcomeMark({ status, isStopped }: OutcomeProps) {
  const word = isStopped && status === "failed" ? "stopped" : status
  return (
    <span className={`outcome outcome-${word}`}>
      <StatusMark status={word === "error" ? "failed" : word} word={word} />
      <span aria-hidden="true">{word}</span>
    </span>
  )
}

/** The part of a workflow that ran, if it wasn't all. */
export function PartTag({ part }: { readonly part: RunPart | undefined }) {
  if (part === undefined) return null
  return (
    <span className="tag">
      {part.only === undefined ? "to " : "only "}
      <ShownText text={part.only === undefined ? part.until : part.only} />
    </span>
  )
}
