// Walks every block of a workflow, including nested ones, in file order. Iterative, because nesting has no limit.

import { pointerTo, valueAt, type JsonPointer, type Place } from "../json/pointer.ts"
import { isJsonArray, isJsonObject, ownOf, type JsonObject, type JsonValue } from "../json/value.ts"
import { apisOf, childFields, children, iterates, scriptsOf } from "./blocks/index.ts"
import type { Block, Blocks, LoopBlock } from "./types.ts"

export interface LoopChain {
  readonly loop: LoopBlock
  readonly outer: LoopChain | undefined
}

export interface Visit {
  readonly block: Block
  readonly loops: LoopChain | undefined
  /** Returns the path to the block in its file, computed on demand. */
  readonly pointer: () => JsonPointer
}

/** Yields each block before the blocks nested in it. */
export function* walkBlocks(blocks: Blocks): Generator<Visit, void, undefined> {
  const work: { block: Block; place: Place; loops: LoopChain | undefined }[] = []
  const push = (list: Blocks, parent: Place, loops: LoopChain | undefined) => {
    for (const [index, block] of [...list.entries()].toReversed())
      work.push({ block, place: { key: index, parent }, loops })
  }
  push(blocks, { key: "blocks", parent: undefined }, undefined)
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { block, place, loops } = item
    yield { block, loops, pointer: () => pointerTo(place) }
    const inner = iterates(block) ? { loop: block, outer: loops } : loops
    for (const child of children(block).toReversed())
      push(child.blocks, { key: child.field, parent: place }, inner)
  }
}

export const touchedApis = (blocks: Blocks): readonly string[] => [
  ...new Set([...walkBlocks(blocks)].flatMap(({ block }) => apisOf(block))),
]

export function callsScripts(blocks: Blocks): boolean {
  for (const { block } of walkBlocks(blocks)) if (scriptsOf(block).length > 0) return true
  return false
}

/** Yields every block in the list at `within`, in file order, including nested ones and invalid ones that are objects. */
export function* rawBlocks(
  workflow: JsonValue,
  within: JsonPointer = ["blocks"],
): Generator<{ readonly block: JsonObject; readonly pointer: () => JsonPointer }> {
  const work: { readonly value: JsonValue; readonly place: Place }[] = []
  const push = (list: JsonValue | undefined, parent: Place | undefined): void => {
    if (!isJsonArray(list)) return
    for (let key = list.length - 1; key >= 0; key--)
      work.push({ value: list[key] ?? null, place: { key, parent } })
  }
  push(valueAt(workflow, within), undefined)
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { value: block, place } = item
    if (!isJsonObject(block)) continue
    yield { block, pointer: () => pointerTo(place, within) }
    for (const field of childFields.toReversed()) push(ownOf(block, field), { key: field, parent: place })
  }
}
