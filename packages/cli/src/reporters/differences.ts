// Finds the first differences between what an assertion expected and what it received.

import { compareValues, formatPath, type JsonValue } from "@callsheet/format"

// Limits the work. More differences between two large values wouldn't help a reader.
const MAX_STEPS = 50_000

/** Returns the first `limit` differences, depth first. `more` is true if there may be others. */
export function differences(expected: JsonValue, actual: JsonValue, limit: number) {
  const found: { path: string; expected: JsonValue | undefined; actual: JsonValue | undefined }[] = []
  const walk = compareValues({ left: expected, right: actual }, { maxSteps: MAX_STEPS })
  for (let next = walk.next(); ; next = walk.next()) {
    if (next.done === true) return { found, more: next.value }
    if (found.length === limit) return { found, more: true }
    const { path, left, right } = next.value
    found.push({ path: formatPath(path), expected: left, actual: right })
  }
}
