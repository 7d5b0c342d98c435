// Estimates the length of a value's JSON, to limit what a client makes the mock keep.

import { isJsonArray, type JsonValue } from "@callsheet/format"

/** Returns about the number of characters. Stops above `limit`. Doesn't recurse. */
export function weigh(value: JsonValue, limit: number): number {
  let weight = 0
  const work: JsonValue[] = [value]
  for (let part = work.pop(); part !== undefined && weight <= limit; part = work.pop()) {
    weight += typeof part === "string" ? part.length + 3 : 4
    if (isJsonArray(part)) for (const item of part) work.push(item)
    else if (typeof part === "object" && part !== null)
      for (const [key, member] of Object.entries(part)) {
        weight += key.length + 3
        work.push(member)
      }
  }
  return weight
}
