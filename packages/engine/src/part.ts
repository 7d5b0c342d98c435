// Which part of a workflow a run is about: all of it, what stands up to a block, or one block alone.

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

/** Blocks by their id as written. */
export type RunPart =
  /** The run ends after this block; of a loop around it, after its first iteration. */
  | { readonly until: string }
  /** This block runs alone, with what it holds, on the results of a run before. */
  | { readonly only: string }

export interface PlannedPart {
  /** What is run, in order. */
  readonly blocks: Blocks
  /** Loops of which the first iteration alone is run. */
  readonly once: ReadonlySet<Block>
  /** Of one block alone: the loops around it, outermost first. */
  readonly around: readonly LoopBlock[]
  /** One block alone is run, on the results of a run before. */
  readonly isOnly: boolean
}

const wholeWorkflow = (blocks: Blocks): PlannedPart => ({
  blocks,
  once: new Set(),
  around: [],
  isOnly: false,
})

/** Throws `block-unknown` where the workflow has no such block. */
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
  const hint = suggest(id, ids)
  throw new CallsheetError(
    "block-unknown",
    `the workflow has no block ${JSON.stringify(id)}`,
    hint === undefined ? {} : { hint },
  )
}

interface Level {
  readonly list: Blocks
  readonly index: number
  /** Of the block at `index`, the list that the way goes on in; absent at its end. */
  readonly field?: string
}

/** The lists of blocks as far as the way to a block, which stay in step with the file: nothing is left out before it. */
function cutAfter(blocks: Blocks, visit: Visit): Pick<PlannedPart, "blocks" | "once"> {
  const once = new Set<Block>()
  let inner: Blocks | undefined
  for (const { list, index, field } of levelsTo(blocks, visit.pointer()).toReversed()) {
    const last = list[index]
    if (last === undefined) throw new Error("a block is not where it was found")
    const cut = field === undefined ? last : ({ ...last, [field]: inner } as Block)
    if (iterates(cut) && field !== undefined) once.add(cut)
    inner = [...list.slice(0, index), cut]
  }
  return { blocks: inner ?? [], once }
}

/** From the outermost list to that of the block. `pointer` is `["blocks", 2, "then", 0]`. */
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
