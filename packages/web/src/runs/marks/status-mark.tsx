// The outcome of a block or an assertion: a mark, and a word for screen readers.

import { ownOf, type BlockStatus, type RunStatus } from "@callsheet/format"
import type { RunPart } from "@callsheet/server/calls"
import { ShownText } from "../../ui/shown-text.tsx"
import type { Outcome } from "../state/use-run-queries.ts"

const marks = { passed: "✓", unchecked: "!", failed: "✕", skipped: "–", stopped: "–", running: "" } as const

/** `unchecked`: it ran, but nothing checked a response of 400 or above. */
type ShownStatus = BlockStatus | "unchecked" | "running" | "stopped"

const statusWords = { unchecked: "ran, not checked" } as const

interface Props {
  readonly status: ShownStatus
  /** Replaces the default word. */
  readonly word?: string
}

export function StatusMark({ status, word = ownOf(statusWords, status) ?? status }: Props) {
  return (
    <span className={`status-mark status-${status === "stopped" ? "skipped" : status}`}>
      <span aria-hidden="true">{marks[status]}</span>
      <span className="only-read">{word}</span>
    </span>
  )
}

interface LastProps {
  readonly outcome: Outcome
  /** True if the file has unsaved changes. */
  readonly isUnsaved?: boolean
}

/** The last run of a workflow or suite. It is gray if the file has changed since. */
export function LastMark({ outcome: { status, isEdited }, isUnsaved = false }: LastProps) {
  if (status === "running" || !(isEdited || isUnsaved)) return <StatusMark status={status} />
  const word = `${ownOf(statusWords, status) ?? status} before your edits`
  return (
    <span className="mark-edited" title={word}>
      <StatusMark status={status} word={word} />
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

export const HttpStatus = ({ status }: { readonly status: number }) => (
  <span className={`http-status http-status-${Math.floor(status / 100)}`}>{status}</span>
)
