// A diff of two texts by line. Marks changed words and folds unchanged lines.

import { useMemo, useState } from "react"
import { VirtualList } from "../ui/virtual-list.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { differenceOf, diffRows, type DiffRow, type LineRow } from "./text/diff-rows.ts"
import { count } from "../ui/formats.ts"

export interface DiffProps {
  readonly before: string
  readonly after: string
  /** The accessible name, such as `on disk and yours`. */
  readonly label: string
}

const diffRowHeight = 20

export function DiffList({ before, after, label }: DiffProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const difference = useMemo(() => differenceOf(before, after), [before, after])
  const rows = useMemo(() => diffRows(difference, open), [difference, open])
  if (difference.hunks.length === 0) return <p className="diff-none">No differences.</p>
  const digits = String(Math.max(difference.before.length, difference.after.length)).length
  return (
    <VirtualList
      className="diff"
      role="group"
      aria-label={`Differences: ${label}`}
      tabIndex={0}
      rows={rows}
      rowHeight={diffRowHeight}
      activeIndex={-1}
      render={(row) => (
        <DiffLine
          key={`${row.kind} ${row.number}`}
          row={row}
          digits={digits}
          onOpen={(fold) => setOpen(new Set([...open, fold]))}
        />
      )}
    />
  )
}

const marks = { same: " ", removed: "−", added: "+" } as const
const words = { same: "", removed: "removed", added: "added" } as const

interface LineProps {
  readonly row: DiffRow
  readonly digits: number
  readonly onOpen: (fold: number) => void
}

function DiffLine({ row, digits, onOpen }: LineProps) {
  if (row.kind === "fold")
    return (
      <div className="diff-row diff-fold">
        <button type="button" className="diff-open" onClick={() => onOpen(row.number)}>
          Show {count(row.count, "unchanged line")}
        </button>
      </div>
    )
  return (
    <div className={`diff-row diff-${row.kind}`}>
      <span className="diff-number" aria-hidden="true">
        {String(row.number).padStart(digits)}
      </span>
      <span className="diff-mark" aria-hidden="true">
        {marks[row.kind]}
      </span>
      {row.kind === "same" ? null : (
        <span className="only-read">{`${words[row.kind]} line ${row.number}: `}</span>
      )}
      <DiffWords row={row} />
    </div>
  )
}

function DiffWords({ row: { kind, parts } }: { readonly row: LineRow }) {
  const shown = parts.map(({ text, isOwn }, index) =>
    isOwn ? (
      <mark key={index} className="diff-word">
        {visibleText(text)}
      </mark>
    ) : (
      visibleText(text)
    ),
  )
  if (kind === "same") return <code className="diff-text">{shown}</code>
  return kind === "added" ? (
    <ins className="diff-text">{shown}</ins>
  ) : (
    <del className="diff-text">{shown}</del>
  )
}
