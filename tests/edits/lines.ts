// How many lines a `diff` of two texts shows.

/** Lines with their ends, so that a changed line end is a changed line. */
const linesOf = (text: string): readonly string[] => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []

/** Lines that are taken away and lines that are added, between the first and the last line that differ. */
export function changedLines(
  before: string,
  after: string,
): { readonly removed: number; readonly added: number } {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++
  let end = 0
  const most = Math.min(old.length, now.length) - start
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end++
  return { removed: old.length - start - end, added: now.length - start - end }
}
