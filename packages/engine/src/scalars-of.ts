// The values without parts that a value is made of. No recursion: a response may nest deeper than the stack.

import type { JsonValue } from "@callsheet/format"

/** A string, a number, a boolean or null by itself, or all that a list or an object holds at any depth, in no order. */
export function* scalarsOf(value: JsonValue): Generator<string | number | bigint | boolean | null, void> {
  const work: JsonValue[] = [value]
  for (let here = work.pop(); here !== undefined; here = work.pop()) {
    if (typeof here === "object" && here !== null)
      for (const inner of Object.values<JsonValue>(here)) work.push(inner)
    else yield here
  }
}
