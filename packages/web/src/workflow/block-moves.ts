// Where the keys that move a block lead it. Pure.

import { isJsonArray, isJsonObject, type JsonPointer, type JsonValue } from "@callsheet/format"
import { valueAt } from "./block-acts.ts"
import { parentOf, slotOf, type Slot } from "./block-place.ts"

export type Moving = "up" | "down" | "in" | "out"

export type MoveSlot =
  | { readonly slot: Slot; readonly words: string }
  /** Why it leads nowhere. */
  | { readonly not: string }

/** `blocks` are in the order of the file; they go where the first of them, or for `down` the last, leads. */
export function slotOfMove(workflow: JsonValue, blocks: readonly JsonPointer[], moving: Moving): MoveSlot {
  const first = blocks[0] ?? ["blocks", 0]
  if (moving === "up") return upFrom(first)
  if (moving === "down") return downFrom(workflow, blocks.at(-1) ?? first)
  return moving === "in" ? intoAbove(workflow, first) : outOf(first)
}

function upFrom(block: JsonPointer): MoveSlot {
  const { list, index } = slotOf(block)
  if (index > 0) return { slot: { list, index: index - 1 }, words: "up" }
  if (list.at(-1) === "else")
    return { slot: { list: [...list.slice(0, -1), "then"], index: Infinity }, words: "to then" }
  return { not: "It is the first already. Alt ← moves it out." }
}

function downFrom(workflow: JsonValue, block: JsonPointer): MoveSlot {
  const { list, index } = slotOf(block)
  const length = lengthOf(workflow, list)
  if (index < length - 1) return { slot: { list, index: index + 2 }, words: "down" }
  if (list.at(-1) === "then")
    return { slot: { list: [...list.slice(0, -1), "else"], index: 0 }, words: "to else" }
  return { not: "It is the last already. Alt ← moves it out." }
}

function intoAbove(workflow: JsonValue, block: JsonPointer): MoveSlot {
  const { list, index } = slotOf(block)
  const above = index === 0 ? undefined : valueAt(workflow, [...list, index - 1])
  const type = isJsonObject(above) ? above["type"] : undefined
  const field =
    type === "condition" ? branchOf(above) : type === "loop" || type === "group" ? "blocks" : undefined
  if (field === undefined) return { not: "The block above it holds no others. Wrap it (w) in a group." }
  const id = isJsonObject(above) && typeof above["id"] === "string" ? above["id"] : "the block above"
  return { slot: { list: [...list, index - 1, field], index: Infinity }, words: `into ${id.slice(0, 60)}` }
}

/** The branch that is shown last. */
const branchOf = (condition: JsonValue | undefined): string =>
  isJsonObject(condition) && isJsonArray(condition["else"]) && condition["else"].length > 0 ? "else" : "then"

function outOf(block: JsonPointer): MoveSlot {
  const parent = parentOf(block)
  if (parent === undefined) return { not: "It is at the top already." }
  const { list, index } = slotOf(parent)
  return { slot: { list, index: index + 1 }, words: "out" }
}

function lengthOf(workflow: JsonValue, list: JsonPointer): number {
  const blocks = valueAt(workflow, list)
  return isJsonArray(blocks) ? blocks.length : 0
}
