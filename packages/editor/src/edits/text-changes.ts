// Finds the smallest changes that turn one text into another, so that an editor keeps cursors and marks.

import { changedRange, type TextChange } from "@callsheet/format"
import { diffLines } from "diff"

/** Returns a change for each changed line, or for each group of lines that became more or fewer. */
export function textChanges(before: string, after: string): readonly TextChange[] {
  const changes: TextChange[] = []
  let at = 0
  let open: { readonly from: number; removed: string; added: string } | undefined
  const close = (): void => {
    if (open !== undefined) changes.push(...linesOf(open).flatMap(trimmed))
    open = undefined
  }
  for (const { value, added, removed } of diffLines(before, after)) {
    if (!added && !removed) close()
    else {
      open ??= { from: at, removed: "", added: "" }
      if (added) open.added += value
      else open.removed += value
    }
    if (!added) at += value.length
  }
  close()
  return changes
}

interface Lines {
  readonly from: number
  readonly removed: string
  readonly added: string
}

/** Returns each line with the one that replaces it. Otherwise, all lines together. */
function linesOf({ from, removed, added }: Lines): readonly Lines[] {
  const [before, after] = [removed.split(/(?<=\n)/), added.split(/(?<=\n)/)]
  if (before.length !== after.length) return [{ from, removed, added }]
  let at = from
  return before.map((line, index) => {
    const found = { from: at, removed: line, added: after[index] ?? "" }
    at += line.length
    return found
  })
}

/** Leaves out what is equal at both ends. Never splits a surrogate pair or a line end, which have no position inside. */
function trimmed({ from, removed, added }: Lines): readonly TextChange[] {
  const range = changedRange(removed, added)
  if (range === undefined) return []
  const start = range.from - Number(isInside(removed, range.from) || isInside(added, range.from))
  const behind = Number(isInside(removed, range.endBefore) || isInside(added, range.endAfter))
  const by = added.slice(start, range.endAfter + behind)
  return [{ from: from + start, to: from + range.endBefore + behind, by }]
}

function isInside(text: string, at: number): boolean {
  const pair = text.slice(at - 1, at + 1)
  return at > 0 && (pair === "\r\n" || /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(pair))
}
