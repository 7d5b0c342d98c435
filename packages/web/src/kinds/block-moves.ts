// Finds where the keys that move blocks move them. Pure.

import {
  childFieldsOf,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonPointer,
  type JsonValue,
  valueAt,
} from "@callsheet/format"
import { parentOf, slotOf, type Slot } from "../blocks/block-place.ts"
import { listsOf } from "../blocks/block-rows.ts"

export type Moving = "up" | "down" | "in" | "out"

type MoveSlot = { readonly slot: Slot; readonly words: string } | { readonly not: string }

/** `blocks` are in file order. The first one determines the target. For `down`, the last one does. */
export function slotOfMove(workflow: JsonValue, blocks: readonly JsonPointer[], moving: Moving): MoveSlot {
  const first = blocks[0] ?? ["blocks", 0]
  if (moving === "up") return upFrom(workflow, first)
  if (moving === "down") return downFrom(workflow, blocks.at(-1) ?? first)
  return moving === "in" ? intoAbove(workflow, first) : outOf(first)
}

function upFrom(workflow: JsonValue, block: JsonPointer): MoveSlot {
  const { list, index } = slotOf(block)
  if (index > 0) return { slot: { list, index: index - 1 }, words: "up" }
  const before = branchBeside(workflow, list, -1)
  if (before !== undefined) return { slot: { list: before, index: Infinity }, words: `to ${before.at(-1)}` }
  return { not: "It is already first. Alt ← moves it out." }
}

function downFrom(workflow: JsonValue, block: JsonPointer): MoveSlot {
  const { list, index } = slotOf(block)
  const length = lengthOf(workflow, list)
  if (index < length - 1) return { slot: { list, index: index + 2 }, words: "down" }
  const after = branchBeside(workflow, list, 1)
  if (after !== undefined) return { slot: { list: after, index: 0 }, words: `to ${after.at(-1)}` }
  return { not: "It is already last. Alt ← moves it out." }
}

/** Returns the branch above or below a list, in the same block. */
function branchBeside(workflow: JsonValue, list: JsonPointer, step: -1 | 1): JsonPointer | undefined {
  const owner = list.slice(0, -1)
  const lists = listsOf(valueAt(workflow, owner) ?? null, owner)
  const at = lists.findIndex(({ pointer }) => pointer.at(-1) === list.at(-1))
  return lists[at + step]?.pointer
}

function intoAbove(workflow: JsonValue, block: JsonPointer): MoveSlot {
  const { list, index } = slotOf(block)
  const above = index === 0 ? undefined : valueAt(workflow, [...list, index - 1])
  const field = isJsonObject(above) ? lastFieldOf(above) : undefined
  if (field === undefined) return { not: "The block above it can't contain blocks. Wrap it (w) in a group." }
  const id = isJsonObject(above) && typeof above["id"] === "string" ? above["id"] : "the block above"
  return { slot: { list: [...list, index - 1, field], index: Infinity }, words: `into ${id.slice(0, 60)}` }
}

/** Returns the list that is shown last. Undefined if the kind has no lists. */
function lastFieldOf(block: JsonObject): string | undefined {
  const fields = childFieldsOf(block["type"])
  const hasBlocks = (value: JsonValue | undefined): boolean =>
    value !== undefined && isJsonArray(value) && value.length > 0
  return fields.findLast((field) => hasBlocks(block[field])) ?? fields[0]
}

function outOf(block: JsonPointer): MoveSlot {
  const parent = parentOf(block)
  if (parent === undefined) return { not: "It is already at the top level." }
  const { list, index } = slotOf(parent)
  return { slot: { list, index: index + 1 }, words: "out" }
}

function lengthOf(workflow: JsonValue, list: JsonPointer): number {
  const blocks = valueAt(workflow, list)
  return isJsonArray(blocks) ? blocks.length : 0
}
