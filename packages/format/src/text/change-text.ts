// Applies several changes to a string, and finds the range that differs between two strings.

/** A range and its replacement. Offsets are in UTF-16 code units of the original text. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly by: string
}

/** Applies changes that must not overlap. */
export function changeText(text: string, changes: readonly TextChange[]): string {
  const pieces: string[] = []
  let done = 0
  for (const { from, to, by } of changes.toSorted((a, b) => a.from - b.from)) {
    if (from < done) throw new Error("changes of a text overlap")
    pieces.push(text.slice(done, from), by)
    done = to
  }
  return pieces.join("") + text.slice(done)
}

/**
 * Returns the smallest range, in UTF-16 code units, that contains every difference, or undefined if the strings are
 * equal. The range may split a surrogate pair.
 */
export function changedRange(before: string, after: string) {
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  const from = equalUnits(shorter, (start, end) => before.slice(start, end) === after.slice(start, end))
  const behind = equalUnits(
    shorter - from,
    (start, end) => fromEnd(before, start, end) === fromEnd(after, start, end),
  )
  return { from, endBefore: before.length - behind, endAfter: after.length - behind }
}

/** Counts equal code units, up to `limit`. Uses a binary search, because engines compare whole strings fast. */
function equalUnits(limit: number, areEqual: (start: number, end: number) => boolean): number {
  let [equal, end] = [0, limit]
  while (equal < end) {
    const middle = Math.ceil((equal + end) / 2)
    if (areEqual(equal, middle)) equal = middle
    else end = middle - 1
  }
  return equal
}

const fromEnd = (text: string, start: number, end: number): string =>
  text.slice(text.length - end, text.length - start)
