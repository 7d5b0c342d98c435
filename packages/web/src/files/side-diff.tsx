// Two texts side by side, line by line. Folds unchanged lines, wraps long ones, and shows a part of many.

import { useMemo, useState, type ReactNode } from "react"
import { LongText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { count } from "../ui/formats.ts"
import type { DiffProps } from "./diff-list.tsx"
import { TextPair } from "./text-pair.tsx"
import { differenceOf, diffRows } from "./text/diff-rows.ts"
import { pairRows, type LinePair } from "./text/pair-rows.ts"

/** Wrapped lines have different heights, so the list isn't virtual. */
const MAX_ROWS = 300

/** The characters of an unchanged line that are shown at first. */
const MAX_SAME = 120

export function SideDiff({ before, after, label }: DiffProps) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set())
  const [limit, setLimit] = useState(MAX_ROWS)
  const difference = useMemo(() => differenceOf(before, after), [before, after])
  const rows = useMemo(() => pairRows(diffRows(difference, open)), [difference, open])
  const left = rows.length - limit
  return (
    <div className="pair-diff" role="group" aria-label={`Differences: ${label}`}>
      {rows.slice(0, limit).map((row) =>
        row.kind === "fold" ? (
          <div key={`fold ${row.number}`} className="diff-fold">
            <button
              type="button"
              className="diff-open"
              onClick={() => setOpen(new Set([...open, row.number]))}
            >
              Show {count(row.count, "unchanged line")}
            </button>
          </div>
        ) : (
          <PairLine
            key={`${row.before ?? ""} ${row.after ?? ""}`}
            pair={row}
            before={lineAt(difference.before, row.before)}
            after={lineAt(difference.after, row.after)}
          />
        ),
      )}
      {left <= 0 ? null : (
        <div className="diff-fold">
          <button type="button" className="diff-open" onClick={() => setLimit(limit + MAX_ROWS)}>
            Show {count(Math.min(left, MAX_ROWS), "more line")} of {left.toLocaleString("en")}
          </button>
        </div>
      )}
    </div>
  )
}

/** Returns a line without its end. Undefined if the text doesn't have it. */
const lineAt = (lines: readonly string[], number: number | undefined): string | undefined =>
  number === undefined ? undefined : lines[number - 1]?.replace(/\n$/, "")

interface PairLineProps {
  readonly pair: LinePair
  readonly before: string | undefined
  readonly after: string | undefined
}

function PairLine({ pair, before, after }: PairLineProps) {
  const line = (one: ReactNode, other: ReactNode): ReactNode => (
    <div className={`pair-line pair-line-${pair.kind}`}>
      <PairSide side="removed" number={pair.before} isChanged={pair.kind === "changed"}>
        {one}
      </PairSide>
      <PairSide side="added" number={pair.after} isChanged={pair.kind === "changed"}>
        {other}
      </PairSide>
    </div>
  )
  if (pair.kind === "changed" && before !== undefined && after !== undefined)
    return (
      <TextPair before={before} after={after}>
        {line}
      </TextPair>
    )
  const own = (text: string | undefined): ReactNode =>
    text === undefined ? null : (
      <LongText text={text} show={shownLine} {...(pair.kind === "same" ? { max: MAX_SAME } : {})} />
    )
  return line(own(before), own(after))
}

const shownLine = (text: string): ReactNode => <bdi className="pair-text">{visibleText(text)}</bdi>

interface PairSideProps {
  readonly side: "removed" | "added"
  readonly number: number | undefined
  readonly isChanged: boolean
  readonly children: ReactNode
}

function PairSide({ side, number, isChanged, children }: PairSideProps) {
  if (number === undefined) return <div className="pair-side pair-empty" />
  return (
    <div className={`pair-side ${isChanged ? `diff-${side}` : ""}`}>
      <span className="diff-number" aria-hidden="true">
        {number}
      </span>
      {isChanged ? <span className="only-read">{`${side} line ${number}: `}</span> : null}
      <code className="pair-code">{children}</code>
    </div>
  )
}
