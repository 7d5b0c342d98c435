// Responses with an error status that nothing in their workflow checks. A run that passes with one proves little.

import type { JsonObject, JsonValue } from "../json/value.ts"
import { isJsonObject } from "../json/value.ts"
import { stringifyJson } from "../json/stringify.ts"
import { childFields } from "../workflow/blocks/index.ts"
import { rawBlocks } from "../workflow/walk.ts"
import type { BlockReport, RunReport } from "./types.ts"

/**
 * Returns the passed request blocks of a run that received a status of 400 or above (RFC 9110 section 15), although no
 * assert block, condition, loop or transform names their result. A contract doesn't count, because it allows every
 * documented status. A script may read any result, so a workflow with one has none. `workflow` is the file.
 */
export function uncheckedErrors(
  { blocks }: Pick<RunReport, "blocks">,
  workflow: JsonValue,
): ReadonlySet<BlockReport> {
  const errors = new Set(errorsIn(blocks))
  if (errors.size === 0) return errors
  const ids = new Set<string>()
  let checks = ""
  for (const { block } of rawBlocks(workflow)) {
    if (typeof block["id"] === "string") ids.add(block["id"])
    if (isJsonObject(block["script"])) return new Set()
    if (!isJsonObject(block["request"])) checks += ownText(block)
  }
  for (const error of errors) {
    // An id with placeholders has another text in the report.
    const isKnown = ids.has(error.id)
    if (!isKnown || checks.includes(`${error.id}.`) || checks.includes(`${error.id}[`)) errors.delete(error)
  }
  return errors
}

/** Iterative, because blocks nest without limit. */
function errorsIn(blocks: readonly BlockReport[]): readonly BlockReport[] {
  const errors: BlockReport[] = []
  const work = [blocks]
  for (let list = work.pop(); list !== undefined; list = work.pop())
    for (const block of list) {
      if (block.status === "passed" && (block.response?.status ?? 0) >= 400) errors.push(block)
      if (block.blocks !== undefined) work.push(block.blocks)
      for (const iteration of block.iterations ?? []) work.push(iteration.blocks)
    }
  return errors
}

/** A block as JSON, without the blocks inside it. */
const ownText = (block: JsonObject): string =>
  stringifyJson(
    Object.fromEntries(
      Object.entries(block).filter(([key]) => key !== "description" && !childFields.includes(key)),
    ),
  )
