// Finds empty lists, because a block that checks or runs nothing always passes.

import { children, emptyListOf, type ReadableWorkflow, walkBlocks } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Report } from "./scripts.ts"

/**
 * Reports empty assertions and transforms. If `isRun`, also reports empty lists of blocks, which are normal in an
 * unfinished workflow.
 */
export function checkEmptyLists({ workflow, broken }: ReadableWorkflow, report: Report, isRun = false): void {
  const { emptyList } = messages["field-value"]
  if (isRun && workflow.blocks.length === 0)
    report(["blocks"], "value", emptyList("blocks", "the workflow does nothing"))
  for (const { block, pointer } of walkBlocks(workflow.blocks)) {
    const empty = broken.has(block) ? undefined : emptyListOf(block)
    if (empty !== undefined)
      report([...pointer(), empty.field], "value", emptyList(empty.field, empty.message))
    for (const { field, blocks } of isRun ? children(block) : [])
      if (field === "blocks" && blocks.length === 0)
        report([...pointer(), field], "value", emptyList(field, "the block does nothing"))
  }
}
