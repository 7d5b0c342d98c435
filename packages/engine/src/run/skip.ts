// Reports blocks that don't run, with the reason. Includes nested blocks, except those in a loop.

import { children, iterates, type Block, type Blocks, type SkipReason } from "@callsheet/format"
import { entered, type Frame } from "./context.ts"

/** Reports every block in a list as skipped. Iterative, because blocks nest without limit. */
export function skipBlocks(blocks: Blocks, frame: Frame, reason: SkipReason): void {
  const work: { block: Block; frame: Frame }[] = []
  const push = (list: Blocks, inner: Frame) => {
    for (const block of list.toReversed()) work.push({ block, frame: inner })
  }
  push(blocks, frame)
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    const { block, frame: here } = item
    const event = entered("block.skipped", block, here)
    here.context.emit(Object.assign(event, { reason }))
    if (iterates(block)) continue
    const { iteration: _, ...rest } = here
    const inner = { ...rest, parent: event.block }
    for (const child of [...children(block)].reverse()) push(child.blocks, inner)
  }
}
