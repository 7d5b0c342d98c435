// Which blocks name a saved request or a script: they lose it when it gets another name, or goes.

import { scriptsOf, walkBlocks, type Block, type Project } from "@callsheet/format"
import type { FileName, FileUse } from "../../api.ts"

/** Blocks that a token leads there are not among them. */
export async function findUses(project: Project, file: FileName): Promise<readonly FileUse[]> {
  const isUse = await useOf(file)
  if (isUse === undefined) return []
  return [...project.workflows.values()].flatMap(({ name, readable }): readonly FileUse[] => {
    if (file.kind === "script" && file.workflow !== name) return []
    const sound = [...walkBlocks(readable?.workflow.blocks ?? [])].filter(
      ({ block }) => readable?.broken.has(block) !== true,
    )
    const blocks = sound.filter(({ block }) => isUse(block)).map(({ block }) => block.id)
    return blocks.length === 0 ? [] : [{ workflow: name, blocks }]
  })
}

async function useOf(file: FileName): Promise<((block: Block) => boolean) | undefined> {
  if (file.kind === "script") return (block) => scriptsOf(block).some(({ name }) => name === file.script)
  if (file.kind !== "request") return undefined
  const { slug } = await import("./loaded-late.ts")
  const isOfResource = (resource: string | undefined): boolean =>
    resource === undefined || resource === file.resource || slug(resource) === file.resource
  return (block) =>
    block.type === "request" &&
    block.request.api === file.api &&
    block.request.instance === file.request &&
    isOfResource(block.request.resource)
}
