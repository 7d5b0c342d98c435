// The outcome of a block or an assertion: a mark, and a word for screen readers.

import type { BlockStatus } from "@callsheet/format"

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
