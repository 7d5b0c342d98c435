// Where a new block goes that is asked for at a row. Pure.

import { childFieldsOf } from "@callsheet/format"
import type { Slot } from "./block-place.ts"
import type { OutlineRow } from "./block-rows.ts"

/** Behind the block; into an empty container, and into a branch, at the end; without a row at the end of all. */
export function slotFor(row: OutlineRow | undefined): Slot {
  if (row === undefined) return { list: ["blocks"], index: Infinity }
  if (row.row === "branch") return { list: row.pointer, index: Infinity }
  const index = row.pointer.at(-1)
  return { list: row.pointer.slice(0, -1), index: typeof index === "number" ? index + 1 : Infinity }
}

/** The end of what a block holds; undefined where it holds nothing. */
export function slotInside(row: OutlineRow | undefined): Slot | undefined {
  if (row === undefined) return undefined
  if (row.row === "branch") return slotFor(row)
  const [field] = childFieldsOf(row.kind)
  return field === undefined ? undefined : { list: [...row.pointer, field], index: Infinity }
}
