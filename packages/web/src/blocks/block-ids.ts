// Ids of new blocks: unique, and different from inputs and iterators. Pure.

import {
  isJsonArray,
  isJsonObject,
  rawBlocks,
  type JsonChange,
  type JsonPointer,
  type JsonValue,
  startsWith,
} from "@callsheet/format"
import { freeName, renamedReferences } from "@callsheet/language"

/**
 * Returns the changes that make pasted ids unique: ids that are `taken`, and references to them in the pasted blocks.
 */
export function changesForOwnIds(
  workflow: JsonValue,
  added: readonly JsonPointer[],
  taken: ReadonlySet<string>,
): readonly JsonChange[] {
  const names = new Set(taken)
  const renames = new Map<string, string>()
  const ids: JsonChange[] = []
  const list = added[0]?.slice(0, -1) ?? ["blocks"]
  const isAdded = (pointer: JsonPointer): boolean => added.some((block) => startsWith(pointer, block))
  for (const { block, pointer } of rawBlocks(workflow, list)) {
    const { id } = block
    if (typeof id !== "string" || id === "" || !isAdded(pointer())) continue
    const own = freeName(id, names)
    names.add(own)
    if (own === id) continue
    if (!renames.has(id)) renames.set(id, own)
    ids.push({ pointer: [...pointer(), "id"], value: own })
  }
  const reading = renames.size === 0 ? [] : renamedReferences(workflow, renames, list)
  return merged(
    ids,
    reading.filter(({ pointer }) => isAdded(pointer)),
  )
}

/** If an id contains the name of a renamed block, the change of the id itself wins. */
function merged(ids: readonly JsonChange[], reading: readonly JsonChange[]): readonly JsonChange[] {
  const own = new Set(ids.map(({ pointer }) => pointer.join("/")))
  return [...ids, ...reading.filter(({ pointer }) => !own.has(pointer.join("/")))]
}

/** Returns the blocks in a value: one block, a list, or a workflow. Undefined if it contains none. */
export function blocksIn(value: JsonValue): readonly JsonValue[] | undefined {
  const list =
    isJsonObject(value) && isJsonArray(value["blocks"]) && !("type" in value) ? value["blocks"] : value
  const blocks = isJsonArray(list) ? list : [list]
  const areBlocks = blocks.length > 0 && blocks.every((block) => isJsonObject(block) && "type" in block)
  return areBlocks ? blocks : undefined
}
