// Whether two values are the same JSON, whatever the order of members.

import type { JsonValue } from "@callsheet/format"

/** Iterative: values nest without bound. */
export function isSameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  const work: (readonly [unknown, unknown])[] = [[one, other]]
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [left, right] = pair
    if (left === right) continue
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false
    if (Array.isArray(left) !== Array.isArray(right)) return false
    const entries = Object.entries(left)
    if (entries.length !== Object.keys(right).length) return false
    for (const [key, value] of entries) {
      if (!Object.hasOwn(right, key)) return false
      work.push([value, (right as Readonly<Record<string, unknown>>)[key]])
    }
  }
  return true
}
