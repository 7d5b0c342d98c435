// Group: its blocks run as if they stood around it.

import type { GroupBlock } from "@callsheet/format"
import type { BlockRunner, ListOutcome, Running } from "../context.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../failure.ts"

export const runGroup: BlockRunner<GroupBlock> = async (running) => {
  const { block, lane } = running
  return containerOutcome(await lane.runBlocks(block.blocks, innerLane(running)))
}

/** The lane of the blocks inside a container that is no loop. */
export const innerLane = ({ lane, number }: Running): Running["lane"] => {
  const { iteration: _, ...rest } = lane
  return { ...rest, parent: number, depth: lane.depth + 1 }
}

/** A container fails when something in it failed. */
export function containerOutcome(outcome: ListOutcome): BlockOutcome {
  switch (outcome) {
    case "passed":
      return passed
    case "cancelled":
      return cancelled
    case "failed":
      return failed("child-failed", "a block inside it failed")
  }
}
