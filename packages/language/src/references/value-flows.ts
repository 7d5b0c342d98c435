// Finds the values that flow between blocks: which block reads which result, as far as the workflow's file shows.

import {
  formatPath,
  getOrCreate,
  hasResponse,
  parseTemplate,
  type RequestBlock,
  stringsOf,
  walkBlocks,
  type Workflow,
} from "@callsheet/format"
import { HOLE, mayMeet, patternOf } from "../names/name-pattern.ts"
import { leavesResult } from "../scope/rules.ts"
import { pathTexts } from "./result-references.ts"

/** `reader` uses results of `writer`. Both are ids as written. */
export interface ValueFlow {
  readonly writer: string
  readonly reader: string
  /** The paths as written, such as `create.response.body.id`. `…` stands for a placeholder. */
  readonly paths: readonly string[]
}

/**
 * Lists the flows between different blocks. `stringsOfRequest` returns the strings of a block's saved request that may
 * contain placeholders. Scripts may read more.
 */
export function findValueFlows(
  { blocks }: Workflow,
  stringsOfRequest: (block: RequestBlock) => Iterable<string> = () => [],
): readonly ValueFlow[] {
  const exact = new Set<string>()
  const open: { readonly id: string; readonly pattern: string }[] = []
  for (const { block } of walkBlocks(blocks)) {
    if (!leavesResult(block)) continue
    const template = parseTemplate(block.id)
    if (template.ok && block.id.includes("{{"))
      open.push({ id: block.id, pattern: patternOf(template.parts) })
    else exact.add(block.id)
  }
  const writersOf = (name: string): readonly string[] => {
    if (exact.has(name)) return [name]
    // A name that is a single placeholder may be any block, which says nothing.
    return name === HOLE ? [] : open.filter(({ pattern }) => mayMeet(pattern, name)).map(({ id }) => id)
  }
  const flows = new Map<string, { readonly writer: string; readonly reader: string; paths: string[] }>()
  for (const { block } of walkBlocks(blocks)) {
    const saved = hasResponse(block) ? [...stringsOfRequest(block)].map((text) => ({ text, is: "text" })) : []
    for (const { text, is } of [...stringsOf(block), ...saved])
      for (const { segments } of pathTexts(text, is === "path"))
        for (const writer of writersOf(segments[0] ?? HOLE)) {
          if (writer === block.id) continue
          const flow = { writer, reader: block.id, paths: [] }
          const { paths } = getOrCreate(flows, JSON.stringify([writer, block.id]), () => flow)
          const path = formatPath(segments).replaceAll(HOLE, "…")
          if (!paths.includes(path)) paths.push(path)
        }
  }
  return [...flows.values()]
}
