// The ids of all blocks of a workflow's file, whatever else is wrong with it.

import { isJsonArray, isJsonObject, type JsonValue } from "@callsheet/format"

/** In the order of the file. Iterative: blocks nest without bound. */
export function blockIds(file: JsonValue | undefined): readonly string[] {
  const ids: string[] = []
  const work: JsonValue[] = file === undefined ? [] : [file]
  for (let part = work.pop(); part !== undefined; part = work.pop()) {
    if (!isJsonObject(part)) continue
    if (typeof part["id"] === "string" && typeof part["type"] === "string") ids.push(part["id"])
    const lists = [part["blocks"], part["then"], part["else"]]
    const inner = lists.flatMap((list) => (list !== undefined && isJsonArray(list) ? list : []))
    for (const block of inner.toReversed()) work.push(block)
  }
  return ids
}
