// Compares a recorded value with one of today. What a record has masked may be anything.

import { isJsonArray, isJsonObject, ownOf, type JsonValue } from "../json/value.ts"
import { isEqual } from "../workflow/equal.ts"

/** What records write in place of a secret. */
const MASKED = "***"

/** Returns whether a text is the recorded one. Each `***` in the recorded one stands for any text. */
export function matchesMaskedText(recorded: string, text: string): boolean {
  if (!recorded.includes(MASKED)) return recorded === text
  const [first = "", ...others] = recorded.split(MASKED)
  const last = others.pop() ?? ""
  if (!text.startsWith(first)) return false
  let at = first.length
  // Takes the first place of each part, which leaves the most text for the parts after it.
  for (const part of others) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}

/** Returns whether a value is the recorded one. The order of members doesn't matter. */
export function matchesMasked(recorded: JsonValue, value: JsonValue): boolean {
  // Iterative, because both may nest deeper than the stack.
  const work: (readonly [JsonValue, JsonValue])[] = [[recorded, value]]
  for (let pair = work.pop(); pair !== undefined; pair = work.pop()) {
    const [old, now] = pair
    if (old === MASKED) continue
    if (isJsonArray(old)) {
      if (!isJsonArray(now) || old.length !== now.length) return false
      for (const [at, item] of old.entries()) work.push([item, now[at] ?? null])
    } else if (isJsonObject(old)) {
      if (!isJsonObject(now) || !hasSameKeys(old, now)) return false
      for (const [key, member] of Object.entries(old)) work.push([member, ownOf(now, key) ?? null])
    } else if (!matchesScalar(old, now)) return false
  }
  return true
}

function hasSameKeys(one: object, other: object): boolean {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => Object.hasOwn(other, key))
}

/** Records write integers beyond 2^53 as text. */
function matchesScalar(old: JsonValue, now: JsonValue): boolean {
  if (typeof old !== "string") return isEqual(old, now)
  if (typeof now === "bigint") return old === String(now)
  return typeof now === "string" && matchesMaskedText(old, now)
}
