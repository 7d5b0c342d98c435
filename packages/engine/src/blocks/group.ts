// Runs a group block: its blocks run as if the group didn't exist.

import type { GroupBlock } from "@callsheet/format"
import type { BlockRunner, ListOutcome, Running } from "../context.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../failure.ts"
import { messages } from "../messages.ts"

export const runGroup: BlockRunner<GroupBlock> = async (running) => {
  const { block, lane } = running
  return containerOutcome(await lane.runBlocks(block.blocks, innerLane(running)))
}

export const innerLane = ({ lane, number }: Running): Running["lane"] => {
  const { iteration: _, ...rest } = lane
  return { ...rest, parent: number, depth: lane.depth + 1 }
}

export function containerOutcome(outcome: ListOutcome): BlockOutcome {
  switch (outcome) {
    case "passed":
      return passed
    case "cancelled":
      return cancelled
    case "failed":
      return failed(messages["child-failed"].block())
  }
}
