// Edits of blocks. Each converts text to new text and keeps all other bytes. Pure.

import {
  childFieldsOf,
  copyJsonItems,
  deleteJsonAt,
  deleteJsonItems,
  insertJsonItem,
  moveJsonItems,
  parseEdited,
  replaceJsonValues,
  setJsonAt,
  workflowShape,
  type EditedJson,
  type JsonItems,
  type JsonPointer,
  type JsonValue,
  valueAt,
  startsWith,
} from "@callsheet/format"
import { freeName, renamedReferences, takenNames, type WorkflowText } from "@callsheet/language"
import type { NewBlock } from "./index.ts"
import { changesForOwnIds } from "../blocks/block-ids.ts"
import {
  blockAt,
  blocksOf,
  landingOf,
  outermost,
  runsOf,
  slotOf,
  withoutRun,
  withRun,
  type Slot,
} from "../blocks/block-place.ts"
import { listsOf } from "../blocks/block-rows.ts"

/** The text of a workflow. It must parse. */
export type Document = WorkflowText

export interface Done {
  readonly text: string
  /** The blocks to select after the edit. The first one is active. */
  readonly selected: readonly JsonPointer[]
}

export function addBlocks(document: Document, slot: Slot, blocks: readonly JsonValue[]): Done {
  const place = slotIn(withList(document, slot), slot)
  const taken = takenNames(document.value)
  let { text } = withList(document, slot)
  for (const [at, block] of blocks.entries())
    text = requireText(insertJsonItem(text, place.list, place.index + at, block))
  return withOwnIds(text, { array: place.list, index: place.index, count: blocks.length }, taken)
}

export function addBlock(document: Document, slot: Slot, block: NewBlock): Done {
  const id = freeName(block.type, takenNames(document.value))
  return addBlocks(document, slot, [{ id, ...block }])
}

/** Inserts a copy after each group of adjacent blocks. */
export function duplicateBlocks({ text: before, value }: Document, blocks: readonly JsonPointer[]): Done {
  const taken = takenNames(value)
  let text = before
  let selected: readonly JsonPointer[] = []
  // Go from last to first, so that earlier positions stay valid.
  for (const [at, run] of runsOf(blocks).toReversed().entries()) {
    if (at > 0) for (const name of takenNames(valueOf(text))) taken.add(name)
    const behind = run.index + run.count
    const copy = { ...run, index: behind }
    text = requireText(copyJsonItems(text, run, run.array, behind))
    const named = withOwnIds(text, copy, taken)
    text = named.text
    selected = [...blocksOf(copy), ...selected.map((block) => withRun(block, copy))]
  }
  return { text, selected }
}

export function deleteBlocks({ text: before, value }: Document, blocks: readonly JsonPointer[]): Done {
  const runs = runsOf(blocks)
  const [first] = runs
  if (first === undefined) return { text: before, selected: [] }
  let text = before
  for (const { array, index, count } of runs.toReversed())
    text = requireText(deleteJsonItems(text, array, index, count))
  // Select the next block. Without one, select the previous block or the parent.
  const left = listAt(valueOf(text), first.array).length
  const index = Math.min(first.index, left - 1)
  const next = index >= 0 ? blockAt({ list: first.array, index }) : first.array.slice(0, -1)
  return { text, selected: value === undefined || next.length < 2 ? [] : [next] }
}

/** Moves blocks to a slot in their order. Undefined if a block would move into itself. */
export function moveBlocks(document: Document, blocks: readonly JsonPointer[], slot: Slot): Done | undefined {
  const moving = outermost(blocks)
  if (moving.some((block) => startsWith(slot.list, block))) return undefined
  const opened = withList(document, slot)
  let { text } = opened
  let target = slotIn(opened, slot)
  let waiting = runsOf(moving)
  let landed: readonly JsonPointer[] = []
  while (waiting[0] !== undefined) {
    const [run, ...rest] = waiting
    const landing = landingOf(run, target)
    if (landing === undefined) return undefined
    text = requireText(moveJsonItems(text, run, target.list, target.index))
    const shift = (block: JsonPointer): JsonPointer => withRun(withoutRun(block, run) ?? block, landing)
    landed = [...landed.map(shift), ...blocksOf(landing)]
    waiting = rest.map((other) => ({ ...other, ...itemsAt(shift([...other.array, other.index])) }))
    target = { list: landing.array, index: landing.index + landing.count }
  }
  return { text, selected: landed }
}

const itemsAt = (block: JsonPointer): Pick<JsonItems, "array" | "index"> => {
  const { list, index } = slotOf(block)
  return { array: list, index }
}

/** Puts blocks into a new container at the position of the first one. The container gets a new id. */
export function wrapBlocks(document: Document, blocks: readonly JsonPointer[], container: NewBlock): Done {
  const [first] = outermost(blocks)
  if (first === undefined) return { text: document.text, selected: [] }
  const added = addBlock(document, slotOf(first), container)
  const place = added.selected[0] ?? first
  const run = { ...itemsAt(place), count: 1 }
  const inside = { list: [...place, childFieldsOf(container.type)[0] ?? "blocks"], index: 0 }
  const moved = moveBlocks(
    { text: added.text, value: valueOf(added.text) },
    blocks.map((block) => withRun(block, run)),
    inside,
  )
  return { text: moved?.text ?? added.text, selected: [place] }
}

export function unwrapBlock(document: Document, container: JsonPointer): Done {
  const lists = listsOf(valueAt(document.value, container) ?? null, container)
  let { text } = document
  let here = slotOf(container)
  const selected: JsonPointer[] = []
  for (const { pointer, blocks } of lists) {
    if (blocks.length === 0) continue
    const shifted = [...blockAt(here), pointer.at(-1) ?? "blocks"]
    text = requireText(
      moveJsonItems(text, { array: shifted, index: 0, count: blocks.length }, here.list, here.index),
    )
    selected.push(...blocksOf({ array: here.list, index: here.index, count: blocks.length }))
    here = { ...here, index: here.index + blocks.length }
  }
  text = requireText(deleteJsonAt(text, blockAt(here)))
  if (selected.length > 0) return { text, selected }
  return { text, selected: listAt(valueOf(text), here.list).length > here.index ? [blockAt(here)] : [] }
}

/** Returns the number of strings that read the id. */
export const readingOf = (value: JsonValue, id: string): number =>
  id === "" ? 0 : renamedReferences(value, new Map([[id, `${id}-new`]])).length

export const setValue = (text: string, pointer: JsonPointer, value: JsonValue | undefined): string =>
  requireText(
    value === undefined ? deleteJsonAt(text, pointer) : setJsonAt(text, pointer, value, workflowShape),
  )

/** Creates the list of the slot if it is missing, such as `else` of a condition. */
function withList(document: Document, { list }: Slot): Document {
  if (valueAt(document.value, list) !== undefined) return document
  const text = requireText(setJsonAt(document.text, list, [], workflowShape))
  return { text, value: valueOf(text) }
}

const slotIn = ({ value }: Document, { list, index }: Slot): Slot => ({
  list,
  index: Math.min(index, listAt(value, list).length),
})

function withOwnIds(text: string, added: JsonItems, taken: ReadonlySet<string>): Done {
  const selected = blocksOf(added)
  const changes = changesForOwnIds(valueOf(text), selected, taken)
  return { text: changes.length === 0 ? text : requireText(replaceJsonValues(text, changes)), selected }
}

const listAt = (value: JsonValue, pointer: JsonPointer): readonly JsonValue[] => {
  const list = valueAt(value, pointer)
  return Array.isArray(list) ? (list as readonly JsonValue[]) : []
}

/** Parses the text. Throws if it is invalid. */
export function valueOf(text: string): JsonValue {
  const parsed = parseEdited(text)
  if (!parsed.ok) throw new Error("can't edit blocks in invalid JSON")
  return parsed.value
}

function requireText(edited: EditedJson): string {
  if (!edited.ok) throw new Error("can't edit blocks in invalid JSON")
  return edited.text
}
