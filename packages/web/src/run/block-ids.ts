// The ids of all blocks of a workflow's file, whatever else is wrong with it.

import { rawBlocks, type JsonValue } from "@callsheet/format"

/** In the order of the file. */
export function blockIds(file: JsonValue | undefined): readonly string[] {
  const ids: string[] = []
  for (const { block } of file === undefined ? [] : rawBlocks(file))
    if (typeof block["id"] === "string" && typeof block["type"] === "string") ids.push(block["id"])
  return ids
}
