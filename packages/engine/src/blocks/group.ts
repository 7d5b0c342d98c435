// Runs a group block: its blocks run as if the group didn't exist.

import type { GroupBlock } from "@callsheet/format"
import type { BlockRunner, ListOutcome, Running } from "../run/context.ts"
import { cancelled, failed, passed, type BlockOutcome } from "../run/failure.ts"
import { messages } from "../messages.ts"

export const runGroup: BlockRunner<GroupBlock> = async (running) => {
  const { block, frame } = running
  return containerOutcome(await frame.runBlocks(block.blocks, innerFrame(running)))
}

export const innerFrame = ({ frame, number }: Running): Running["frame"] => {
  const { iteration: _, ...rest } = frame
  return { ...rest, parent: number, depth: frame.depth + 1 }
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
