// A change of a text: removes and inserts text at one position. Pure.

import { changedRange } from "@callsheet/format"

export interface TextChange {
  /** The offset in UTF-16 code units. */
  readonly at: number
  readonly removed: string
  readonly inserted: string
}

/** Returns the difference between two texts. Undefined if they are equal. Never splits a surrogate pair. */
export function changeBetween(before: string, after: string): TextChange | undefined {
  const range = changedRange(before, after)
  if (range === undefined) return undefined
  const start = isHigh(before.charCodeAt(range.from - 1)) ? range.from - 1 : range.from
  const behind = before.length - range.endBefore
  const kept = isLow(before.charCodeAt(range.endBefore)) && behind > 0 ? behind - 1 : behind
  return {
    at: start,
    removed: owned(before.slice(start, before.length - kept)),
    inserted: owned(after.slice(start, after.length - kept)),
  }
}

export const applyChange = (text: string, { at, removed, inserted }: TextChange): string =>
  text.slice(0, at) + inserted + text.slice(at + removed.length)

export const inverted = ({ at, removed, inserted }: TextChange): TextChange => ({
  at,
  removed: inserted,
  inserted: removed,
})

/** Joins two changes. Undefined if they are too far apart. */
export function joined(first: TextChange, second: TextChange): TextChange | undefined {
  const from = second.at - first.at
  const to = from + second.removed.length
  if (from >= 0 && to <= first.inserted.length) {
    const inserted = first.inserted.slice(0, from) + second.inserted + first.inserted.slice(to)
    return { ...first, inserted }
  }
  if (to !== 0) return undefined
  return {
    at: second.at,
    removed: second.removed + first.removed,
    inserted: second.inserted + first.inserted,
  }
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Copies part of a text. A slice would keep the whole text in memory. */
const owned = (part: string): string => (part.length < 13 ? part : ` ${part}`.slice(1))
