// What is accepted and does nothing, or not what it says: empty checks, defaults of another type.

import { emptyListOf, kindOf, walkBlocks, type ReadableWorkflow } from "@callsheet/format"
import type { Report } from "../report.ts"

/** Warns of blocks that check or name nothing, and of inputs whose default is not of their type. */
export function checkEmptiness({ workflow, broken, brokenInputs }: ReadableWorkflow, report: Report): void {
  for (const { block, pointer } of walkBlocks(workflow.blocks)) {
    if (broken.has(block)) continue
    const empty = emptyListOf(block)
    if (empty === undefined) continue
    report([...pointer(), empty.field], "value", {
      code: "field-value",
      severity: "warning",
      message: `"${empty.field}" is empty: ${empty.message}`,
    })
  }
  for (const [name, { type, default: value }] of Object.entries(workflow.inputs ?? {})) {
    if (value === undefined || value === null || brokenInputs.has(name) || kindOf(value) === type) continue
    report(["inputs", name, "default"], "value", {
      code: "input-type",
      severity: "warning",
      message: `the default of "${name}" is no ${type}; it is used as it stands`,
    })
  }
}
