// Selects the part of a workflow to run: everything, everything up to a block, or a single block.

import {
  children,
  CallsheetError,
  iterates,
  suggest,
  walkBlocks,
  type Block,
  type Blocks,
  type JsonPointer,
  type LoopBlock,
  type Visit,
} from "@callsheet/format"
import { messages } from "../messages.ts"

/** The part of a workflow to run. Blocks are named by their id as written. */
export type RunPart =
  /** Runs everything up to this block. A loop around the block ends after its first iteration. */
  | { readonly until: string }
  /** Runs only this block and its nested blocks, with the results of an earlier run. */
  | { readonly only: string }

export interface PlannedPart {
  readonly blocks: Blocks
  /** The loops that run only their first iteration. */
  readonly once: ReadonlySet<Block>
  /** The loops around a single block, outermost first. */
  readonly around: readonly LoopBlock[]
  /** True if a single block runs with the results of an earlier run. */
  readonly isOnly: boolean
}

const wholeWorkflow = (blocks: Blocks): PlannedPart => ({
  blocks,
  once: new Set(),
  around: [],
  isOnly: false,
})

/** Throws `block-unknown` if the workflow has no such block. */
export function planPart(blocks: Blocks, part: RunPart | undefined): PlannedPart {
  if (part === undefined) return wholeWorkflow(blocks)
  if ("until" in part) return { ...wholeWorkflow(blocks), ...cutAfter(blocks, findBlock(blocks, part.until)) }
  const { block, loops } = findBlock(blocks, part.only)
  const around: LoopBlock[] = []
  for (let chain = loops; chain !== undefined; chain = chain.outer) around.unshift(chain.loop)
  return { ...wholeWorkflow([block]), around, isOnly: true }
}

function findBlock(blocks: Blocks, id: string): Visit {
  const ids: string[] = []
  for (const visit of walkBlocks(blocks)) {
    if (visit.block.id === id) return visit
    ids.push(visit.block.id)
  }
  throw new CallsheetError(messages["block-unknown"].unknown(id, suggest(id, ids)))
}

interface Level {
  readonly list: Blocks
  readonly index: number
  /** The field of the block at `index` that contains the next list. Absent at the last level. */
  readonly field?: string
}

/**
 * Removes the blocks after the path to a block. Indexes still match the file, because only later blocks are removed.
 */
function cutAfter(blocks: Blocks, visit: Visit): Pick<PlannedPart, "blocks" | "once"> {
  const once = new Set<Block>()
  let inner: Blocks | undefined
  for (const { list, index, field } of levelsTo(blocks, visit.pointer()).toReversed()) {
    const last = list[index]
    if (last === undefined) throw new Error("a block's path does not resolve")
    const cut = field === undefined ? last : ({ ...last, [field]: inner } as Block)
    if (iterates(cut) && field !== undefined) once.add(cut)
    inner = [...list.slice(0, index), cut]
  }
  return { blocks: inner ?? [], once }
}

/** Returns the levels from the outermost list to the block's own, for a pointer such as `["blocks", 2, "then", 0]`. */
function levelsTo(blocks: Blocks, pointer: JsonPointer): readonly Level[] {
  const levels: Level[] = []
  let list = blocks
  for (let at = 1; at < pointer.length; at += 2) {
    const index = Number(pointer[at])
    const field = pointer[at + 1]
    if (field === undefined) levels.push({ list, index })
    else {
      levels.push({ list, index, field: String(field) })
      const block = list[index]
      const lists = block === undefined ? [] : children(block)
      list = lists.find((child) => child.field === field)?.blocks ?? []
    }
  }
  return levels
}
