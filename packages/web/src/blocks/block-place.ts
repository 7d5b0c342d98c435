// Positions of blocks in a workflow before and after an edit. Pure.

import type { FileName } from "@callsheet/server/calls"
import {
  childFields,
  childFieldsOf,
  isJsonArray,
  startsWith,
  valueAt,
  type JsonItems,
  type JsonPointer,
} from "@callsheet/format"
import type { OutlineRow } from "./block-rows.ts"

export type WorkflowFile = FileName & { readonly kind: "workflow" }

/** A position in a list of blocks: before the block at `index`, or after the last one. */
export interface Slot {
  readonly list: JsonPointer
  readonly index: number
}

export const keyOf = (pointer: JsonPointer): string => pointer.join("/")

const isSame = (a: JsonPointer, b: JsonPointer): boolean => a.length === b.length && startsWith(a, b)

/** Returns the list that contains a block, and the block's index in it. */
export function slotOf(block: JsonPointer): Slot {
  const index = block.at(-1)
  return { list: block.slice(0, -1), index: typeof index === "number" ? index : 0 }
}

export const blockAt = ({ list, index }: Slot): JsonPointer => [...list, index]

/** Returns the block around a block. Undefined at the top level. */
export const parentOf = (block: JsonPointer): JsonPointer | undefined =>
  block.length > 3 ? block.slice(0, -2) : undefined

/** Returns blocks in file order. Omits nested ones, because they move with their parents. */
export function outermost(blocks: readonly JsonPointer[]): readonly JsonPointer[] {
  const sorted = [...blocks].sort(byPlace)
  const kept: JsonPointer[] = []
  for (const block of sorted) {
    const last = kept.at(-1)
    if (last === undefined || !startsWith(block, last)) kept.push(block)
  }
  return kept
}

/** Groups adjacent blocks of a list. */
export function runsOf(blocks: readonly JsonPointer[]): readonly JsonItems[] {
  const runs: JsonItems[] = []
  for (const block of outermost(blocks)) {
    const { list, index } = slotOf(block)
    const last = runs.at(-1)
    if (last !== undefined && isSame(last.array, list) && last.index + last.count === index)
      runs[runs.length - 1] = { ...last, count: last.count + 1 }
    else runs.push({ array: list, index, count: 1 })
  }
  return runs
}

export const blocksOf = ({ array, index, count }: JsonItems): readonly JsonPointer[] =>
  Array.from({ length: count }, (_, at) => [...array, index + at])

/** Sorts as the outline does: `then` before `else`. */
function byPlace(a: JsonPointer, b: JsonPointer): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [left, right] = [a[at], b[at]]
    if (left === right) continue
    if (typeof left === "number" && typeof right === "number") return left - right
    return childFields.indexOf(String(left)) - childFields.indexOf(String(right))
  }
  return a.length - b.length
}

/** Adjusts a pointer after adjacent blocks were removed. Undefined if the block was one of them. */
export function withoutRun(
  pointer: JsonPointer,
  { array, index, count }: JsonItems,
): JsonPointer | undefined {
  const step = pointer[array.length]
  if (typeof step !== "number" || !startsWith(pointer, array) || step < index) return pointer
  return step < index + count ? undefined : pointer.with(array.length, step - count)
}

/** Adjusts a pointer after adjacent blocks were inserted. */
export function withRun(pointer: JsonPointer, { array, index, count }: JsonItems): JsonPointer {
  const step = pointer[array.length]
  if (typeof step !== "number" || !startsWith(pointer, array) || step < index) return pointer
  return pointer.with(array.length, step + count)
}

/** Returns the position of adjacent blocks after they move to a slot. The slot is counted before the move. */
export function landingOf(run: JsonItems, { list, index }: Slot): JsonItems | undefined {
  if (isSame(list, run.array)) {
    const isBehind = index > run.index
    return { ...run, index: isBehind ? Math.max(run.index, index - run.count) : index }
  }
  const array = withoutRun(list, run)
  return array === undefined ? undefined : { array, index, count: run.count }
}

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

/** Returns whether a row can contain blocks and has none. */
export function isEmptyContainer(row: OutlineRow | undefined): boolean {
  if (row === undefined) return false
  if (row.row === "branch") return row.blocks === 0
  const fields = childFieldsOf(row.kind)
  const isEmpty = (field: string): boolean => {
    const blocks = valueAt(row.value, [field])
    return !isJsonArray(blocks) || blocks.length === 0
  }
  return fields.length > 0 && fields.every(isEmpty)
}
