// Finds the operations that blocks send.

import { type Block, hasResponse, walkBlocks } from "@callsheet/format"
import { type ApiSource, findTarget, isOpen } from "./target.ts"

/**
 * Returns the operations of an API that the blocks send, as `METHOD /path`. Undefined if a block's target contains
 * placeholders or doesn't exist.
 */
export function sentOperations(source: ApiSource, blocks: readonly Block[]): ReadonlySet<string> | undefined {
  const sent = new Set<string>()
  for (const { block } of walkBlocks(blocks)) {
    if (!hasResponse(block) || block.request.api !== source.api.name) continue
    const found = isOpen(block.request) ? undefined : findTarget(source, block.request)
    if (found?.found !== true) return undefined
    sent.add(`${found.target.method.toUpperCase()} ${found.target.path}`)
  }
  return sent
}
