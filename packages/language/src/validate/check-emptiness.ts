// What is accepted and does nothing, or not what it says: empty checks, defaults of another type.

import { kindOf, walkBlocks, type ReadableWorkflow } from "@callsheet/format"
import type { Report } from "../report.ts"

/** Warns of blocks that check or name nothing, and of inputs whose default is not of their type. */
export function checkEmptiness({ workflow, broken, brokenInputs }: ReadableWorkflow, report: Report): void {
  for (const { block, pointer } of walkBlocks(workflow.blocks)) {
    if (broken.has(block)) continue
    if (block.type === "assert" && block.assertions?.length === 0) {
      report([...pointer(), "assertions"], "value", {
        code: "field-value",
        severity: "warning",
        message: `"assertions" is empty: nothing is checked`,
      })
    }
    if (block.type === "transform" && Object.keys(block.transforms ?? { script: "" }).length === 0) {
      report([...pointer(), "transforms"], "value", {
        code: "field-value",
        severity: "warning",
        message: `"transforms" is empty: nothing is named`,
      })
    }
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
