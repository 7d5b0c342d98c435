// Counts the lines in a `diff` of two texts.

/** Lines with their endings, so that a changed line ending is a changed line. */
const linesOf = (text: string): readonly string[] => text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? []

/** Removed and added lines, between the first and the last line that differ. */
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
