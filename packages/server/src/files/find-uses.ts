// Which blocks name a saved request or a script: they lose it when it goes.

import type { Project } from "@callsheet/format"
import { blocksThatName } from "@callsheet/language"
import type { FileName, FileUse } from "../calls/index.ts"

/** Blocks that a token leads there are not among them. */
export function findUses(project: Project, file: FileName): readonly FileUse[] {
  if (file.kind !== "script" && file.kind !== "request") return []
  const byWorkflow = new Map<string, string[]>()
  for (const { workflow, visit, isSure } of blocksThatName(project, file)) {
    if (!isSure) continue
    const blocks = byWorkflow.get(workflow.name) ?? []
    byWorkflow.set(workflow.name, blocks)
    blocks.push(visit.block.id)
  }
  return [...byWorkflow].map(([workflow, blocks]) => ({ workflow, blocks }))
}
