// The rows of two texts side by side: each line of one text beside the line of the other that takes its place. Pure.

import type { DiffRow } from "./diff-rows.ts"

export type PairRow = LinePair | { readonly kind: "fold"; readonly number: number; readonly count: number }

/** The 1-based numbers of two lines that stand side by side. A side without a line is undefined. */
export interface LinePair {
  readonly kind: "same" | "changed"
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Returns the rows of a diff as pairs. `diffRows` lists the removed lines of a change before the added ones. */
export function pairRows(rows: readonly DiffRow[]): readonly PairRow[] {
  const pairs: PairRow[] = []
  /** The lines of the change so far, and how many more lines the later text has. */
  const change = { removed: [] as number[], added: [] as number[] }
  let shift = 0
  const endChange = (): void => {
    const { removed, added } = change
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ kind: "changed", before: removed[at], after: added[at] })
    shift += added.length - removed.length
    Object.assign(change, { removed: [], added: [] })
  }
  for (const row of rows) {
    if (row.kind === "removed" || row.kind === "added") change[row.kind].push(row.number)
    else {
      endChange()
      if (row.kind === "fold") pairs.push(row)
      else pairs.push({ kind: "same", before: row.number - shift, after: row.number })
    }
  }
  endChange()
  return pairs
}
