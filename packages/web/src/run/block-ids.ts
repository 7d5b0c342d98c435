// The ids of all blocks in a workflow, even if the file is otherwise invalid.

import { rawBlocks, type JsonValue } from "@callsheet/format"

/** Returns the ids in file order. */
export function blockIds(file: JsonValue | undefined): readonly string[] {
  const ids: string[] = []
  for (const { block } of file === undefined ? [] : rawBlocks(file))
    if (typeof block["id"] === "string" && typeof block["type"] === "string") ids.push(block["id"])
  return ids
}
