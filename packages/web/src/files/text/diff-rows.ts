// The rows of a diff. Folds unchanged lines, except for a few around each change. Pure.

import { hunksBetween, linesOf, wordParts, type Hunk, type WordPart } from "./diff-lines.ts"

export type DiffRow = LineRow | FoldRow

export interface LineRow {
  readonly kind: "same" | "removed" | "added"
  /** The 1-based number of the line. If both texts have the line, its number in the later one. */
  readonly number: number
  readonly parts: readonly WordPart[]
}

interface FoldRow {
  readonly kind: "fold"
  /** Identifies the fold: the number of its first line in the later text. */
  readonly number: number
  readonly count: number
}

interface TextDifference {
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly hunks: readonly Hunk[]
}

export function differenceOf(before: string, after: string): TextDifference {
  const lines = { before: linesOf(before), after: linesOf(after) }
  return { ...lines, hunks: hunksBetween(lines.before, lines.after) }
}

/** The number of unchanged lines to show around each change. */
const around = 3

/** Returns the rows. `open` contains the expanded folds. */
export function diffRows(
  { before, after, hunks }: TextDifference,
  open: ReadonlySet<number>,
): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let at = 0
  for (const [index, hunk] of hunks.entries()) {
    pushSame(rows, after, { from: at, to: hunk.after.from, isFirst: index === 0, isLast: false, open })
    pushHunk(rows, before, after, hunk)
    at = hunk.after.to
  }
  pushSame(rows, after, { from: at, to: after.length, isFirst: hunks.length === 0, isLast: true, open })
  return rows
}

interface Same {
  readonly from: number
  readonly to: number
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly open: ReadonlySet<number>
}

function pushSame(
  rows: DiffRow[],
  lines: readonly string[],
  { from, to, isFirst, isLast, open }: Same,
): void {
  const foldFrom = isFirst ? from : from + around
  const foldTo = isLast ? to : to - around
  // Folding a single line saves no space.
  const folds = foldTo - foldFrom > 1 && !open.has(foldFrom + 1)
  for (let at = from; at < to; at++) {
    if (folds && at === foldFrom) {
      rows.push({ kind: "fold", number: foldFrom + 1, count: foldTo - foldFrom })
      at = foldTo - 1
    } else rows.push({ kind: "same", number: at + 1, parts: [{ text: shown(lines[at]), isOwn: false }] })
  }
}

function pushHunk(rows: DiffRow[], before: readonly string[], after: readonly string[], hunk: Hunk): void {
  const removed = before.slice(hunk.before.from, hunk.before.to)
  const added = after.slice(hunk.after.from, hunk.after.to)
  const pairs =
    removed.length === added.length && removed.length <= 50
      ? removed.map((line, index) => wordParts(shown(line), shown(added[index])))
      : undefined
  removed.forEach((line, index) => {
    const parts = pairs?.[index]?.before ?? [{ text: shown(line), isOwn: false }]
    rows.push({ kind: "removed", number: hunk.before.from + index + 1, parts })
  })
  added.forEach((line, index) => {
    const parts = pairs?.[index]?.after ?? [{ text: shown(line), isOwn: false }]
    rows.push({ kind: "added", number: hunk.after.from + index + 1, parts })
  })
}

/** The maximum number of characters to show of a line. */
const longest = 2000

/** Removes the LF. A carriage return stays visible. */
function shown(line = ""): string {
  const text = line.endsWith("\n") ? line.slice(0, -1) : line
  return text.length > longest ? `${text.slice(0, longest).replace(/[\ud800-\udbff]$/, "")}…` : text
}
