// Every block of a workflow, nested ones included, in the order of the file. Iterative: nesting has no bound.

import type { JsonPointer } from "../json/locate.ts"
import { apisOf, children, iterates } from "./blocks/index.ts"
import type { Block, Blocks, LoopBlock } from "./types.ts"

/** The loops around a block, innermost first. */
export interface LoopChain {
  readonly loop: LoopBlock
  readonly outer: LoopChain | undefined
}

interface Place {
  readonly key: string | number
  readonly parent: Place | undefined
}

export interface Visit {
  readonly block: Block
  readonly loops: LoopChain | undefined
  /** The way to the block in its file; made when asked for. */
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
    yield { block, loops, pointer: () => pointerOf(place) }
    const inner = iterates(block) ? { loop: block, outer: loops } : loops
    for (const child of [...children(block)].reverse())
      push(child.blocks, { key: child.field, parent: place }, inner)
  }
}

function pointerOf(place: Place): JsonPointer {
  const pointer: (string | number)[] = []
  for (let here: Place | undefined = place; here !== undefined; here = here.parent) pointer.push(here.key)
  return pointer.reverse()
}

/** The union of the APIs that the blocks name, in the order of first mention. */
export function touchedApis(blocks: Blocks): readonly string[] {
  const apis = new Set<string>()
  for (const { block } of walkBlocks(blocks)) for (const api of apisOf(block)) apis.add(api)
  return [...apis]
}
