// The position of a new block that is added at a row. Pure.

import { childFieldsOf } from "@callsheet/format"
import type { Slot } from "./block-place.ts"
import type { OutlineRow } from "./block-rows.ts"

/**
 * Returns the position after the block, or the end of an empty container or a branch. Without a row, returns the end of
 * the workflow.
 */
export function slotFor(row: OutlineRow | undefined): Slot {
  if (row === undefined) return { list: ["blocks"], index: Infinity }
  if (row.row === "branch") return { list: row.pointer, index: Infinity }
  const index = row.pointer.at(-1)
  return { list: row.pointer.slice(0, -1), index: typeof index === "number" ? index + 1 : Infinity }
}

/** Returns the end of a block's list. Undefined if it has none. */
export function slotInside(row: OutlineRow | undefined): Slot | undefined {
  if (row === undefined) return undefined
  if (row.row === "branch") return slotFor(row)
  const [field] = childFieldsOf(row.kind)
  return field === undefined ? undefined : { list: [...row.pointer, field], index: Infinity }
}
