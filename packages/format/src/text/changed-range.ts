// Where two texts differ. Pure.

/** The one place where two texts differ, in UTF-16 code units; undefined if they are the same. It may part a character. */
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

/** How many units are equal, up to `most`: halves of what is left are compared as wholes, which engines are fast at. */
function equalUnits(most: number, areEqual: (start: number, end: number) => boolean): number {
  let [equal, end] = [0, most]
  while (equal < end) {
    const middle = Math.ceil((equal + end) / 2)
    if (areEqual(equal, middle)) equal = middle
    else end = middle - 1
  }
  return equal
}

const fromEnd = (text: string, start: number, end: number): string =>
  text.slice(text.length - end, text.length - start)
