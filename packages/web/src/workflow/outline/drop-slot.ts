// Finds where a dragged block would go, from the gap between rows and the pointer's indentation. Pure.

import { childFieldsOf, type JsonPointer, startsWith } from "@callsheet/format"
import type { Slot } from "../../blocks/block-place.ts"
import type { OutlineRow } from "../../blocks/block-rows.ts"

export interface DropPlace {
  readonly slot: Slot
  /** The drop line is above the row with this index. */
  readonly gap: number
  /** The indentation of the line in levels. */
  readonly depth: number
  /** The row of a collapsed container that would receive the block. No line is shown then. */
  readonly into?: number
}

/**
 * Returns the positions for the gap above the row `gap`, outermost first: after the row above, after any container that
 * ends there, or first in the container above.
 */
export function placesInGap(rows: readonly OutlineRow[], gap: number): readonly DropPlace[] {
  const above = rows[gap - 1]
  if (above === undefined) return [{ slot: { list: ["blocks"], index: 0 }, gap, depth: 1 }]
  const below = rows[gap]
  const least = below === undefined ? 1 : below.depth
  const inside = insideOf(above, gap)
  // If an open container has children below the gap, the position after it isn't here.
  if (inside !== undefined && below !== undefined && below.depth > above.depth) return [inside]
  const places = inside === undefined ? [] : [inside]
  let row: OutlineRow | undefined = above
  for (let at = gap - 1; row !== undefined && row.depth >= least; at = outerIndex(rows, at), row = rows[at])
    if (row.row === "block") places.push({ slot: behind(row.pointer), gap, depth: row.depth })
  return places.toReversed()
}

function insideOf(row: OutlineRow, gap: number): DropPlace | undefined {
  if (row.isOpen !== true) return undefined
  if (row.row === "branch") return { slot: { list: row.pointer, index: 0 }, gap, depth: row.depth + 1 }
  const [field, ...others] = childFieldsOf(row.kind)
  // A block with branches accepts others only in a branch.
  if (field === undefined || others.length > 0) return undefined
  return { slot: { list: [...row.pointer, field], index: 0 }, gap, depth: row.depth + 1 }
}

function behind(block: JsonPointer): Slot {
  const index = block.at(-1)
  return { list: block.slice(0, -1), index: typeof index === "number" ? index + 1 : 0 }
}

function outerIndex(rows: readonly OutlineRow[], at: number): number {
  const depth = rows[at]?.depth ?? 1
  for (let outer = at - 1; outer >= 0; outer--) if ((rows[outer]?.depth ?? 0) < depth) return outer
  return -1
}

interface Pointing {
  /** The position in rows from the first one. 2.25 is in the upper half of the third row. */
  readonly y: number
  /** The position in levels of indentation from the outermost one. */
  readonly depth: number
  readonly dragged: readonly JsonPointer[]
}

/** Returns undefined if every position is inside the dragged blocks. */
export function dropPlace(
  rows: readonly OutlineRow[],
  { y, depth, dragged }: Pointing,
): DropPlace | undefined {
  const index = Math.floor(y)
  const row = rows[index]
  const part = y - index
  const closed = row === undefined || part < 0.25 || part > 0.75 ? undefined : intoClosed(row, index)
  const candidates =
    closed === undefined ? placesInGap(rows, Math.max(0, Math.min(rows.length, Math.round(y)))) : [closed]
  const allowed = candidates.filter(({ slot }) => !dragged.some((block) => startsWith(slot.list, block)))
  return allowed.reduce<DropPlace | undefined>(
    (best, place) =>
      best === undefined || Math.abs(place.depth - depth) < Math.abs(best.depth - depth) ? place : best,
    undefined,
  )
}

function intoClosed(row: OutlineRow, index: number): DropPlace | undefined {
  if (row.isOpen !== false) return undefined
  if (row.row === "branch")
    return {
      slot: { list: row.pointer, index: row.blocks },
      gap: index + 1,
      depth: row.depth + 1,
      into: index,
    }
  const [field] = childFieldsOf(row.kind)
  if (field === undefined) return undefined
  return {
    slot: { list: [...row.pointer, field], index: Infinity },
    gap: index + 1,
    depth: row.depth + 1,
    into: index,
  }
}
