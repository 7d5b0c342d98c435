// Merges two changes of a text if they affect different lines. Pure.

import { hunksBetween, linesOf, type Hunk, type LineRange } from "./diff-lines.ts"

/** Returns the merged text. Undefined if both sides changed the same or adjacent lines in different ways. */
export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const lines = { base: linesOf(base), mine: linesOf(mine), theirs: linesOf(theirs) }
  const own = hunksBetween(lines.base, lines.mine).map((hunk) => changeOf(hunk, lines.mine))
  const other = hunksBetween(lines.base, lines.theirs).map((hunk) => changeOf(hunk, lines.theirs))
  const changes = [...own]
  for (const change of other) {
    const touched = own.filter(({ range }) => touches(range, change.range))
    if (touched.length === 0) changes.push(change)
    else if (touched.length > 1 || !isSame(touched[0], change)) return undefined
  }
  return applied(
    lines.base,
    changes.toSorted((a, b) => a.range.from - b.range.from),
  )
}

/** Returns `before` with some hunks of `after`. */
export function chooseHunks(
  before: readonly string[],
  after: readonly string[],
  { hunks, chosen }: { readonly hunks: readonly Hunk[]; readonly chosen: ReadonlySet<number> },
): string {
  return applied(
    before,
    hunks.filter((_, index) => chosen.has(index)).map((hunk) => changeOf(hunk, after)),
  )
}

interface LineChange {
  readonly range: LineRange
  readonly content: string
}

const changeOf = ({ before, after }: Hunk, lines: readonly string[]): LineChange => ({
  range: before,
  content: lines.slice(after.from, after.to).join(""),
})

/** Returns true for adjacent changes too, because the order of two insertions is unknown. */
const touches = (a: LineRange, b: LineRange): boolean => a.from <= b.to && b.from <= a.to

const isSame = (a: LineChange | undefined, b: LineChange): boolean =>
  a?.range.from === b.range.from && a.range.to === b.range.to && a.content === b.content

function applied(lines: readonly string[], changes: readonly LineChange[]): string {
  const parts: string[] = []
  let at = 0
  for (const { range, content } of changes) {
    parts.push(lines.slice(at, range.from).join(""), content)
    at = range.to
  }
  return parts.join("") + lines.slice(at).join("")
}
