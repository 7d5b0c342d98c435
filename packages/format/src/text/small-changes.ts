// Finds the small changes between two versions of a text, so that an editor keeps everything else.

import { changedRange, type TextChange } from "./change-text.ts"

/**
 * Returns changes that turn `before` into `after`. Each is inside one line, and starts and ends with a word, unless
 * lines were added or removed.
 */
export function smallChanges(before: string, after: string): readonly TextChange[] {
  const [old, now] = [linesOf(before), linesOf(after)]
  if (old.length !== now.length) return changeOf(before, after, 0)
  const changes: TextChange[] = []
  let start = 0
  for (const [index, line] of old.entries()) {
    const next = now[index] ?? ""
    if (line !== next) changes.push(...changesInLine(line, next, start))
    start += line.length
  }
  return changes
}

const linesOf = (text: string): readonly string[] => text.split(/(?<=\n)/)

function changesInLine(before: string, after: string, start: number): readonly TextChange[] {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  if (old.length !== now.length) return changeOf(before, after, start)
  const changes: TextChange[] = []
  let from = start
  for (const [index, word] of old.entries()) {
    const by = now[index] ?? ""
    if (word !== by) changes.push({ from, to: from + word.length, by })
    from += word.length
  }
  return changes
}

const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}\p{N}_-]+|[^\p{L}\p{N}_-]/gu) ?? []

function changeOf(before: string, after: string, start: number): readonly TextChange[] {
  const range = changedRange(before, after)
  if (range === undefined) return []
  const { from, endBefore, endAfter } = range
  return [{ from: start + from, to: start + endBefore, by: after.slice(from, endAfter) }]
}
