// Finds lists without items: what checks nothing or runs nothing always passes.

import { emptyListOf, type ReadableWorkflow, walkBlocks } from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Report } from "./scripts.ts"

export function checkEmptyLists({ workflow, broken, isComplete }: ReadableWorkflow, report: Report): void {
  const { emptyList } = messages["field-value"]
  if (workflow.blocks.length === 0 && isComplete)
    report(["blocks"], "value", emptyList("blocks", "the workflow does nothing"))
  for (const { block, pointer } of walkBlocks(workflow.blocks)) {
    const empty = broken.has(block) ? undefined : emptyListOf(block)
    if (empty !== undefined)
      report([...pointer(), empty.field], "value", emptyList(empty.field, empty.message))
  }
}
