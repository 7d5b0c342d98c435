// Compares two texts by line and by word, in limited time. Pure.

import { diffArrays, diffWordsWithSpace } from "diff"

/** Lines that differ between two texts. Zero-based. `to` is exclusive. */
export interface Hunk {
  readonly before: LineRange
  readonly after: LineRange
}

export interface LineRange {
  readonly from: number
  readonly to: number
}

/** A part of a line. `isOwn` is true if the other line doesn't contain it. */
export interface WordPart {
  readonly text: string
  readonly isOwn: boolean
}

/**
 * Limits the search for the smallest difference. Above a limit, everything from the first to the last difference is one
 * hunk.
 */
const bounds = { maxEditLength: 4000, timeout: 1000 }
const longestWordLine = 2000

/** Splits text into lines with their line ends. Joining them returns the text. */
export const linesOf = (text: string): readonly string[] => (text === "" ? [] : text.split(/(?<=\n)/))

export function hunksBetween(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const start = sameAtStart(before, after)
  const end = sameAtEnd(before, after, start)
  const middle: Hunk = {
    before: { from: start, to: before.length - end },
    after: { from: start, to: after.length - end },
  }
  if (isEmpty(middle.before) && isEmpty(middle.after)) return []
  if (isEmpty(middle.before) || isEmpty(middle.after)) return [middle]
  const parts = diffArrays(
    before.slice(start, middle.before.to),
    after.slice(start, middle.after.to),
    bounds,
  ) as readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[] | undefined
  return parts === undefined ? [middle] : hunksOf(parts, start)
}

function hunksOf(
  parts: readonly { readonly count: number; readonly added: boolean; readonly removed: boolean }[],
  start: number,
): readonly Hunk[] {
  const hunks: Hunk[] = []
  let at = { before: start, after: start }
  let isOpen = false
  for (const { count, added, removed } of parts) {
    const next = { before: at.before + (added ? 0 : count), after: at.after + (removed ? 0 : count) }
    if (added || removed) {
      const last = isOpen ? hunks.pop() : undefined
      hunks.push({
        before: { from: last?.before.from ?? at.before, to: next.before },
        after: { from: last?.after.from ?? at.after, to: next.after },
      })
    }
    isOpen = added || removed
    at = next
  }
  return hunks
}

function sameAtStart(before: readonly string[], after: readonly string[]): number {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  return start
}

function sameAtEnd(before: readonly string[], after: readonly string[], start: number): number {
  const limit = Math.min(before.length, after.length) - start
  let end = 0
  while (end < limit && before.at(-1 - end) === after.at(-1 - end)) end++
  return end
}

const isEmpty = ({ from, to }: LineRange): boolean => from === to

/**
 * Splits both lines into parts. Keeps a line whole if splitting it takes too long, or if the lines have little in
 * common.
 */
export function wordParts(
  before: string,
  after: string,
): { readonly before: readonly WordPart[]; readonly after: readonly WordPart[] } {
  const whole = { before: [{ text: before, isOwn: false }], after: [{ text: after, isOwn: false }] }
  if (before.length > longestWordLine || after.length > longestWordLine) return whole
  const parts = diffWordsWithSpace(before, after, { maxEditLength: 400 })
  if (parts === undefined) return whole
  const same = parts
    .filter(({ added, removed }) => !added && !removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0)
  if (same * 4 < Math.min(before.trim().length, after.trim().length)) return whole
  return {
    before: parts
      .filter(({ added }) => !added)
      .map(({ value, removed }) => ({ text: value, isOwn: removed })),
    after: parts.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isOwn: added })),
  }
}
