// Lists the scalars in a value. Iterative, because a response may nest deeper than the stack.

import type { JsonValue } from "@callsheet/format"

type Scalar = string | number | bigint | boolean | null

/** Returns a scalar itself, or all scalars in a list or an object at any depth, in no particular order. */
export function scalarsOf(value: JsonValue): readonly Scalar[] {
  if (typeof value !== "object" || value === null) return [value]
  const scalars: Scalar[] = []
  const work: JsonValue[] = [value]
  for (let here = work.pop(); here !== undefined; here = work.pop()) {
    if (typeof here === "object" && here !== null)
      for (const inner of Object.values<JsonValue>(here)) work.push(inner)
    else scalars.push(here)
  }
  return scalars
}
